internal import Synchronization

/// A token bucket that all connections of a program draw from.
public final class RateLimiter: Sendable {
  private struct State {
    var bytesPerSecond: Int64
    var balance: Double
    var filledAt: Instant
  }

  private let state: Mutex<State>
  private let clock: any Clock

  /// Makes a limit in bytes a second; at least 1.
  public init(bytesPerSecond: Int64, clock: any Clock) {
    self.clock = clock
    state = Mutex(State(bytesPerSecond: max(1, bytesPerSecond), balance: 0, filledAt: clock.now))
  }

  /// Changes the limit from now on.
  public func set(bytesPerSecond: Int64) {
    state.withLock { $0.bytesPerSecond = max(1, bytesPerSecond) }
  }

  /// Draws bytes that have arrived.
  ///
  /// - Returns: nil when they may be used, or the moment from which asking again makes sense.
  func draw(_ count: Int) -> Instant? {
    let now = clock.now
    return state.withLock { state in
      let rate = Double(state.bytesPerSecond)
      // What was not used for a tenth of a second is gone, so that no burst exceeds the limit.
      let filled = state.balance + now.seconds(since: state.filledAt) * rate
      state.balance = min(filled, max(rate / 10, 1))
      state.filledAt = now
      guard state.balance > 0 else {
        return now.advanced(seconds: max(0.001, -state.balance / rate))
      }
      state.balance -= Double(count)
      return nil
    }
  }
}
