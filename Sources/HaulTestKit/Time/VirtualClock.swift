public import HaulTransfer
internal import Synchronization

/// A clock that stands still until the test advances it.
///
/// Jobs run inside `advance`, on its thread, in the order of their times; those of the same time
/// in the order in which they were scheduled.
public final class VirtualClock: Clock {
  private struct Job {
    let due: Int64
    let body: @Sendable () -> Void
  }

  private struct State {
    var now: Int64 = 1_000_000_000
    var unixOffset: Int64
    /// In the order in which they run.
    var jobs: [Job] = []
  }

  private let state: Mutex<State>

  /// Makes a clock whose wall clock shows this many seconds since 1970.
  public init(unixTime: Int64 = 1_700_000_000) {
    state = Mutex(State(unixOffset: unixTime - 1))
  }

  /// The present moment; changes in `advance` only.
  public var now: Instant {
    Instant(nanoseconds: state.withLock { $0.now })
  }

  /// The wall clock: it advances with the other, and may be set to anything, which runs no job.
  public var unixTime: Int64 {
    get { state.withLock { $0.unixOffset &+ $0.now / 1_000_000_000 } }
    set { state.withLock { $0.unixOffset = newValue &- $0.now / 1_000_000_000 } }
  }

  /// How many jobs wait for their time.
  public var pendingJobs: Int { state.withLock { $0.jobs.count } }

  /// When the next job is due, or nil when there is none.
  public var nextDue: Instant? {
    state.withLock { $0.jobs.first.map { Instant(nanoseconds: $0.due) } }
  }

  /// Notes a job; it runs in a later call of `advance`, never inside this one.
  public func schedule(at instant: Instant, _ job: @escaping @Sendable () -> Void) {
    state.withLock { state in
      let due = instant.nanoseconds
      // Behind all that are due at the same time: the order of scheduling is kept.
      var low = 0
      var high = state.jobs.count
      while low < high {
        let middle = (low + high) / 2
        if state.jobs[middle].due <= due { low = middle + 1 } else { high = middle }
      }
      state.jobs.insert(Job(due: due, body: job), at: low)
    }
  }

  /// Advances time and runs what is due on the way, each job at its own time.
  ///
  /// Jobs that are scheduled meanwhile, by jobs or by other threads, run as well if they are due.
  public func advance(seconds: Double) {
    advance(to: now.advanced(seconds: seconds))
  }

  /// Advances time to the next job and runs all that are due then; false when there is none.
  @discardableResult
  public func advanceToNextJob() -> Bool {
    guard let nextDue else { return false }
    advance(to: max(now, nextDue))
    return true
  }

  private func advance(to target: Instant) {
    while let job = next(before: target.nanoseconds) { job.body() }
    state.withLock { $0.now = max($0.now, target.nanoseconds) }
  }

  private func next(before target: Int64) -> Job? {
    state.withLock { state in
      guard let job = state.jobs.first, job.due <= target else { return nil }
      state.jobs.removeFirst()
      state.now = max(state.now, job.due)
      return job
    }
  }
}
