import HaulHTTP
import HaulSystem
import HaulTransfer
import Synchronization

/// Digests that follow the growing prefix of a part.
struct Digesting {
  var hashers: [DigestAlgorithm: any DigestHasher] = [:]
  /// The bytes from the start that the hashers have taken in.
  var position: Int64 = 0
  /// The epoch of the part in which they began.
  var epoch: UInt64 = 0

  mutating func begin(_ algorithms: Set<DigestAlgorithm>, epoch: UInt64, crypto: any Crypto) {
    hashers = [:]
    for algorithm in algorithms { hashers[algorithm] = crypto.makeHasher(algorithm) }
    position = 0
    self.epoch = epoch
  }

  mutating func take(_ bytes: [UInt8]) {
    // The buffer lives through the calls.
    unsafe bytes.withUnsafeBytes { buffer in
      for hasher in hashers.values { unsafe hasher.update(buffer) }
    }
    position += Int64(bytes.count)
  }
}

extension PartFile {
  /// Begins digests over the prefix, beside those that are computed already.
  func beginDigests(_ algorithms: Set<DigestAlgorithm>) {
    let epoch = state.withLock { $0.epoch }
    digesting.withLock { digesting in
      guard !algorithms.isSubset(of: Set(digesting.hashers.keys)) else { return }
      let all = algorithms.union(digesting.hashers.keys)
      digesting.begin(all, epoch: epoch, crypto: context.crypto)
    }
  }

  /// Whether digests are computed, and at least one block of the prefix waits for them.
  var hasDigestWork: Bool {
    state.withLock { $0.sound.prefixEnd - $0.digestedEnd >= BlockLayout.size }
  }

  /// Takes one block of the prefix into the digests; false when none is left below `limit`.
  func advanceDigests(limit: Int64 = .max) throws(FileFailure) -> Bool {
    let file = try openFile()
    return try digesting.withLock { (digesting) throws(FileFailure) in
      guard !digesting.hashers.isEmpty else { return false }
      let crypto = context.crypto
      let range: Range<Int64> = state.withLock { state in
        if digesting.epoch != state.epoch {
          digesting.begin(Set(digesting.hashers.keys), epoch: state.epoch, crypto: crypto)
        }
        let start = digesting.position
        let end = min(state.sound.prefixEnd, limit, start + BlockLayout.size)
        // From here on a write into these bytes voids the digests.
        state.digestedEnd = max(state.digestedEnd, end)
        return start..<max(start, end)
      }
      guard !range.isEmpty else { return false }
      let bytes = try disk { () throws(DiskError) in
        try file.bytes(at: range.lowerBound, count: Int(range.upperBound - range.lowerBound))
      }
      guard bytes.count == range.count else { throw .incomplete(partPath) }
      digesting.take(bytes)
      return true
    }
  }

  /// The digests of the whole file.
  func digests(
    _ algorithms: Set<DigestAlgorithm>, byteCount: Int64
  ) throws(FileFailure) -> [Digest] {
    guard state.withLock({ $0.sound.contains(0..<max(0, byteCount)) }) else {
      throw .incomplete(partPath)
    }
    beginDigests(algorithms)
    // A prefix that went beyond the end, which a shorter total makes possible, is of no use.
    let epoch = state.withLock { $0.epoch }
    digesting.withLock { digesting in
      guard digesting.position > byteCount else { return }
      digesting.begin(algorithms, epoch: epoch, crypto: context.crypto)
    }
    while try advanceDigests(limit: byteCount) {}
    let current = state.withLock { $0.epoch }
    let result: [Digest]? = digesting.withLock { digesting in
      guard digesting.position == byteCount, digesting.epoch == current else { return nil }
      let result = algorithms.compactMap { digesting.hashers[$0]?.finish() }
      digesting = Digesting()
      return result
    }
    guard let result, result.count == algorithms.count else { throw .incomplete(partPath) }
    return result
  }

  /// The digest of some bytes.
  func digest(
    _ algorithm: DigestAlgorithm, of range: Range<Int64>
  ) throws(FileFailure) -> Digest {
    let hasher = context.crypto.makeHasher(algorithm)
    var position = range.lowerBound
    while position < range.upperBound {
      let end = min(range.upperBound, position + BlockLayout.size)
      let bytes = try read(position..<end)
      // The buffer lives through the call.
      unsafe bytes.withUnsafeBytes { unsafe hasher.update($0) }
      position = end
    }
    return hasher.finish()
  }

  /// Gives digests the bytes of a verified piece, if they are the next ones.
  ///
  /// `epoch` is the one in which they were read; a later one has written over them.
  func feedDigests(_ bytes: [UInt8], at offset: Int64, epoch: UInt64) {
    digesting.withLock { digesting in
      guard !digesting.hashers.isEmpty, digesting.position == offset else { return }
      let isCurrent = state.withLock { state in
        guard state.epoch == epoch, digesting.epoch == epoch else { return false }
        state.digestedEnd = max(state.digestedEnd, offset + Int64(bytes.count))
        return true
      }
      if isCurrent { digesting.take(bytes) }
    }
  }
}
