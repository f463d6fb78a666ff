import HaulTestKit
import Testing

@testable import HaulCLI

/// How long the program waits for somebody who was never there.
@Suite(.timeLimit(.minutes(1))) struct FirstContactTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func theNextTryIsCounted() async throws {
    let port = try HostileOrigin { _ in OriginResponse(status: 200) }.port
    let outcome = try await Haul.get("http://127.0.0.1:\(port)/file", in: folder.path)
    #expect(outcome.exit == .exited(3))
    #expect(outcome.error.contains("(Connection refused); try 2 of 3 in "), "\(outcome.error)")
    #expect(outcome.error.contains("; try 3 of 3 in "))
    #expect(outcome.error.contains("(tried 3 times; --tries N tries longer)"))
  }

  @Test func aMistypedNameIsToldAtOnce() async throws {
    let clock = ContinuousClock()
    let start = clock.now
    let outcome = try await Haul.run(["get", "http://nonexistent.invalid/file"], in: folder.path)
    #expect(outcome.exit == .exited(3))
    #expect(outcome.error.contains("try 2 of 2 in "), "\(outcome.error)")
    #expect(outcome.error.contains("failed [name-not-resolved]"))
    #expect(outcome.error.contains("check its spelling"))
    // One pause of a second at most; a minute before.
    #expect(clock.now - start < .seconds(20))
  }

  @Test func whoeverGivesTriesGetsThem() async throws {
    let outcome = try await Haul.get(
      "--tries", "5", "http://127.0.0.1:1/file", "http://nonexistent.invalid/file",
      in: folder.path)
    #expect(outcome.exit == .exited(3))
    #expect(outcome.error.split(separator: "try 5 of 5").count == 3, "\(outcome.error)")
    #expect(outcome.error.split(separator: "(tried 5 times without").count == 3)
  }

  @Test func theEventTellsTheCount() async throws {
    let outcome = try await Haul.get("--json", "http://127.0.0.1:1/file", in: folder.path)
    #expect(outcome.exit == .exited(3))
    #expect(outcome.output.contains("\"try\":2,\"tries\":3"), "\(outcome.output)")
  }

  /// A busy server counts in the usual way.
  @Test func aServerThatAnswersIsWaitedFor() async throws {
    let origin = try HostileOrigin { _ in OriginResponse(status: 503, text: "busy") }
    let outcome = try await Haul.get(origin.url("/file"), in: folder.path)
    #expect(outcome.exit == .exited(4))
    #expect(outcome.error.contains("try 2 of 8 in "), "\(outcome.error)")
    #expect(origin.requests.count == 8)
  }
}
