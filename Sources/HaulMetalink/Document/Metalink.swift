public import HaulHTTP

/// What a Metalink document (RFC 5854, version 4) says: files, each with the addresses where it is
/// and the digests that it has.
public struct Metalink: Sendable, Hashable {
  /// The longest document that is read, in bytes.
  public static let maximumByteCount = 16 << 20
  /// The most files that a document may describe.
  public static let maximumFileCount = 10_000
  /// The most addresses that it may name for one file, those that are left out among them.
  public static let maximumURLCount = 1000
  /// The most pieces that it may name for one file, of all algorithms together.
  public static let maximumPieceCount = 1 << 18

  /// The files, in their order; never empty.
  public let files: [MetalinkFile]
  /// What was left out, one sentence for each kind.
  public let notes: [String]

  /// Reads a document in UTF-8.
  ///
  /// Nothing but these bytes is looked at: documents with a document type are refused, so that no
  /// entity is ever expanded and nothing is loaded. Elements of other namespaces, and those that
  /// Haul has no use for, are passed over. White space around texts does not count. It may be called
  /// on several threads at once.
  /// - Throws: `MetalinkError` for what is no such document, for a value that contradicts RFC 5854
  ///   where a wrong file could come of it (names, lengths, digests), for a file without an address
  ///   of http or https, and beyond the limits above. Addresses that cannot be fetched and digests of
  ///   unknown algorithms are no error.
  public init(parsing bytes: [UInt8]) throws(MetalinkError) {
    guard bytes.count <= Self.maximumByteCount else {
      throw MetalinkError(
        .tooLarge, line: nil, "it is longer than \(Self.maximumByteCount >> 20) MiB")
    }
    try TextRules.check(bytes)
    var machine = MetalinkMachine()
    try XMLReader.read(bytes, into: &machine)
    self = try machine.finish()
  }

  init(files: [MetalinkFile], notes: [String]) {
    self.files = files
    self.notes = notes
  }
}

/// A file that a Metalink document describes.
public struct MetalinkFile: Sendable, Hashable {
  /// Its name, safe as one path component; folders before it in the document are left out.
  public let name: String
  /// Its length in bytes, if the document tells it.
  public let byteCount: Int64?
  /// Its digest, of the strongest algorithm that the document has and Haul knows.
  public let digest: Digest?
  /// The digests of its pieces, of the strongest such algorithm; they fit `byteCount` where that is
  /// known.
  public let pieces: PieceDigests?
  /// Where it is: addresses of http and https, the better ones first, each once; never empty.
  public let urls: [HTTPURL]
}
