import HaulHTTP

/// The pieces of one algorithm while their element is read (RFC 5854, section 4.1.3).
struct PiecesDraft {
  /// Bytes of each piece but the last; positive.
  let length: Int64
  /// Nil for one that Haul does not know: its digests are passed over.
  let algorithm: DigestAlgorithm?
  private(set) var digests: [Digest] = []

  init(
    _ attributes: [String: String], line: Int, _ leftOut: inout LeftOut
  ) throws(MetalinkError) {
    guard let text = attributes["length"]?.trimmingXMLSpace, let length = text.decimal, length > 0
    else {
      throw MetalinkError(.malformed, line: line, "the length of pieces is no number of bytes")
    }
    guard let type = attributes["type"]?.trimmingXMLSpace else {
      throw MetalinkError(.malformed, line: line, "pieces have no type")
    }
    self.length = length
    algorithm = DigestAlgorithm(anyName: type)
    if algorithm == nil { leftOut.add(algorithm: type) }
  }

  mutating func addHash(_ text: String, _ line: Int) throws(MetalinkError) {
    guard let algorithm else { return }
    guard let digest = Digest(algorithm: algorithm, hex: text.utf8) else {
      throw MetalinkError(
        .malformed, line: line,
        "the hash “\(shortened(text))” of a piece is no \(algorithm.rawValue)")
    }
    digests.append(digest)
  }
}
