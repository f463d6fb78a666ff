import HaulHTTP
import HaulSystem
import HaulTransfer
import Synchronization

/// Passes bytes on as they come, in order, each once.
///
/// All jobs run on one lane, so that a reader who takes his time holds up nothing else.
final class StreamPart: PartialFile {
  private struct State {
    var version: FileVersion
    /// How many bytes were passed on by writes that succeeded.
    var position: Int64 = 0
    var hashing = PrefixHashing()
    var watches: [Watch] = []
    /// The last bytes that were passed on, for as long as nothing but an overlap can join others.
    var tail: [UInt8] = []
  }

  /// The digest of some bytes, which begins with the first of them.
  private struct Watch {
    let range: Range<Int64>
    let algorithm: DigestAlgorithm
    var hashing = PrefixHashing()
  }

  /// What can be read again; no overlap is longer.
  private static let tailLength = 64 * 1024

  let plannedPath: String
  private let context: StreamContext
  private let state: Mutex<State>

  init(_ context: StreamContext, name: String, version: FileVersion) {
    self.context = context
    plannedPath = name
    state = Mutex(State(version: version))
  }

  let isRestartable = false
  let outlivesTransfer = false
  var passedOn: Int64 { context.sink.byteCount }
  var version: FileVersion { state.withLock { $0.version } }
  var stored: IntervalSet { IntervalSet() }

  func verifyStored(completion: @escaping @Sendable (FileOutcome<IntervalSet>) -> Void) {
    context.run(completion) { () throws(FileFailure) in IntervalSet() }
  }

  func write(
    _ buffer: TransferBuffer, at offset: Int64,
    completion: @escaping @Sendable (FileOutcome<Void>) -> Void
  ) {
    context.run(completion) { [self] () throws(FileFailure) in
      // The buffer is the part's until the completion runs.
      try unsafe buffer.withBytes { bytes in
        outcome { () throws(FileFailure) in try unsafe pass(bytes, at: offset) }
      }.get()
    }
  }

  private func pass(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(FileFailure) {
    guard offset == state.withLock({ $0.position }) else { throw .outOfOrder(context.sink.name) }
    try disk { () throws(DiskError) in try unsafe context.sink.write(bytes) }
    state.withLock { state in
      // The caller's buffer lives through these calls.
      unsafe state.hashing.add(bytes)
      for index in state.watches.indices {
        let range = state.watches[index].range.clamped(to: offset..<offset + Int64(bytes.count))
        let part = Int(range.lowerBound - offset)..<Int(range.upperBound - offset)
        if !part.isEmpty {
          unsafe state.watches[index].hashing.add(UnsafeRawBufferPointer(rebasing: bytes[part]))
        }
      }
      if state.version.validator == nil {
        state.tail.removeFirst(
          min(state.tail.count, max(0, state.tail.count + bytes.count - Self.tailLength)))
        unsafe state.tail.append(contentsOf: bytes.suffix(Self.tailLength))
      }
      state.position += Int64(bytes.count)
    }
  }

  func read(
    _ range: Range<Int64>, completion: @escaping @Sendable (FileOutcome<[UInt8]>) -> Void
  ) {
    context.run(completion) { [self] () throws(FileFailure) in
      let bytes: [UInt8]? = state.withLock { state in
        let start = state.position - Int64(state.tail.count)
        guard range.lowerBound >= start, range.upperBound <= state.position else { return nil }
        return Array(state.tail[Int(range.lowerBound - start)..<Int(range.upperBound - start)])
      }
      guard let bytes else { throw .outOfOrder(context.sink.name) }
      return bytes
    }
  }

  /// Nothing is recorded; a reader who is gone is noticed.
  func checkpoint(
    _ version: FileVersion, completion: @escaping @Sendable (FileOutcome<Void>) -> Void
  ) {
    context.run(completion) { [context] () throws(FileFailure) in
      try disk { () throws(DiskError) in try context.sink.check() }
    }
  }

  func restart(
    _ version: FileVersion, completion: @escaping @Sendable (FileOutcome<Void>) -> Void
  ) {
    context.run(completion) { [self] () throws(FileFailure) in
      guard context.sink.byteCount == 0 else { throw .outOfOrder(context.sink.name) }
      state.withLock { $0 = State(version: version) }
    }
  }

  func reserve(total: Int64, completion: @escaping @Sendable (FileOutcome<Void>) -> Void) {
    context.run(completion) { [self] () throws(FileFailure) in
      state.withLock { $0.version.total = total }
    }
  }

  func beginDigests(_ algorithms: Set<DigestAlgorithm>) {
    context.lanes.run(.writer) { [self] in
      // Later ones would lack what has gone out.
      state.withLock { state in
        guard state.position == 0 else { return }
        state.hashing.begin(algorithms, context.crypto)
      }
    }
  }

  func digests(
    _ algorithms: Set<DigestAlgorithm>, byteCount: Int64,
    completion: @escaping @Sendable (FileOutcome<[Digest]>) -> Void
  ) {
    context.run(completion) { [self] () throws(FileFailure) in
      let digests: [Digest]? = state.withLock { state in
        guard state.position == byteCount else { return nil }
        return state.hashing.finish().filter { algorithms.contains($0.algorithm) }
      }
      guard let digests else { throw .outOfOrder(context.sink.name) }
      return digests
    }
  }

  func watch(_ range: Range<Int64>, _ algorithm: DigestAlgorithm) {
    context.lanes.run(.writer) { [self] in
      var watch = Watch(range: range, algorithm: algorithm)
      watch.hashing.begin([algorithm], context.crypto)
      state.withLock { [watch] in $0.watches.append(watch) }
    }
  }

  func digest(
    _ algorithm: DigestAlgorithm, of range: Range<Int64>,
    completion: @escaping @Sendable (FileOutcome<Digest>) -> Void
  ) {
    context.run(completion) { [self] () throws(FileFailure) in
      let digest: Digest? = state.withLock { state in
        // One of an answer that was cut has seen only some of them.
        guard
          let index = state.watches.firstIndex(where: {
            $0.range == range && $0.algorithm == algorithm
              && $0.hashing.byteCount == range.upperBound - range.lowerBound
          })
        else { return nil }
        var watch = state.watches.remove(at: index)
        return watch.hashing.finish().first
      }
      guard let digest else { throw .outOfOrder(context.sink.name) }
      return digest
    }
  }

  func publish(
    byteCount: Int64, version: FileVersion,
    completion: @escaping @Sendable (FileOutcome<PublishedFile>) -> Void
  ) {
    context.run(completion) { [self] () throws(FileFailure) in
      guard state.withLock({ $0.position }) == byteCount else {
        throw .outOfOrder(context.sink.name)
      }
      try disk { () throws(DiskError) in try context.sink.finish() }
      return PublishedFile(
        path: plannedPath, wantedName: plannedPath, byteCount: byteCount, version: version)
    }
  }

  func interrupt() { context.sink.cancel() }

  func close(_ disposition: PartialDisposition, completion: @escaping @Sendable () -> Void) {
    context.lanes.run(.writer) { completion() }
  }
}
