public import HaulHTTP

/// Digests and checksums, behind one seam.
public protocol Crypto: Sendable {
  /// Starts a digest.
  func makeHasher(_ algorithm: DigestAlgorithm) -> any DigestHasher
  /// Starts a checksum of a block of a part: fast, 64 bits, against damage and not against malice.
  func makeChecksum() -> any BlockChecksum
}

/// A digest that is being computed. It is used by one thread at a time.
public protocol DigestHasher: AnyObject {
  /// Adds bytes.
  func update(_ bytes: UnsafeRawBufferPointer)
  /// The digest of all bytes added. The hasher may not be used afterwards.
  func finish() -> Digest
}

/// A checksum that is being computed. It is used by one thread at a time.
public protocol BlockChecksum: AnyObject {
  /// Begins anew.
  func reset()
  /// Adds bytes.
  func update(_ bytes: UnsafeRawBufferPointer)
  /// The checksum of all bytes added so far; more may follow.
  var value: UInt64 { get }
}
