internal import HaulSystem

/// The threads of one server. They may block: none of them belongs to the pool of Swift tasks.
final class Crew: Sendable {
  private let running = Monitor<Set<UInt>>([])

  /// Runs a job on a thread of its own.
  func start(_ job: @escaping @Sendable () -> Void) {
    // The crew hears of the thread before it exists, so that `wait` cannot overlook it.
    let slot = running.change { ids in
      let id = (ids.max() ?? 0) + 1
      ids.insert(id)
      return id
    }
    startThread {
      job()
      self.running.change { _ = $0.remove(slot) }
    }
  }

  /// Blocks until no thread is left, or the time is over; says which.
  @discardableResult
  func wait(milliseconds: Int = 5_000) -> Bool {
    running.block(forMilliseconds: milliseconds) { $0.isEmpty }
  }
}

/// Starts a thread of its own.
func startThread(_ body: @escaping @Sendable () -> Void) {
  let isStarted = SystemThread.start(body)
  precondition(isStarted, "the system gives no more threads")
}
