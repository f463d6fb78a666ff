import HaulHTTP

/// Reads a Metalink document from its elements and texts, as an XML parser tells them in order.
struct MetalinkMachine {
  /// The namespace of version 4 (RFC 5854, section 2).
  static let namespace = "urn:ietf:params:xml:ns:metalink"
  /// That of version 3.
  private static let oldNamespace = "http://www.metalinker.org/"
  /// The longest text that has a meaning: an address.
  private static let maximumTextCount = 64 << 10

  /// What an element is, by where it stands.
  private enum Place {
    case document
    case file
    case size
    case hash(type: String?)
    case pieces
    case pieceHash
    case url(priority: String?)
    /// Of no meaning here, with everything inside it.
    case other

    /// Whether its text has a meaning.
    var hasText: Bool {
      switch self {
      case .size, .hash, .pieceHash, .url: true
      case .document, .file, .pieces, .other: false
      }
    }
  }

  private var places: [Place] = []
  private var text: [UInt8] = []
  private var file: FileDraft?
  private var pieces: PiecesDraft?
  private var files: [MetalinkFile] = []
  private var leftOut = LeftOut()

  static func webPage(_ line: Int) -> MetalinkError {
    MetalinkError(
      .notMetalink, line: line, "it is a web page; look for the address of the file itself")
  }

  /// Takes the start of an element.
  mutating func start(_ element: XMLElement, line: Int) throws(MetalinkError) {
    guard let place = places.last else {
      try checkRoot(element, line)
      return places.append(.document)
    }
    let next = Self.place(of: element, in: place)
    switch next {
    case .file:
      guard files.count < Metalink.maximumFileCount else {
        throw MetalinkError(
          .tooLarge, line: line, "it has more than \(Metalink.maximumFileCount) files")
      }
      file = try FileDraft(name: element.attributes["name"], line: line, &leftOut)
    case .pieces: pieces = try PiecesDraft(element.attributes, line: line, &leftOut)
    case .other where element.name == "metaurl" && element.namespace == Self.namespace:
      leftOut.addMetaURL()
    default: break
    }
    if next.hasText { text.removeAll(keepingCapacity: true) }
    places.append(next)
  }

  /// Takes some text of the current element.
  mutating func text(_ bytes: some Collection<UInt8>, line: Int) throws(MetalinkError) {
    guard places.last?.hasText == true else { return }
    guard bytes.count <= Self.maximumTextCount - text.count else {
      throw MetalinkError(.tooLarge, line: line, "a text has more than 64 KiB")
    }
    text += bytes
  }

  /// Takes the end of the current element.
  mutating func end(line: Int) throws(MetalinkError) {
    guard let place = places.popLast() else { return }
    let text = String(decoding: place.hasText ? self.text : [], as: UTF8.self).trimmingXMLSpace
    switch place {
    case .document, .other: break
    case .size: try file?.setSize(text, line)
    case .hash(let type): try file?.addHash(text, type: type, line, &leftOut)
    case .url(let priority): try file?.addURL(text, priority: priority, line, &leftOut)
    case .pieceHash: try pieces?.addHash(text, line)
    case .pieces:
      if let pieces { try file?.add(pieces, line) }
      pieces = nil
    case .file:
      if let file { files.append(try file.finish()) }
      file = nil
    }
  }

  /// What the document said, after its end.
  consuming func finish() throws(MetalinkError) -> Metalink {
    guard !files.isEmpty else {
      throw MetalinkError(.noSource, line: nil, "it describes no file")
    }
    return Metalink(files: files, notes: leftOut.notes)
  }

  private func checkRoot(_ element: XMLElement, _ line: Int) throws(MetalinkError) {
    if element.name == "metalink", element.namespace == Self.namespace { return }
    if element.name == "metalink", element.namespace == Self.oldNamespace {
      throw MetalinkError(
        .oldVersion, line: line,
        "it is of Metalink version 3, and Haul reads version 4 (RFC 5854), which mostly ends in "
          + ".meta4; its first address can be fetched without it")
    }
    if element.name.lowercased() == "html" { throw Self.webPage(line) }
    throw MetalinkError(
      .notMetalink, line: line,
      "it is XML, but no Metalink document: that begins with "
        + "<metalink xmlns=\"\(Self.namespace)\">")
  }

  private static func place(of element: XMLElement, in parent: Place) -> Place {
    guard element.namespace == namespace else { return .other }
    switch (parent, element.name) {
    case (.document, "file"): return .file
    case (.file, "size"): return .size
    case (.file, "hash"): return .hash(type: element.attributes["type"])
    case (.file, "pieces"): return .pieces
    case (.file, "url"): return .url(priority: element.attributes["priority"])
    case (.pieces, "hash"): return .pieceHash
    default: return .other
    }
  }
}
