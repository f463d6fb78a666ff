import HaulTestKit
import Testing

@testable import HaulTransfer

@Suite struct RateLimiterTests {
  /// Draws pieces through several connections for a time; returns what was granted, and when.
  private func draw(
    limit: Int64, piece: Int, connections: Int, seconds: Double,
    change: (VirtualClock, RateLimiter) -> Void = { _, _ in }
  ) -> [(time: Double, count: Int)] {
    let clock = VirtualClock()
    let limiter = RateLimiter(bytesPerSecond: limit, clock: clock)
    let start = clock.now
    var due = [Instant](repeating: start, count: connections)
    var granted: [(time: Double, count: Int)] = []
    change(clock, limiter)
    while let next = due.indices.min(by: { due[$0] < due[$1] }),
      due[next].seconds(since: start) < seconds
    {
      clock.advance(seconds: due[next].seconds(since: clock.now))
      if let again = limiter.draw(piece) {
        // An answer in the past would make its owner spin.
        #expect(again > clock.now)
        due[next] = again
      } else {
        granted.append((clock.now.seconds(since: start), piece))
        due[next] = clock.now.advanced(seconds: 0.000_1)
      }
    }
    return granted
  }

  @Test(
    arguments: [
      (Int64(200_000), 16 * 1024, 1), (1 << 20, 16 * 1024, 1), (1 << 20, 16 * 1024, 8),
      (50 << 20, 16 * 1024, 3), (300_000, 1000, 16),
    ])
  func isExactOverTenSeconds(_ limit: Int64, _ piece: Int, _ connections: Int) {
    let granted = draw(limit: limit, piece: piece, connections: connections, seconds: 10)
    let sum = Double(granted.reduce(0) { $0 + $1.count })
    let expected = Double(limit) * 10
    #expect(abs(sum - expected) <= expected * 0.03, "\(sum / expected)")
  }

  @Test(arguments: [(Int64(200_000), 16 * 1024), (1 << 20, 16 * 1024), (50 << 20, 16 * 1024)])
  func noSecondHasMoreThanTheLimitAndOneBurst(_ limit: Int64, _ piece: Int) {
    let granted = draw(limit: limit, piece: piece, connections: 4, seconds: 5)
    var first = 0
    var sum = 0
    for (time, count) in granted {
      sum += count
      while granted[first].time < time - 1 {
        sum -= granted[first].count
        first += 1
      }
      #expect(Double(sum) <= Double(limit) * 1.1 + Double(piece))
    }
  }

  @Test func restIsNotSavedUp() {
    let clock = VirtualClock()
    let limiter = RateLimiter(bytesPerSecond: 1000, clock: clock)
    clock.advance(seconds: 3600)
    var sum = 0
    while limiter.draw(10) == nil { sum += 10 }
    #expect(sum <= 110)
  }

  @Test func aPieceOfManySecondsIsPaidFor() throws {
    let clock = VirtualClock()
    let limiter = RateLimiter(bytesPerSecond: 1000, clock: clock)
    clock.advance(seconds: 1)
    #expect(limiter.draw(20_000) == nil)
    let again = try #require(limiter.draw(1))
    #expect(abs(again.seconds(since: clock.now) - 19.9) < 0.01)
  }

  @Test(arguments: [Int64.min, -1, 0])
  func aLimitOfNothingIsOneByteASecond(_ limit: Int64) throws {
    let clock = VirtualClock()
    let limiter = RateLimiter(bytesPerSecond: limit, clock: clock)
    clock.advance(seconds: 2)
    #expect(limiter.draw(2) == nil)
    let again = try #require(limiter.draw(1))
    #expect(again.seconds(since: clock.now) <= 2)
    limiter.set(bytesPerSecond: limit)
    #expect(limiter.draw(1) != nil)
  }

  @Test func aNewLimitHoldsFromNowOn() {
    let granted = draw(limit: 100_000, piece: 1000, connections: 2, seconds: 10) { clock, limiter in
      clock.schedule(at: clock.now.advanced(seconds: 5)) { limiter.set(bytesPerSecond: 400_000) }
    }
    let first = granted.filter { $0.time < 5 }.reduce(0) { $0 + $1.count }
    let second = granted.filter { $0.time >= 5 }.reduce(0) { $0 + $1.count }
    #expect(abs(first - 500_000) < 15_000)
    #expect(abs(second - 2_000_000) < 60_000)
  }
}
