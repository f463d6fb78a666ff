/// Counts tries and chooses pauses.
///
/// A try that brought bytes beyond all earlier ones renews the budget. Pauses grow
/// exponentially and are drawn evenly from zero to their bound (“full jitter”).
struct RetryBudget: Sendable {
  /// What is left after a failed try.
  enum Verdict: Sendable, Hashable {
    /// The next try follows after a pause in seconds.
    case again(after: Double, TransferFailure.Tries)
    /// The budget is used up.
    case usedUp(TransferFailure.Tries)
  }

  /// With pauses of a quarter of a minute in all: what is on disk of the one source is lost with it.
  private static let triesWithSpare = 5

  private let policy: RetryPolicy
  private var failures = 0
  /// The latest failures in a row that were signs of nobody being there.
  private var absences = 0
  private var furthest: Int64 = 0

  init(_ policy: RetryPolicy) {
    self.policy = policy
  }

  /// Notes how many bytes are there; more than ever before is progress.
  mutating func noteProgress(_ received: Int64) {
    guard received > furthest else { return }
    furthest = received
    failures = 0
    absences = 0
  }

  /// Notes that the bytes so far count no more: from now on the first ones are progress again.
  mutating func noteRestart() {
    furthest = 0
  }

  /// Notes a failed try, and says whether and when another follows.
  ///
  /// `retryAfter` is what the server asked for in seconds; `jitter` is drawn from 0 up to 1.
  /// `absence` is given for a first contact only. With a spare source there are fewer tries.
  mutating func noteFailure(
    retryAfter: Int64?, jitter: Double, absence: TransportFailure.Absence? = nil,
    hasSpare: Bool = false
  ) -> Verdict {
    failures += 1
    absences = absence == nil ? 0 : absences + 1
    let all = max(1, hasSpare ? min(policy.tries, Self.triesWithSpare) : policy.tries)
    let few = absence.map { max(1, self.tries(for: $0)) } ?? all
    let tries =
      few < all
      ? TransferFailure.Tries(made: absences, allowed: few)
      : TransferFailure.Tries(made: failures, allowed: all)
    guard failures < all, tries.made < tries.allowed else { return .usedUp(tries) }
    if few < all, let absence {
      // Nobody is kept waiting for long, so the pauses must not come out near zero: a service
      // that is restarting is to have the whole time.
      let longest = bound(absences, from: absence == .refusedConnection ? 2 : 1)
      return .again(after: longest / 2 + jitter * longest / 2, tries)
    }
    let own = jitter * bound(failures, from: 1)
    guard let retryAfter else { return .again(after: own, tries) }
    // A little jitter on top, so that all who were turned away do not come back at once.
    let asked = min(Double(retryAfter), policy.maximumRetryAfter)
    return .again(after: asked + min(own, 1), tries)
  }

  private func tries(for absence: TransportFailure.Absence) -> Int {
    switch absence {
    case .unknownName: policy.triesForUnknownName
    case .refusedConnection: policy.triesForRefusedConnection
    }
  }

  /// The longest pause after so many failures; it doubles with each.
  private func bound(_ failures: Int, from first: Double) -> Double {
    max(0, min(policy.maximumDelay, first * Double(UInt64(1) << UInt64(min(failures - 1, 20)))))
  }
}
