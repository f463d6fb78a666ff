import HaulHTTP
import HaulSystem
import HaulTransfer
import Synchronization

/// Keeps bytes in a file without a name until the whole of it is right, and only then passes it on.
///
/// All jobs run on one lane, so that they meet the file in the order of the calls.
final class SpoolPart: PartialFile {
  private struct State {
    /// Nil once it is given up.
    var file: (any DiskFile)?
    var version: FileVersion
    var written = IntervalSet()
    /// Follows the writes for as long as they come in order.
    var hashing = PrefixHashing()
    /// The bytes that were found right, and not written since.
    var checked = IntervalSet()
  }

  let plannedPath: String
  private let context: StreamContext
  private let folder: String
  private let proof: SpoolProof
  private let state: Mutex<State>

  init(
    _ context: StreamContext, name: String, folder: String, version: FileVersion, proof: SpoolProof
  ) throws(FileFailure) {
    self.context = context
    self.folder = folder
    self.proof = proof
    plannedPath = name
    let file = try Self.waiting(in: folder) { () throws(DiskError) in
      try context.disk.openFolder(folder, create: true).openUnnamed()
    }
    state = Mutex(State(file: file, version: version))
    state.withLock { $0.hashing.begin(proof.followed, context.crypto) }
    try makeRoom(version.total)
  }

  let outlivesTransfer = false
  var passedOn: Int64 { context.sink.byteCount }
  var version: FileVersion { state.withLock { $0.version } }
  var stored: IntervalSet { IntervalSet() }

  /// Runs calls on the file; their failures say why there is one, and how to have it elsewhere.
  private static func waiting<Value>(
    in folder: String, _ body: () throws(DiskError) -> Value
  ) throws(FileFailure) -> Value {
    do {
      return try disk(body)
    } catch {
      var told = error
      told.message += " What has a digest waits there until it is checked; -d DIR chooses a folder."
      throw told
    }
  }

  private func withFile<Value>(
    _ body: (any DiskFile) throws(DiskError) -> Value
  ) throws(FileFailure) -> Value {
    guard let file = state.withLock({ $0.file }) else { throw .closed(plannedPath) }
    return try Self.waiting(in: folder) { () throws(DiskError) in try body(file) }
  }

