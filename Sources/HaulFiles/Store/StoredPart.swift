import HaulHTTP
import HaulTransfer
import Synchronization

/// Runs the jobs of a part on its lanes, so that no caller ever waits for the disk.
final class StoredPart: PartialFile {
  let part: PartFile
  private let lanes: any Lanes
  /// Whether a job that takes blocks into the digests waits or runs.
  private let isDigesting = Atomic(false)
  private let wantsDigests = Atomic(false)

  init(_ part: PartFile, lanes: any Lanes) {
    self.part = part
    self.lanes = lanes
  }

  var version: FileVersion { part.version }
  var stored: IntervalSet { part.stored }
  var lossReason: RestartReason? { part.lossReason }
  var plannedPath: String { part.path(of: part.plannedName) }

  func verifyStored(completion: @escaping @Sendable (FileOutcome<IntervalSet>) -> Void) {
    lanes.run(.hash) { [part] in
      completion(outcome { () throws(FileFailure) in try part.verifyStored() })
    }
  }

  func write(
    _ buffer: TransferBuffer, at offset: Int64,
    completion: @escaping @Sendable (FileOutcome<Void>) -> Void
  ) {
    lanes.run(.writer) { [self] in
      let result = outcome { () throws(FileFailure) in try write(buffer, at: offset) }
      if case .success = result { digestMore() }
      completion(result)
    }
  }

  private func write(_ buffer: TransferBuffer, at offset: Int64) throws(FileFailure) {
    // The buffer is the part's until the completion runs.
    try unsafe buffer.withBytes { bytes in
      outcome { () throws(FileFailure) in try unsafe part.write(bytes, at: offset) }
    }.get()
  }

  func read(
    _ range: Range<Int64>, completion: @escaping @Sendable (FileOutcome<[UInt8]>) -> Void
  ) {
    // On the lane of the writes: what is read may have been handed over a moment ago.
    lanes.run(.writer) { [part] in
      completion(outcome { () throws(FileFailure) in try part.read(range) })
    }
  }

  func checkpoint(
    _ version: FileVersion, completion: @escaping @Sendable (FileOutcome<Void>) -> Void
  ) {
    let generation = part.generation
    lanes.run(.checkpoint) { [part] in
      completion(
        outcome { () throws(FileFailure) in
          try part.checkpoint(version, generation: generation)
        })
    }
  }

  func restart(
    _ version: FileVersion, completion: @escaping @Sendable (FileOutcome<Void>) -> Void
  ) {
    // On the lane of the writes: those before it are done by then, those after it wait.
    lanes.run(.writer) { [part] in
      completion(outcome { () throws(FileFailure) in try part.restart(version) })
    }
  }

  func reserve(total: Int64, completion: @escaping @Sendable (FileOutcome<Void>) -> Void) {
    lanes.run(.writer) { [part] in
      completion(outcome { () throws(FileFailure) in try part.reserve(total: total) })
    }
  }

  func beginDigests(_ algorithms: Set<DigestAlgorithm>) {
    wantsDigests.store(true, ordering: .releasing)
    lanes.run(.hash) { [self] in
      part.beginDigests(algorithms)
      digestMore()
    }
  }

  /// Takes the finished prefix into the digests, one block a job, so that others get their turn.
  private func digestMore() {
    guard wantsDigests.load(ordering: .acquiring), part.hasDigestWork,
      isDigesting.compareExchange(
        expected: false, desired: true, ordering: .acquiringAndReleasing
      ).exchanged
    else { return }
    lanes.run(.hash) { [self] in
      let didSome = outcome { () throws(FileFailure) in try part.advanceDigests() }
      isDigesting.store(false, ordering: .releasing)
      // What went wrong here goes wrong again when the digests are asked for, and is told then.
      if case .success(true) = didSome { digestMore() }
    }
  }

  func digests(
    _ algorithms: Set<DigestAlgorithm>, byteCount: Int64,
    completion: @escaping @Sendable (FileOutcome<[Digest]>) -> Void
  ) {
    lanes.run(.hash) { [part] in
      completion(
        outcome { () throws(FileFailure) in
          try part.digests(algorithms, byteCount: byteCount)
        })
    }
  }

  func digest(
    _ algorithm: DigestAlgorithm, of range: Range<Int64>,
    completion: @escaping @Sendable (FileOutcome<Digest>) -> Void
  ) {
    lanes.run(.hash) { [part] in
      completion(outcome { () throws(FileFailure) in try part.digest(algorithm, of: range) })
    }
  }

  func publish(
    byteCount: Int64, version: FileVersion,
    completion: @escaping @Sendable (FileOutcome<PublishedFile>) -> Void
  ) {
    // Every write is done by now, and none comes.
    lanes.run(part.destination.isDurable ? .checkpoint : .writer) { [part] in
      let named = outcome { () throws(FileFailure) in
        try part.giveFinalName(byteCount: byteCount, version: version)
      }
      part.context.syncs.settle(named) { outcome in
        if case .success = outcome { part.endPublishing() }
        completion(outcome)
      }
    }
  }

  func close(_ disposition: PartialDisposition, completion: @escaping @Sendable () -> Void) {
    lanes.run(.writer) { [part, lanes] in
      part.close(disposition)
      // Jobs that still run hold the file open. They end soon, since they find the part closed.
      lanes.run(.hash) { lanes.run(.checkpoint) { completion() } }
    }
  }
}
