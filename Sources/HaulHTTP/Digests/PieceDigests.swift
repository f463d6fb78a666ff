/// The digests of all pieces of a file, each piece but the last being of one length (RFC 5854, section
/// 4.1.3): a piece that is wrong can be fetched again alone.
public struct PieceDigests: Sendable, Hashable {
  /// Bytes of each piece but the last; positive.
  public let pieceLength: Int64
  /// How they were computed.
  public let algorithm: DigestAlgorithm
  /// One digest for each piece, in order.
  public let digests: [Digest]

  /// Makes the digests of the pieces of a file, or nil when the length is not positive, there are no
  /// digests, or they are of several algorithms.
  public init?(pieceLength: Int64, digests: [Digest]) {
    guard pieceLength > 0, let algorithm = digests.first?.algorithm,
      digests.allSatisfy({ $0.algorithm == algorithm })
    else { return nil }
    self.pieceLength = pieceLength
    self.algorithm = algorithm
    self.digests = digests
  }

  /// The bytes of a piece in a file of `total` bytes; nil when the file has no such piece.
  public func range(of index: Int, total: Int64) -> Range<Int64>? {
    guard digests.indices.contains(index) else { return nil }
    let (start, overflow) = Int64(index).multipliedReportingOverflow(by: pieceLength)
    guard !overflow, start < total else { return nil }
    return start..<min(total, start + min(pieceLength, total - start))
  }

  /// Whether these are the pieces of a file of `total` bytes, no more and no fewer.
  public func fits(total: Int64) -> Bool {
    let (full, rest) = total.quotientAndRemainder(dividingBy: pieceLength)
    return total > 0 && Int64(digests.count) == full + (rest > 0 ? 1 : 0)
  }
}
