import HaulHTTP

/// A file of a document while its element is read (RFC 5854, section 4.1.2).
struct FileDraft {
  private static let lowestPriority = 999_999

  private let name: String
  private let line: Int
  private var size: Int64?
  private var digests: [Digest] = []
  private var pieces: [PieceDigests] = []
  private var pieceCount = 0
  private var urlCount = 0
  private var urls: [(url: HTTPURL, priority: Int)] = []

  init(name: String?, line: Int, _ leftOut: inout LeftOut) throws(MetalinkError) {
    guard let name else {
      throw MetalinkError(.malformed, line: line, "a file has no name")
    }
    self.name = try MetalinkName.safe(name, line: line)
    self.line = line
    if name != self.name { leftOut.add(name: name, as: self.name) }
  }

  mutating func setSize(_ text: String, _ line: Int) throws(MetalinkError) {
    guard let value = text.decimal else {
      throw fault("the size “\(shortened(text))” is no number of bytes", line)
    }
    guard size == nil || size == value else {
      throw fault("two sizes are given, \(size ?? 0) and \(value)", line)
    }
    size = value
  }

  mutating func addHash(
    _ text: String, type: String?, _ line: Int, _ leftOut: inout LeftOut
  ) throws(MetalinkError) {
    guard let type else { throw fault("a hash has no type", line) }
    guard let algorithm = DigestAlgorithm(anyName: type.trimmingXMLSpace) else {
      return leftOut.add(algorithm: type)
    }
    guard let digest = Digest(algorithm: algorithm, hex: text.utf8) else {
      throw fault("the hash “\(shortened(text))” is no \(algorithm.rawValue)", line)
    }
    if let earlier = digests.first(where: { $0.algorithm == algorithm }), earlier != digest {
      throw fault("two different hashes of \(algorithm.rawValue) are given", line)
    }
    digests.append(digest)
  }

  mutating func addURL(
    _ text: String, priority: String?, _ line: Int, _ leftOut: inout LeftOut
  ) throws(MetalinkError) {
    urlCount += 1
    guard urlCount <= Metalink.maximumURLCount else {
      throw MetalinkError(
        .tooLarge, line: line,
        "“\(shortened(name))” has more than \(Metalink.maximumURLCount) addresses")
    }
    guard let url = try? HTTPURL(parsing: text) else { return leftOut.addMalformedAddress() }
    guard url.scheme == "http" || url.scheme == "https" else {
      return leftOut.add(scheme: url.scheme)
    }
    urls.append((url, Self.priority(priority)))
  }

  /// A priority that is none is the lowest: the address may still be right.
  private static func priority(_ text: String?) -> Int {
    guard let value = text?.trimmingXMLSpace.decimal, (1...Int64(lowestPriority)).contains(value)
    else { return lowestPriority }
    return Int(value)
  }

  mutating func add(_ draft: PiecesDraft, _ line: Int) throws(MetalinkError) {
    // Of an unknown algorithm, or without a hash, as some programs write them for an empty file.
    guard let found = PieceDigests(pieceLength: draft.length, digests: draft.digests) else {
      return
    }
    pieceCount += found.digests.count
    guard pieceCount <= Metalink.maximumPieceCount else {
      throw MetalinkError(
        .tooLarge, line: line,
        "“\(shortened(name))” has more than \(Metalink.maximumPieceCount) pieces")
    }
    pieces.append(found)
  }

  /// What was read, once the element is closed.
  func finish() throws(MetalinkError) -> MetalinkFile {
    // The sort is stable: equals stay in the order of the document.
    let sorted = urls.sorted { $0.priority < $1.priority }.map(\.url)
    var seen: Set<String> = []
    let distinct = sorted.filter { seen.insert($0.identityText).inserted }
    guard !distinct.isEmpty else {
      throw MetalinkError(
        .noSource, line: line,
        "“\(shortened(name))” has no address of http or https, and Haul fetches no others")
    }
    if let size, let unfit = pieces.first(where: { !$0.fits(total: size) }) {
      throw fault(
        "\(unfit.digests.count) pieces of \(unfit.pieceLength) bytes do not make \(size) bytes",
        line)
    }
    return MetalinkFile(
      name: name, byteCount: size,
      digest: digests.max { $0.algorithm.strength < $1.algorithm.strength },
      pieces: pieces.max { $0.algorithm.strength < $1.algorithm.strength }, urls: distinct)
  }

  private func fault(_ sentence: String, _ line: Int) -> MetalinkError {
    MetalinkError(.malformed, line: line, "“\(shortened(name))”: \(sentence)")
  }
}
