import Dispatch
import Synchronization

/// A kind of job on a part. Jobs of one lane run one after the other, in the order of the calls;
/// different lanes run at the same time.
public enum Lane: Sendable, Hashable, CaseIterable {
  /// Finding, creating, writing, and what must not meet a write: reading, restarting, publishing,
  /// closing.
  case writer
  /// Checkpoints.
  case checkpoint
  /// Verifying and digests.
  case hash
}

/// Where the jobs of one part run.
public protocol Lanes: Sendable {
  /// Runs a job, never inside this call. The job may block.
  func run(_ lane: Lane, _ job: @escaping @Sendable () -> Void)
}

/// Lanes on serial queues of Dispatch, each made when it is needed: a small file needs one, and
/// its jobs follow each other on one thread.
public final class DispatchLanes: Lanes {
  private let writer = DispatchQueue(label: "haul.files.writer")
  private let checkpoint = Mutex<DispatchQueue?>(nil)
  private let hash = Mutex<DispatchQueue?>(nil)

  /// Makes the queue of the writer.
  public init() {}

  /// Runs a job on the queue of its lane.
  public func run(_ lane: Lane, _ job: @escaping @Sendable () -> Void) {
    switch lane {
    case .writer: writer.async(execute: DispatchWorkItem(block: job))
    case .checkpoint: Self.run(on: checkpoint, "haul.files.checkpoint", job)
    case .hash: Self.run(on: hash, "haul.files.hash", job)
    }
  }

  private static func run(
    on queue: borrowing Mutex<DispatchQueue?>, _ label: String,
    _ job: @escaping @Sendable () -> Void
  ) {
    let queue = queue.withLock { queue in
      let made = queue ?? DispatchQueue(label: label)
      queue = made
      return made
    }
    queue.async(execute: DispatchWorkItem(block: job))
  }
}
