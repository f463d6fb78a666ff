/// Counts tries and chooses pauses.
///
/// A try that brought bytes beyond all earlier ones renews the budget. Pauses grow
/// exponentially and are drawn evenly from zero to their bound (“full jitter”).
struct RetryBudget: Sendable {
  private let policy: RetryPolicy
  private var failures = 0
  private var furthest: Int64 = 0

  init(_ policy: RetryPolicy) {
    self.policy = policy
  }

  /// Notes how many bytes are there; more than ever before is progress.
  mutating func noteProgress(_ received: Int64) {
    guard received > furthest else { return }
    furthest = received
    failures = 0
  }

  /// Notes that the bytes so far count no more: from now on the first ones are progress again.
  mutating func noteRestart() {
    furthest = 0
  }

  /// The pause in seconds before the next try, or nil when the budget is used up.
  ///
  /// `retryAfter` is what the server asked for in seconds; `jitter` is drawn from 0 up to 1.
  mutating func nextDelay(retryAfter: Int64?, jitter: Double) -> Double? {
    failures += 1
    guard failures < max(1, policy.tries) else { return nil }
    let bound = min(policy.maximumDelay, Double(UInt64(1) << UInt64(min(failures - 1, 20))))
    let own = jitter * max(0, bound)
    guard let retryAfter else { return own }
    // A little jitter on top, so that all who were turned away do not come back at once.
    return min(Double(retryAfter), policy.maximumRetryAfter) + min(own, 1)
  }
}
