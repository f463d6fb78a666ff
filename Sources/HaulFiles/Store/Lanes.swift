import Dispatch

/// A kind of job on a part. Jobs of one lane run one after the other, in the order of the calls;
/// different lanes run at the same time.
public enum Lane: Sendable, Hashable, CaseIterable {
  /// Finding, creating.
  case control
  /// Writing, and what must not meet a write: reading, restarting, publishing, closing.
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

/// Lanes on serial queues of Dispatch.
public struct DispatchLanes: Lanes {
  private let control = DispatchQueue(label: "haul.files.control")
  private let writer = DispatchQueue(label: "haul.files.writer")
  private let checkpoint = DispatchQueue(label: "haul.files.checkpoint")
  private let hash = DispatchQueue(label: "haul.files.hash")

  /// Makes four queues.
  public init() {}

  /// Runs a job on the queue of its lane.
  public func run(_ lane: Lane, _ job: @escaping @Sendable () -> Void) {
    let queue =
      switch lane {
      case .control: control
      case .writer: writer
      case .checkpoint: checkpoint
      case .hash: hash
      }
    queue.async(execute: DispatchWorkItem(block: job))
  }
}
