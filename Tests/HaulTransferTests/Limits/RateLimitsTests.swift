import HaulHTTP
import HaulTestKit
import Testing

@testable import HaulTransfer

/// Limits of a file, of a host, and of everything at once.
@Suite struct RateLimitsTests {
  /// Two files of one server, and one of another, with two connections each.
  private struct World {
    let clock = VirtualClock()
    let file: RateLimiter
    let host: RateLimiter
    let whole: RateLimiter
    let takers: Takers

    init(file: Int64?, host: Int64?, whole: Int64?) {
      self.file = RateLimiter(bytesPerSecond: file, clock: clock)
      self.host = RateLimiter(bytesPerSecond: host, clock: clock)
      self.whole = RateLimiter(bytesPerSecond: whole, clock: clock)
      let first = RateLimits([self.file, self.host, self.whole])
      let second = RateLimits([nil, self.host, self.whole])
      let elsewhere = RateLimits([nil, nil, self.whole])
      takers = Takers(clock, [first, first, second, second, elsewhere, elsewhere]) { 16_384 }
    }

    func speed(_ range: Range<Int>, from: Double = 0) -> Double {
      takers.taken(from: from, within: 10, by: range) / 10
    }
  }

  private func isNear(_ value: Double, _ limit: Double) -> Bool {
    abs(value - limit) <= limit * 0.03
  }

  @Test func eachHoldsForItself() {
    let world = World(file: 50_000, host: 400_000, whole: 1_000_000)
    world.clock.advance(seconds: 10)
    #expect(world.speed(0..<2) <= 51_500)
    #expect(isNear(world.speed(0..<6), 1_000_000), "\(world.speed(0..<6))")
    #expect(world.speed(0..<4) <= 412_000)
  }

  @Test(
    arguments: [
      (100_000, 10_000_000, 20_000_000, 100_000), (9_000_000, 300_000, 20_000_000, 300_000),
      (9_000_000, 8_000_000, 2_000_000, 2_000_000),
    ] as [(Int64, Int64, Int64, Int64)])
  func theStrictestIsReached(_ file: Int64, _ host: Int64, _ whole: Int64, _ strictest: Int64) {
    let world = World(file: file, host: host, whole: whole)
    for taker in 2..<6 { world.takers.leave(taker) }
    world.clock.advance(seconds: 10.5)
    let extremes = world.takers.extremes(of: 10, to: 10.5, limit: strictest)
    #expect(extremes.lowerBound >= 0.97 && extremes.upperBound <= 1.03, "\(extremes)")
  }

  @Test func allMayBeChangedMeanwhile() {
    let world = World(file: 1, host: nil, whole: 1_000_000)
    world.clock.advance(seconds: 10)
    #expect(world.speed(0..<2) <= 1.1)
    world.file.set(bytesPerSecond: nil)
    world.clock.advance(seconds: 10)
    #expect(isNear(world.speed(0..<2, from: 10), 333_333), "\(world.speed(0..<2, from: 10))")
    world.host.set(bytesPerSecond: 20_000)
    world.clock.advance(seconds: 11)
    #expect(isNear(world.speed(0..<4, from: 21), 20_000), "\(world.speed(0..<4, from: 21))")
    #expect(isNear(world.speed(4..<6, from: 21), 980_000), "\(world.speed(4..<6, from: 21))")
  }

  @Test func aServerIsLimitedAtAnyTime() throws {
    let clock = VirtualClock()
    let limits = HostRateLimits(clock: clock)
    let origin = Origin(scheme: "https", host: "a.test", port: 443)
    #expect(limits.limiter(for: origin) == nil)
    limits.set(bytesPerSecond: nil, for: origin)
    #expect(limits.limiter(for: origin) == nil)
    limits.set(bytesPerSecond: 5, for: origin)
    let limiter = try #require(limits.limiter(for: origin))
    #expect(limiter.bytesPerSecond == 5)
    #expect(limits.limiter(for: Origin(scheme: "http", host: "a.test", port: 80)) == nil)
    limits.set(bytesPerSecond: nil, for: origin)
    #expect(!limiter.isLimited)
  }

  /// Whatever comes, goes, and changes: no level ever lets more through than its limit.
  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func noLevelIsExceeded(_ seed: UInt64) {
    let random = SeededRandom(seed: seed)
    func draw(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
    let clock = VirtualClock()
    let late = LateClock(clock, random, latest: 0.02)
    let rates = (0..<4).map { _ in Int64(1000) << Int64(draw(12)) }
    let limiters = rates.map { RateLimiter(bytesPerSecond: $0, clock: late) }
    let files = (0..<3).map { RateLimits([limiters[$0], $0 < 2 ? limiters[3] : nil]) }
    let count = 3 * (1 + draw(8))
    let pieces = SeededRandom(seed: seed + 1)
    let takers = Takers(late, (0..<count).map { files[$0 * 3 / count] }) {
      1 + Int(pieces.next() % 16_384)
    }
    for _ in 0..<draw(count) {
      clock.advance(seconds: random.unit() * 2)
      takers.leave(draw(count - 1))
    }
    clock.advance(seconds: 20)
    let end = clock.now.seconds(since: Instant(nanoseconds: 1_000_000_000))
    for from in stride(from: 0, to: end - 10, by: 1) {
      for file in 0..<3 {
        let sum = takers.taken(
          from: from, within: 10, by: file * count / 3..<(file + 1) * count / 3)
        #expect(sum <= Double(rates[file]) * 10.3 + 1, "seed \(seed), file \(file) from \(from)")
      }
      let both = takers.taken(from: from, within: 10, by: 0..<2 * count / 3)
      #expect(both <= Double(rates[3]) * 10.3 + 1, "seed \(seed) from \(from)")
    }
  }
}
