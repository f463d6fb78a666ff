/// A digest algorithm that Haul can compute, named as in the IANA registry of hash algorithms.
public enum DigestAlgorithm: String, Sendable, Hashable, CaseIterable {
  case sha256 = "sha-256"
  case sha512 = "sha-512"
  case sha1 = "sha-1"
  case md5 = "md5"

  /// The length of a digest in bytes.
  public var byteCount: Int {
    switch self {
    case .sha256: 32
    case .sha512: 64
    case .sha1: 20
    case .md5: 16
    }
  }
}

/// The digest of some content.
public struct Digest: Sendable, Hashable {
  /// How the digest is computed.
  public let algorithm: DigestAlgorithm
  /// The digest; always `algorithm.byteCount` bytes.
  public let bytes: [UInt8]

  /// Makes a digest, or nil when the number of bytes is not the algorithm's.
  public init?(algorithm: DigestAlgorithm, bytes: [UInt8]) {
    guard bytes.count == algorithm.byteCount else { return nil }
    self.algorithm = algorithm
    self.bytes = bytes
  }
}
