import Dispatch
import Synchronization

/// Lanes on serial queues of Dispatch, for a part whose jobs may wait for somebody for as long as he
/// likes.
public final class DispatchLanes: Lanes {
  private let writer = DispatchQueue(label: "haul.files.writer")
  private let checkpoint = Mutex<DispatchQueue?>(nil)
  private let hash = Mutex<DispatchQueue?>(nil)

  /// Makes the queue of the writer; the others are made when they are needed.
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
