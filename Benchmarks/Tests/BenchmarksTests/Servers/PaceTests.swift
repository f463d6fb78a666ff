import Testing

@testable import Benchmarks

@Suite struct PaceTests {
  @Test(arguments: [
    (1, 64.0), (8, 8.0), (16, 4.0),
  ]) func equalConnectionsShareTheWork(_ connections: Int, _ seconds: Double) {
    #expect(Pace(rate: 4 << 20).seconds(for: 256 << 20, connections: connections) == seconds)
  }

  @Test(arguments: [
    // Before the slow one comes, when it comes, and when another one comes with the next sixteen.
    (4, 400), (5, 405), (16, 1505), (20, 1905), (21, 1910),
  ]) func aSlowConnectionTakesItsShare(_ connections: Int, _ total: Int) {
    let pace = Pace(rate: 100, slow: .init(number: 5, of: 16, factor: 20))
    #expect(pace.slowRate == 5)
    #expect(pace.seconds(for: 1000, connections: connections) == 1000 / Double(total))
  }
}
