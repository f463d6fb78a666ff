import Synchronization

/// A kind of job on a part. Jobs of one lane run one after the other, in the order of the calls;
/// different lanes run at the same time.
public enum Lane: Sendable, Hashable, CaseIterable {
  /// Finding, creating, writing, and what must not meet a write: reading, restarting, publishing,
  /// closing.
  case writer
  /// Checkpoints, and publishing what is to be durable: jobs that wait for the device.
  case checkpoint
  /// Verifying and digests.
  case hash
}

/// Where the jobs of one part run.
public protocol Lanes: Sendable {
  /// Runs a job, never inside this call. The job may block.
  func run(_ lane: Lane, _ job: @escaping @Sendable () -> Void)
}

/// The lanes of one part on threads that all parts share.
final class WorkerLanes: Lanes {
  private struct Queue {
    var jobs = Fifo<@Sendable () -> Void>()
    /// Whether the workers have it.
    var isSubmitted = false
  }

  /// Jobs in a row, before others get their turn.
  private static let turn = 8

  private let workers: Workers
  private let writer = Mutex(Queue())
  private let checkpoint = Mutex(Queue())
  private let hash = Mutex(Queue())

  init(_ workers: Workers) {
    self.workers = workers
  }

  func run(_ lane: Lane, _ job: @escaping @Sendable () -> Void) {
    let mustSubmit = withQueue(lane) { queue in
      queue.jobs.append(job)
      defer { queue.isSubmitted = true }
      return !queue.isSubmitted
    }
    if mustSubmit { workers.submit(turn(lane)) }
  }

  private func turn(_ lane: Lane) -> Workers.Job {
    Workers.Job(isSlow: lane == .checkpoint) { [self] in
      for _ in 0..<Self.turn {
        let job = withQueue(lane) { queue in
          let job = queue.jobs.popFirst()
          if job == nil { queue.isSubmitted = false }
          return job
        }
        guard let job else { return }
        job()
      }
      workers.enqueue(turn(lane))
    }
  }

  private func withQueue<Result: Sendable>(
    _ lane: Lane, _ body: (inout sending Queue) -> sending Result
  ) -> Result {
    switch lane {
    case .writer: writer.withLock(body)
    case .checkpoint: checkpoint.withLock(body)
    case .hash: hash.withLock(body)
    }
  }
}
