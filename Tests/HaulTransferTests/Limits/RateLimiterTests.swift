import HaulTestKit
import Synchronization
import Testing

@testable import HaulTransfer

/// Exact over seconds, fair, and changeable at any time.
@Suite struct RateLimiterTests {
  private static let mebibyte: Int64 = 1 << 20

  /// Pieces as libcurl shows them: most of 16 KiB, some of anything.
  private static func pieces(_ seed: UInt64) -> @Sendable () -> Int {
    let random = SeededRandom(seed: seed)
    return { random.next() % 2 == 0 ? 16_384 : 1 + Int(random.next() % 16_384) }
  }

  private static func near(_ extremes: ClosedRange<Double>, _ tolerance: Double) -> Bool {
    extremes.lowerBound >= 1 - tolerance && extremes.upperBound <= 1 + tolerance
  }

  @Test(arguments: [1, 16], [1 << 10, 20 << 10, 200 << 10, mebibyte, 5 << 20, 50 << 20])
  func isExactOverTenSeconds(_ connections: Int, _ limit: Int64) {
    let clock = VirtualClock()
    let limiter = RateLimiter(bytesPerSecond: limit, clock: clock)
    let takers = Takers(clock, limiter, count: connections, piece: Self.pieces(7))
    clock.advance(seconds: 13)
    let extremes = takers.extremes(of: 10, to: 13, limit: limit)
    #expect(Self.near(extremes, 0.03), "\(extremes)")
  }

  /// From a mebibyte on every second is exact as well, on a clock that is up to 10 ms late.
  @Test(arguments: [1, 16], [mebibyte, 5 << 20, 50 << 20])
  func isExactOverOneSecond(_ connections: Int, _ limit: Int64) {
    let clock = VirtualClock()
    let late = LateClock(clock, SeededRandom(seed: 3), latest: 0.01)
    let limiter = RateLimiter(bytesPerSecond: limit, clock: late)
    let takers = Takers(clock, limiter, count: connections, piece: Self.pieces(8))
    clock.advance(seconds: 5)
    let extremes = takers.extremes(of: 1, to: 5, limit: limit)
    #expect(Self.near(extremes, 0.1), "\(extremes)")
  }

  @Test func nothingIsSavedUpForABurst() {
    let clock = VirtualClock()
    let limiter = RateLimiter(bytesPerSecond: Self.mebibyte, clock: clock)
    clock.advance(seconds: 3600)
    let takers = Takers(clock, limiter, count: 16, piece: Self.pieces(1))
    clock.advance(seconds: 1)
    #expect(takers.taken(within: 0.1) <= Double(Self.mebibyte) * 0.15 + 16_384)
    #expect(takers.taken(within: 1) <= Double(Self.mebibyte) * 1.1)
  }

  /// All used to wake at the same moment, and who came first got everything.
  @Test func thoseWhoWaitAreServedInOrder() {
    let clock = VirtualClock()
    let limiter = RateLimiter(bytesPerSecond: 1 << 20, clock: clock)
    let takers = Takers(clock, limiter, count: 16) { 16_384 }
    clock.advance(seconds: 10)
    let each = (0..<16).map { takers.taken(within: 10, by: $0..<$0 + 1) }
    #expect((each.max() ?? 0) - (each.min() ?? 0) <= 16_384, "\(each)")
  }

  @Test func aNewLimitHoldsAtOnceAlsoForThoseWhoWait() {
    let clock = VirtualClock()
    let limiter = RateLimiter(bytesPerSecond: 10, clock: clock)
    let takers = Takers(clock, limiter, count: 16, piece: Self.pieces(2))
    clock.advance(seconds: 5)
    #expect(takers.taken(within: 5) <= 52)
    limiter.set(bytesPerSecond: Self.mebibyte)
    #expect(limiter.bytesPerSecond == Self.mebibyte)
    clock.advance(seconds: 10)
    #expect(Self.near(takers.extremes(of: 1, from: 5, to: 15, limit: Self.mebibyte), 0.1))
    limiter.set(bytesPerSecond: 20_000)
    clock.advance(seconds: 11)
    #expect(Self.near(takers.extremes(of: 10, from: 15, to: 26, limit: 20_000), 0.03))
  }

  @Test func aLimitThatIsTakenAwayLetsAllGoOnAtOnce() {
    let clock = VirtualClock()
    let limiter = RateLimiter(bytesPerSecond: 1, clock: clock)
    let granted = Mutex(0)
    for _ in 0..<5 {
      let wait = RateWait { count in granted.withLock { $0 += count } }
      #expect(limiter.draw(1000, wait) == nil)
    }
    limiter.set(bytesPerSecond: nil)
    #expect(granted.withLock { $0 } == 5000)
    #expect(!limiter.isLimited)
    #expect(limiter.draw(1 << 30, RateWait { _ in }) == 1 << 30)
    limiter.set(bytesPerSecond: 1000)
    #expect(limiter.draw(1, RateWait { _ in }) == nil)
  }

  /// Whoever has given up used to cost the others its turn.
  @Test func whoLeavesTakesNobodysTurn() {
    let clock = VirtualClock()
    let limiter = RateLimiter(bytesPerSecond: 100_000, clock: clock)
    let takers = Takers(clock, limiter, count: 200, piece: Self.pieces(5))
    clock.advance(seconds: 1)
    for taker in 1..<200 { takers.leave(taker) }
    clock.advance(seconds: 10)
    let sum = takers.taken(from: 1, within: 10, by: 0..<1)
    #expect(abs(sum - 1_000_000) <= 30_000, "\(sum)")
  }

  @Test func whatIsGivenBackIsGrantedAgain() {
    let clock = VirtualClock()
    let limiter = RateLimiter(bytesPerSecond: 1000, clock: clock)
    clock.advance(seconds: 1)
    #expect(limiter.draw(50, RateWait { _ in }) == 20)
    limiter.giveBack(20)
    #expect(limiter.draw(50, RateWait { _ in }) == 20)
  }

  @Test(arguments: [Int64.min, -1, 0])
  func aLimitOfNothingIsOneByteASecond(_ limit: Int64) {
    let clock = VirtualClock()
    let limiter = RateLimiter(bytesPerSecond: limit, clock: clock)
    let takers = Takers(clock, limiter, count: 2, piece: Self.pieces(1))
    clock.advance(seconds: 10)
    #expect((9...11).contains(takers.taken(within: 10)))
    limiter.set(bytesPerSecond: limit)
    #expect(limiter.bytesPerSecond == 1)
  }
}
