import HaulTestKit
import Synchronization

@testable import HaulTransfer

/// Connections that always have more bytes to show, and take what the limits grant them.
final class Takers: Sendable {
  struct Grant {
    var seconds: Double
    var count: Int
    var taker: Int
  }

  private let clock: any Clock
  private let limits: [RateLimits]
  private let start: Instant
  private let grants = Mutex<[Grant]>([])
  private let piece: @Sendable () -> Int
  private let waits: Mutex<[RateWait?]>
  private let gone: Mutex<Set<Int>> = Mutex([])

  /// One connection for each of the limits; `piece` says how many bytes are shown next.
  init(_ clock: any Clock, _ limits: [RateLimits], piece: @escaping @Sendable () -> Int) {
    self.clock = clock
    self.limits = limits
    self.piece = piece
    start = clock.now
    waits = Mutex(limits.map { _ in nil })
    for taker in limits.indices { show(piece(), taker) }
  }

  convenience init(
    _ clock: any Clock, _ limiter: RateLimiter, count: Int, piece: @escaping @Sendable () -> Int
  ) {
    self.init(clock, Array(repeating: RateLimits([limiter]), count: count), piece: piece)
  }

  private func show(_ left: Int, _ taker: Int) {
    var left = left
    while left > 0, !gone.withLock({ $0.contains(taker) }) {
      let (shown, wanted) = (left, left)
      let wait = RateWait { [self] granted in
        note(granted, taker)
        show(shown - granted, taker)
      }
      waits.withLock { $0[taker] = wait }
      guard let granted = limits[taker].draw(wanted, wait) else { return }
      note(granted, taker)
      left -= granted
    }
    clock.schedule(at: clock.now.advanced(seconds: 0.0001)) { [weak self] in
      guard let self, !gone.withLock({ $0.contains(taker) }) else { return }
      show(piece(), taker)
    }
  }

  private func note(_ count: Int, _ taker: Int) {
    let seconds = clock.now.seconds(since: start)
    grants.withLock { $0.append(Grant(seconds: seconds, count: count, taker: taker)) }
  }

  /// A connection ends, whatever it waits for.
  func leave(_ taker: Int) {
    _ = gone.withLock { $0.insert(taker) }
    waits.withLock { $0[taker]?.cancel() }
  }

  /// The bytes that were taken from a moment on, in seconds since the start, within some seconds.
  func taken(from: Double = 0, within: Double, by takers: Range<Int>? = nil) -> Double {
    let all = grants.withLock { $0 }
    return all.reduce(0) { sum, grant in
      let isMeant = takers?.contains(grant.taker) ?? true
      return sum
        + (isMeant && grant.seconds >= from && grant.seconds < from + within
          ? Double(grant.count) : 0)
    }
  }

  /// The least and the most that was taken within any so many seconds, as parts of the limit.
  func extremes(of window: Double, from: Double = 0, to end: Double, limit: Int64)
    -> ClosedRange<Double>
  {
    var sums: [Double] = []
    var begin = from
    while begin + window <= end {
      sums.append(taken(from: begin, within: window) / (Double(limit) * window))
      begin += window / 7
    }
    return (sums.min() ?? 0)...(sums.max() ?? 0)
  }
}

/// A clock whose jobs come late, as on a machine that is busy.
final class LateClock: Clock {
  private let clock: VirtualClock
  private let random: SeededRandom
  private let latest: Double

  init(_ clock: VirtualClock, _ random: SeededRandom, latest: Double) {
    self.clock = clock
    self.random = random
    self.latest = latest
  }

  var now: Instant { clock.now }
  var unixTime: Int64 { clock.unixTime }

  func schedule(at instant: Instant, _ job: @escaping @Sendable () -> Void) {
    clock.schedule(at: instant.advanced(seconds: random.unit() * latest), job)
  }
}
