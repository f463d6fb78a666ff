internal import Glibc

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

private final class Job: Sendable {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

/// Starts a detached thread.
func startThread(_ body: @escaping @Sendable () -> Void) {
  var thread = pthread_t()
  // The job is retained here and released once by the thread that takes it over.
  let context = unsafe Unmanaged.passRetained(Job(body)).toOpaque()
  let status = unsafe pthread_create(
    &thread, nil,
    { context in
      if let context = unsafe context {
        unsafe Unmanaged<Job>.fromOpaque(context).takeRetainedValue().body()
      }
      return nil
    }, context)
  precondition(status == 0, "the system gives no more threads")
  pthread_detach(thread)
}
