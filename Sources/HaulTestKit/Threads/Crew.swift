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
  var attributes = pthread_attr_t()
  var thread = pthread_t()
  // The attributes are local and destroyed below, after their last use.
  unsafe pthread_attr_init(&attributes)
  unsafe pthread_attr_setstacksize(&attributes, 1 << 20)
  unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
  // The reference is taken here and given up by the new thread, exactly once each.
  let context = unsafe Unmanaged.passRetained(Job(body)).toOpaque()
  let code = unsafe pthread_create(
    &thread, &attributes,
    { context in
      guard let context = unsafe context else { return nil }
      unsafe Unmanaged<Job>.fromOpaque(context).takeRetainedValue().body()
      return nil
    }, context)
  unsafe pthread_attr_destroy(&attributes)
  precondition(code == 0, "no thread: \(code)")
}
