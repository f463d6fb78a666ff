import HaulHTTP
import HaulSystem
import HaulTransfer

/// Without what a waiting file is not passed on.
enum SpoolProof: Sendable {
  /// The digest of all of it.
  case digest(Digest)
  /// The digests of its pieces.
  case pieces(PieceDigests)

  /// What a destination asks for; the digest of the whole rules.
  init?(_ destination: Destination) {
    if let digest = destination.digest {
      self = .digest(digest)
    } else if let pieces = destination.pieces {
      self = .pieces(pieces)
    } else {
      return nil
    }
  }

  /// The digest that is computed while bytes arrive.
  var followed: Set<DigestAlgorithm> {
    switch self {
    case .digest(let digest): [digest.algorithm]
    case .pieces: []
    }
  }

  /// The ranges of a file and the digest that each must have; nil when it cannot be the file.
  func claims(byteCount: Int64) -> [(range: Range<Int64>, digest: Digest)]? {
    switch self {
    case .digest(let digest): return [(0..<byteCount, digest)]
    case .pieces(let pieces):
      guard pieces.fits(total: byteCount) else { return nil }
      return pieces.digests.enumerated().compactMap { index, digest in
        pieces.range(of: index, total: byteCount).map { ($0, digest) }
      }
    }
  }

  /// Whether bytes that have a digest are a piece of the file as it must be.
  func vouches(for range: Range<Int64>, having digest: Digest) -> Bool {
    guard case .pieces(let pieces) = self else { return false }
    let index = Int(clamping: range.lowerBound / pieces.pieceLength)
    return pieces.range(of: index, total: range.upperBound) == range
      && pieces.digests[index] == digest
  }
}
