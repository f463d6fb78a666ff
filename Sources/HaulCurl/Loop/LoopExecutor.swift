internal import Glibc
internal import Synchronization

/// Runs the jobs of one actor on one thread, between the turns of an event loop.
final class LoopExecutor: SerialExecutor {
  private let jobs = Mutex<[UnownedJob]>([])
  private let thread = Atomic<UInt>(0)
  private let wake: @Sendable () -> Void

  /// `wake` makes the loop's thread come back from waiting; it may be called from any thread.
  init(wake: @escaping @Sendable () -> Void) {
    self.wake = wake
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    wake()
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    // An actor keeps its executor alive, as this type demands.
    unsafe UnownedSerialExecutor(ordinary: self)
  }

  /// C callbacks run on the thread outside of any job; they are on the actor all the same.
  func checkIsolated() {
    precondition(thread.load(ordering: .acquiring) == pthread_self(), "not on the loop's thread")
  }

  /// Makes the calling thread the one that the jobs run on.
  func adoptThread() {
    thread.store(pthread_self(), ordering: .releasing)
  }

  /// Runs the jobs that wait; on the thread only.
  func runJobs() {
    let waiting = jobs.withLock { jobs in
      defer { jobs.removeAll() }
      return jobs
    }
    for job in waiting {
      // The job belongs to the actor that this executor serves.
      unsafe job.runSynchronously(on: asUnownedSerialExecutor())
    }
  }
}
