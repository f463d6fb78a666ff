import HaulHTTP
import HaulSystem

/// Digests of bytes that come in order. One thread at a time uses it.
struct PrefixHashing: @unchecked Sendable {
  // Sendable: its hashers are never handed out, and its owners keep it under a lock.

  private var hashers: [DigestAlgorithm: any DigestHasher] = [:]
  /// How many bytes were taken in.
  private(set) var byteCount: Int64 = 0

  /// Begins anew with these algorithms.
  mutating func begin(_ algorithms: Set<DigestAlgorithm>, _ crypto: any Crypto) {
    hashers = [:]
    for algorithm in algorithms { hashers[algorithm] = crypto.makeHasher(algorithm) }
    byteCount = 0
  }

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    // The caller keeps the buffer alive through these calls.
    for hasher in hashers.values { unsafe hasher.update(bytes) }
    byteCount += Int64(bytes.count)
  }

  /// The digests of all bytes that were taken in; nothing is computed from then on.
  mutating func finish() -> [Digest] {
    defer { hashers = [:] }
    return hashers.values.map { $0.finish() }
  }
}
