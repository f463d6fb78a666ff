import HaulHTTP
import HaulSystem
import HaulTransfer
import Synchronization

/// The bytes of one transfer in memory. All jobs run on one lane, in the order of the calls.
final class MemoryPart: PartialFile {
  private struct State {
    var version: FileVersion
    var bytes: [UInt8] = []
    var isPublished = false
  }

  let stored = IntervalSet()
  let plannedPath: String
  private let crypto: any Crypto
  private let lanes = DispatchLanes()
  private let state: Mutex<State>

  init(path: String, version: FileVersion, crypto: any Crypto) {
    plannedPath = path
    self.crypto = crypto
    state = Mutex(State(version: version))
  }

  var version: FileVersion { state.withLock { $0.version } }

  /// The whole file, once it was checked.
  var published: [UInt8]? { state.withLock { $0.isPublished ? $0.bytes : nil } }

  private func run<Value: Sendable>(
    _ completion: @escaping @Sendable (FileOutcome<Value>) -> Void,
    _ body: @escaping @Sendable (inout State) throws(FileFailure) -> Value
  ) {
    lanes.run(.writer) { [self] in
      completion(
        outcome { () throws(FileFailure) in
          try state.withLock { (state) throws(FileFailure) in try body(&state) }
        })
    }
  }

  func verifyStored(completion: @escaping @Sendable (FileOutcome<IntervalSet>) -> Void) {
    run(completion) { _ in IntervalSet() }
  }

  func write(
    _ buffer: TransferBuffer, at offset: Int64,
    completion: @escaping @Sendable (FileOutcome<Void>) -> Void
  ) {
    run(completion) { state in
      let bytes = unsafe buffer.withBytes { unsafe [UInt8]($0) }
      let (start, end) = (Int(offset), Int(offset) + bytes.count)
      if state.bytes.count < end {
        state.bytes += [UInt8](repeating: 0, count: end - state.bytes.count)
      }
      state.bytes.replaceSubrange(start..<end, with: bytes)
    }
  }

  func read(
    _ range: Range<Int64>, completion: @escaping @Sendable (FileOutcome<[UInt8]>) -> Void
  ) {
    let path = plannedPath
    run(completion) { (state) throws(FileFailure) in
      Array(try Self.slice(state, range, path))
    }
  }

  func checkpoint(
    _ version: FileVersion, completion: @escaping @Sendable (FileOutcome<Void>) -> Void
  ) {
    run(completion) { $0.version = version }
  }

  func restart(
    _ version: FileVersion, completion: @escaping @Sendable (FileOutcome<Void>) -> Void
  ) {
    run(completion) { $0 = State(version: version) }
  }

  func reserve(total: Int64, completion: @escaping @Sendable (FileOutcome<Void>) -> Void) {
    run(completion) { $0.version.total = total }
  }

  /// Digests of what lies in memory are computed when they are asked for.
  func beginDigests(_ algorithms: Set<DigestAlgorithm>) {}

  func digests(
    _ algorithms: Set<DigestAlgorithm>, byteCount: Int64,
    completion: @escaping @Sendable (FileOutcome<[Digest]>) -> Void
  ) {
    let (crypto, path) = (crypto, plannedPath)
    run(completion) { (state) throws(FileFailure) in
      let bytes = try Self.slice(state, 0..<max(0, byteCount), path)
      return algorithms.map { Self.digest($0, of: bytes, crypto) }
    }
  }

  func digest(
    _ algorithm: DigestAlgorithm, of range: Range<Int64>,
    completion: @escaping @Sendable (FileOutcome<Digest>) -> Void
  ) {
    let (crypto, path) = (crypto, plannedPath)
    run(completion) { (state) throws(FileFailure) in
      Self.digest(algorithm, of: try Self.slice(state, range, path), crypto)
    }
  }

  func publish(
    byteCount: Int64, version: FileVersion,
    completion: @escaping @Sendable (FileOutcome<PublishedFile>) -> Void
  ) {
    let path = plannedPath
    run(completion) { (state) throws(FileFailure) in
      state.bytes = Array(try Self.slice(state, 0..<max(0, byteCount), path))
      state.version = version
      state.isPublished = true
      return PublishedFile(path: path, byteCount: byteCount, version: version)
    }
  }

  func close(_ disposition: PartialDisposition, completion: @escaping @Sendable () -> Void) {
    run({ (_: FileOutcome<Void>) in completion() }, { $0.bytes = [] })
  }

  private static func slice(
    _ state: State, _ range: Range<Int64>, _ path: String
  ) throws(FileFailure) -> ArraySlice<UInt8> {
    guard range.lowerBound >= 0, range.upperBound <= Int64(state.bytes.count) else {
      throw .incomplete(path)
    }
    return state.bytes[Int(range.lowerBound)..<Int(range.upperBound)]
  }

  private static func digest(
    _ algorithm: DigestAlgorithm, of bytes: ArraySlice<UInt8>, _ crypto: any Crypto
  ) -> Digest {
    let hasher = crypto.makeHasher(algorithm)
    // The slice lives through the call.
    unsafe bytes.withUnsafeBytes { unsafe hasher.update($0) }
    return hasher.finish()
  }
}
