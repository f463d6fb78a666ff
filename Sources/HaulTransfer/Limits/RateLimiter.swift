internal import Synchronization

/// A token bucket: what draws from it gets, all together, no more bytes a second than its limit.
///
/// Whoever comes while there is nothing waits in a queue, and is served in the order of coming. The
/// limit may be changed or taken away at any time, also for those who wait. It starts empty, and what
/// was not used is lost after a twentieth of a second, so that nothing comes in a burst.
public final class RateLimiter: Sendable {
  private struct State {
    var rate: Double?
    var balance = 0.0
    var filledAt: Instant
    var queue = RateQueue()
    /// When somebody had to wait the last time.
    var heldBackAt: Instant?
    /// The alarm that counts; those set before it ring in vain.
    var alarm = 0
    var isAlarmSet = false

    mutating func fill(to now: Instant) {
      let passed = max(0, now.seconds(since: filledAt))
      filledAt = now
      guard let rate else { return }
      balance = min(balance + passed * rate, max(rate * RateLimiter.longestSaving, 1))
    }

    /// Grants some of what is wanted, or nothing.
    mutating func grant(_ wanted: Int) -> Int? {
      guard let rate else { return wanted }
      guard balance > 0 else { return nil }
      let granted = min(wanted, RateLimiter.piece(at: rate))
      balance -= Double(granted)
      return granted
    }
  }

  /// Seconds for which what nobody draws is kept: a draw that comes late loses nothing.
  private static let longestSaving = 0.05
  /// Seconds between two looks at the queue.
  private static let shortestWait = 0.002
  /// Seconds that one draw may be worth.
  private static let longestDraw = 0.02

  /// Seconds after which somebody who had to wait is no sign of the limit any more.
  private static let longestHold = 0.2

  private let state: Mutex<State>
  private let clock: any Clock

  /// Makes a limit in bytes a second, at least 1; nil for none yet.
  public init(bytesPerSecond: Int64?, clock: any Clock) {
    self.clock = clock
    state = Mutex(State(rate: bytesPerSecond.map { Double(max(1, $0)) }, filledAt: clock.now))
  }

  /// The limit, or nil.
  public var bytesPerSecond: Int64? { state.withLock { $0.rate.map { Int64($0) } } }

  var isLimited: Bool { state.withLock { $0.rate != nil } }

  /// Whether somebody has to wait for it, or had to a moment ago.
  func holdsBack(at now: Instant) -> Bool {
    state.withLock { state in
      guard state.rate != nil, let last = state.heldBackAt else { return false }
      return !state.queue.isEmpty || now.seconds(since: last) < Self.longestHold
    }
  }

  /// Changes the limit from now on, also for what waits already; at least 1, and nil for none.
  public func set(bytesPerSecond: Int64?) {
    let now = clock.now
    state.withLock { state in
      state.fill(to: now)
      let rate = bytesPerSecond.map { Double(max(1, $0)) }
      if let rate, let old = state.rate, state.balance < 0 {
        // What was drawn ahead is paid for as soon as it would have been, and not later.
        state.balance = max(state.balance, state.balance * rate / old)
      } else if let rate {
        state.balance = state.rate == nil ? 0 : min(state.balance, rate * Self.longestSaving)
      }
      state.rate = rate
      state.isAlarmSet = false
    }
    serve()
  }

  /// Bytes that are granted at once, so that no limit is exceeded for long.
  private static func piece(at rate: Double) -> Int {
    Int(max(1, min(rate * longestDraw, 0x1p30)))
  }

  /// Draws bytes: some of them, but at least one.
  ///
  /// - Returns: how many were granted; nil when there are none now. Then `wait` is told later, on a
  ///   thread of the clock's choice or of whoever changes the limit, unless it was cancelled.
  func draw(_ wanted: Int, _ wait: RateWait) -> Int? {
    let now = clock.now
    let (granted, alarm) = state.withLock { state -> (Int?, (Instant, Int)?) in
      state.fill(to: now)
      if state.queue.isEmpty, let granted = state.grant(wanted) { return (granted, nil) }
      state.queue.append(wanted, wait)
      state.heldBackAt = now
      return (nil, nextAlarm(&state, now))
    }
    if let alarm { set(alarm) }
    return granted
  }

  /// Takes back what was granted and not used.
  func giveBack(_ count: Int) {
    guard count > 0 else { return }
    state.withLock { $0.balance += Double(count) }
  }

  /// Grants what there is to those who wait, in order.
  private func serve() {
    let now = clock.now
    let (served, alarm) = state.withLock { state in
      state.fill(to: now)
      var served: [(RateWait, Int)] = []
      while let (wanted, wait) = state.queue.first, let granted = state.grant(wanted) {
        served.append((wait, granted))
        state.queue.removeFirst()
      }
      return (served, nextAlarm(&state, now))
    }
    if let alarm { set(alarm) }
    for (wait, granted) in served { wait.granted(granted) }
  }

  /// When the queue has to be looked at again, if nobody will do so yet.
  private func nextAlarm(_ state: inout State, _ now: Instant) -> (Instant, Int)? {
    guard !state.isAlarmSet, let rate = state.rate, !state.queue.isEmpty else { return nil }
    state.isAlarmSet = true
    state.alarm += 1
    // A byte more than what is missing, so that rounding never makes a wait of nothing.
    let wait = max(Self.shortestWait, (1 - state.balance) / rate)
    return (now.advanced(seconds: wait), state.alarm)
  }

  private func set(_ alarm: (instant: Instant, number: Int)) {
    clock.schedule(at: alarm.instant) { [weak self] in
      guard let self else { return }
      let counts = state.withLock { state in
        guard state.alarm == alarm.number else { return false }
        state.isAlarmSet = false
        return true
      }
      if counts { serve() }
    }
  }
}
