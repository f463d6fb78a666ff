import Foundation
import Haul
import Testing

/// What an app names that imports Foundation and Haul, and nothing else: no name of Haul's may stand in the
/// way of those that every app knows.
@Suite struct ImportTests {
  private func isOfFoundation(_ error: any Error) -> Bool { error is URLError }

  private func instant<Time: Clock>(_ clock: Time) -> Time.Instant { clock.now }

  @Test func namesOfTheStandardLibraryAndOfFoundationMeanWhatTheyMean() throws {
    #expect(isOfFoundation(URLError(.timedOut)))
    let clock = ContinuousClock()
    #expect(instant(clock) <= clock.now)
    #expect(throws: AddressError.self) { try HTTPURL(parsing: "no address") }
  }
}
