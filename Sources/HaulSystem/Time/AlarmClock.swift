import Dispatch
import HaulTransfer
import Synchronization

/// Runs jobs when it is time. All of them wait behind one timer: most belong to transfers that are
/// over by then, and a timer for each would cost more than the jobs.
final class AlarmClock: Sendable {
  static let shared = AlarmClock()

  private struct State {
    var alarms = AlarmHeap()
    /// What the timer that counts is set to; those set before it ring in vain.
    var ringsAt: Instant?
  }

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "haul.alarms")

  /// Runs a job at a moment or soon after, never inside this call.
  func set(_ instant: Instant, _ job: @escaping @Sendable () -> Void) {
    let isNext = state.withLock { state in
      state.alarms.insert(instant, job)
      guard state.ringsAt.map({ instant < $0 }) ?? true else { return false }
      state.ringsAt = instant
      return true
    }
    if isNext { ring(at: instant) }
  }

  private func ring(at instant: Instant) {
    let now = SystemClock().now
    let (delta, overflow) = instant.nanoseconds.subtractingReportingOverflow(now.nanoseconds)
    // Dispatch overflows near the end of its clock; a hundred years are as good as for ever.
    let longest: Int64 = 100 * 366 * 86_400 * 1_000_000_000
    let wait = overflow ? (instant > now ? longest : 0) : min(max(0, delta), longest)
    let rung = DispatchWorkItem { [self] in runDue(at: instant) }
    queue.asyncAfter(deadline: .now() + .nanoseconds(Int(wait)), execute: rung)
  }

  /// Runs what is due, and sets the timer for what comes next.
  private func runDue(at instant: Instant) {
    let now = SystemClock().now
    while let job = state.withLock({ $0.alarms.popDue(now) }) { job() }
    let next: Instant? = state.withLock { state in
      guard state.ringsAt == instant else { return nil }
      state.ringsAt = state.alarms.first
      return state.ringsAt
    }
    if let next { ring(at: next) }
  }
}

/// Jobs by their moments, the earliest on top.
struct AlarmHeap {
  private struct Alarm {
    var instant: Instant
    var job: @Sendable () -> Void
  }

  /// A binary heap: no alarm is earlier than the one at half its index.
  private var alarms: [Alarm] = []

  /// The earliest moment.
  var first: Instant? { alarms.first?.instant }

  mutating func insert(_ instant: Instant, _ job: @escaping @Sendable () -> Void) {
    var index = alarms.count
    alarms.append(Alarm(instant: instant, job: job))
    while index > 0, alarms[index].instant < alarms[(index - 1) / 2].instant {
      alarms.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  /// Removes the earliest job, if its moment has come.
  mutating func popDue(_ now: Instant) -> (@Sendable () -> Void)? {
    guard let first = alarms.first, first.instant <= now else { return nil }
    alarms.swapAt(0, alarms.count - 1)
    alarms.removeLast()
    var index = 0
    while 2 * index + 1 < alarms.count {
      var child = 2 * index + 1
      if child + 1 < alarms.count, alarms[child + 1].instant < alarms[child].instant { child += 1 }
      guard alarms[child].instant < alarms[index].instant else { break }
      alarms.swapAt(child, index)
      index = child
    }
    return first.job
  }
}