  private func makeRoom(_ total: Int64?) throws(FileFailure) {
    guard let total, total > 0 else { return }
    try withFile { (file) throws(DiskError) in try file.reserve(0..<total) }
  }

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
        outcome { () throws(FileFailure) in try unsafe write(bytes, at: offset) }
      }.get()
    }
  }

  private func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(FileFailure) {
    try withFile { (file) throws(DiskError) in try unsafe file.write(bytes, at: offset) }
    state.withLock { state in
      state.checked.remove(offset..<offset + Int64(bytes.count))
      if offset == state.hashing.byteCount {
        unsafe state.hashing.add(bytes)
      } else if offset < state.hashing.byteCount {
        state.hashing.begin(proof.followed, context.crypto)
      }
      state.written.insert(offset..<offset + Int64(bytes.count))
    }
  }

  func read(
    _ range: Range<Int64>, completion: @escaping @Sendable (FileOutcome<[UInt8]>) -> Void
  ) {
    context.run(completion) { [self] () throws(FileFailure) in try read(range) }
  }

  private func read(_ range: Range<Int64>) throws(FileFailure) -> [UInt8] {
    let bytes = try withFile { (file) throws(DiskError) in
      try file.bytes(at: range.lowerBound, count: range.count)
    }
    guard bytes.count == range.count else { throw .incomplete(plannedPath) }
    return bytes
  }

  /// Calls the body with all bytes of a range, some at a time.
  private func forEachPiece(
    _ range: Range<Int64>, _ body: ([UInt8]) throws(FileFailure) -> Void
  ) throws(FileFailure) {
    var start = range.lowerBound
    while start < range.upperBound {
      let end = min(range.upperBound, start + Int64(TransferBuffer.capacity))
      try body(try read(start..<end))
      start = end
    }
  }

  /// Nothing is recorded, as nothing outlives the process; a reader who is gone is noticed.
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
      try withFile { (file) throws(DiskError) in try file.truncate(to: 0) }
      state.withLock { state in
        state.version = version
        state.written = IntervalSet()
        state.checked = IntervalSet()
        state.hashing.begin(proof.followed, context.crypto)
      }
      try makeRoom(version.total)
    }
  }

  func reserve(total: Int64, completion: @escaping @Sendable (FileOutcome<Void>) -> Void) {
    context.run(completion) { [self] () throws(FileFailure) in
      state.withLock { $0.version.total = total }
      try makeRoom(total)
    }
  }

  /// They are of the digest that has to be right, from the start.
  func beginDigests(_ algorithms: Set<DigestAlgorithm>) {}

  func digests(
    _ algorithms: Set<DigestAlgorithm>, byteCount: Int64,
    completion: @escaping @Sendable (FileOutcome<[Digest]>) -> Void
  ) {
    context.run(completion) { [self] () throws(FileFailure) in
      guard state.withLock({ $0.written.contains(0..<byteCount) }) else {
        throw .incomplete(plannedPath)
      }
      // What did not come in order, or lies beyond the end, is read once more.
      var hashing = state.withLock { state in
        defer { state.hashing = PrefixHashing() }
        return state.hashing
      }
      let isUsable = hashing.byteCount <= byteCount && algorithms == proof.followed
      if !isUsable { hashing.begin(algorithms.union(proof.followed), context.crypto) }
      try forEachPiece(hashing.byteCount..<byteCount) { (bytes) throws(FileFailure) in
        // The array lives through the call.
        unsafe bytes.withUnsafeBytes { unsafe hashing.add($0) }
      }
      let digests = hashing.finish()
      if case .digest(let digest) = proof, digests.contains(digest) {
        state.withLock { $0.checked.insert(0..<byteCount) }
      }
      return digests.filter { algorithms.contains($0.algorithm) }
    }
  }

  func digest(
    _ algorithm: DigestAlgorithm, of range: Range<Int64>,
    completion: @escaping @Sendable (FileOutcome<Digest>) -> Void
  ) {
    context.run(completion) { [self] () throws(FileFailure) in
      let hasher = context.crypto.makeHasher(algorithm)
      try forEachPiece(range) { (bytes) throws(FileFailure) in
        // The array lives through the call.
        unsafe bytes.withUnsafeBytes { unsafe hasher.update($0) }
      }
      let digest = hasher.finish()
      if proof.vouches(for: range, having: digest) {
        state.withLock { $0.checked.insert(range) }
      }
      return digest
    }
  }

  /// Passes on what was checked, and looks whether that is what was read back.
  func publish(
    byteCount: Int64, version: FileVersion,
    completion: @escaping @Sendable (FileOutcome<PublishedFile>) -> Void
  ) {
    context.run(completion) { [self] () throws(FileFailure) in
      let isRight = state.withLock {
        $0.checked.contains(0..<byteCount) && $0.written.contains(0..<byteCount)
      }
      guard isRight, let claims = proof.claims(byteCount: byteCount) else {
        throw .incomplete(plannedPath)
      }
      for claim in claims { try passOn(claim.range, having: claim.digest) }
      try disk { () throws(DiskError) in try context.sink.finish() }
      return PublishedFile(
        path: plannedPath, wantedName: plannedPath, byteCount: byteCount, version: version)
    }
  }

  private func passOn(_ range: Range<Int64>, having digest: Digest) throws(FileFailure) {
    let hasher = context.crypto.makeHasher(digest.algorithm)
    try forEachPiece(range) { (bytes) throws(FileFailure) in
      // The array lives through the calls.
      try unsafe bytes.withUnsafeBytes { buffer in
        unsafe hasher.update(buffer)
        return outcome { () throws(FileFailure) in
          try disk { () throws(DiskError) in try unsafe context.sink.write(buffer) }
        }
      }.get()
    }
    guard hasher.finish() == digest else { throw .readBackWrong(folder) }
  }

  func interrupt() { context.sink.cancel() }

  func close(_ disposition: PartialDisposition, completion: @escaping @Sendable () -> Void) {
    context.lanes.run(.writer) { [self] in
      state.withLock { $0.file = nil }
      completion()
    }
  }
}

extension FileFailure {
  fileprivate static func readBackWrong(_ folder: String) -> FileFailure {
    FileFailure(
      code: .inputOutput,
      message:
        "The disk under \u{201C}\(folder)\u{201D} gave other bytes back than were written and "
        + "checked. Do not use what was passed on; check the disk.")
  }
}
