internal import CXML2

/// The shell around libxml2's SAX parser: hands what it reads to the machine, and stops at the first
/// fault.
///
/// No callback for entities is set and the parser stops where a document type begins, so that only
/// the five entities of XML itself are known. `XML_PARSE_NOENT`, `XML_PARSE_DTDLOAD` and
/// `XML_PARSE_HUGE` are never given; the first two would expand and load entities, the last one
/// would lift the parser's own limits.
/// It is safe to use: the parser that it points to is made and freed by `read`, which alone makes a
/// reader.
@safe final class XMLReader {
  /// The deepest nesting; a Metalink document has four levels.
  static let maximumDepth = 32
  /// The most namespaces that may be declared around an element. The parser looks through all of
  /// them for each element.
  static let maximumNamespaceCount = 256
  /// The most different names of elements, attributes and the like. The parser keeps them in a table
  /// that stops growing, so that a million of them took half a minute.
  static let maximumNameCount = 4096

  private var machine: MetalinkMachine
  private var failure: MetalinkError?
  /// How many namespaces each of the open elements declares.
  private var scopes: [Int] = []
  private var namespaceCount = 0
  /// Set while `read` runs; the parser lives as long.
  private var parser: xmlParserCtxtPtr?

  private init(_ machine: MetalinkMachine) { self.machine = machine }

  /// The parser's own state is made once, before it is used on any thread; it is never taken down,
  /// since others in the process may use it as well.
  private static let isReady: Bool = {
    xmlInitParser()
    return true
  }()

  /// Gives all elements and texts of a document, of at most `Int32.max` bytes, to the machine.
  /// - Throws: The first fault, the machine's or that of the XML.
  static func read(_ bytes: [UInt8], into machine: inout MetalinkMachine) throws(MetalinkError) {
    let reader = XMLReader(machine)
    // The new parser belongs to this call, which frees it.
    guard isReady, let parser = unsafe xmlNewParserCtxt() else {
      throw MetalinkError(.tooLarge, line: nil, "there is not enough memory to read it")
    }
    // Nothing uses the parser afterwards: its callbacks run inside `xmlCtxtReadMemory` only.
    defer { unsafe xmlFreeParserCtxt(parser) }
    unsafe reader.parser = parser
    // A new parser has a handler of its own, which is replaced as a whole. The reader outlives the
    // parser, so that the pointer to it stays valid.
    unsafe parser.pointee.sax.pointee = saxHandler
    unsafe parser.pointee.userData = Unmanaged.passUnretained(reader).toOpaque()
    let options = Int32(XML_PARSE_NONET.rawValue)
    // The bytes live through the call, and their number is passed. No tree is built, so that there
    // is no document to free.
    let tree = unsafe bytes.withUnsafeBytes { buffer in
      unsafe xmlCtxtReadMemory(
        parser, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count), nil,
        nil, options)
    }
    if let tree = unsafe tree { unsafe xmlFreeDoc(tree) }
    if let failure = reader.failure { throw failure }
    // Well-formed without an error that was told: this is the parser's own verdict.
    guard unsafe parser.pointee.wellFormed == 1 else {
      throw MetalinkError(.notXML, line: nil, "it is not well-formed XML")
    }
    machine = reader.machine
  }

  // MARK: What the parser tells

  func start(_ makeElement: () -> XMLElement, namespaces: Int) {
    attempt { (line) throws(MetalinkError) in
      scopes.append(namespaces)
      guard scopes.count <= Self.maximumDepth else {
        throw MetalinkError(.tooLarge, line: line, "elements are nested too deeply")
      }
      namespaceCount += namespaces
      guard namespaceCount <= Self.maximumNamespaceCount else {
        throw MetalinkError(
          .tooLarge, line: line, "there are more than \(Self.maximumNamespaceCount) namespaces")
      }
      try checkNames(line)
      try machine.start(makeElement(), line: line)
    }
  }

  func end() {
    attempt { (line) throws(MetalinkError) in
      namespaceCount -= scopes.popLast() ?? 0
      try machine.end(line: line)
    }
  }

  /// Takes an instruction to some program, which means nothing here but has a name.
  func instruction() {
    attempt { (line) throws(MetalinkError) in try checkNames(line) }
  }

  private func checkNames(_ line: Int) throws(MetalinkError) {
    // The parser is there while its callbacks run, and so is its table of names.
    guard let parser = unsafe parser,
      unsafe xmlDictSize(parser.pointee.dict) > Self.maximumNameCount
    else { return }
    throw MetalinkError(
      .tooLarge, line: line, "there are more than \(Self.maximumNameCount) different names")
  }

  func text(_ bytes: UnsafeBufferPointer<UInt8>) {
    attempt { (line) throws(MetalinkError) in
      // The bytes are copied during the call.
      try unsafe machine.text(bytes, line: line)
    }
  }

  func documentType(_ name: String) {
    attempt { (line) throws(MetalinkError) in
      guard !name.lowercased().hasPrefix("html") else { throw MetalinkMachine.webPage(line) }
      throw MetalinkError(
        .documentType, line: line, "it has a document type (DOCTYPE), which Haul does not read")
    }
  }

  /// Looks at the encoding that the first line names.
  func startDocument() {
    attempt { (_) throws(MetalinkError) in
      if let name = foreignEncoding { throw TextRules.wrongEncoding(name) }
    }
  }

  func fault(_ message: String, line: Int, isEncoding: Bool) {
    guard failure == nil else { return }
    let words = shortened(message.trimmingXMLSpace)
    failure =
      foreignEncoding.map(TextRules.wrongEncoding)
      ?? MetalinkError(
        isEncoding ? .encoding : .notXML, line: line > 0 ? line : nil,
        "it is not XML in UTF-8, or not the whole of it (\(words))")
    stop()
  }

  /// The encoding that the document says it has, unless that is UTF-8 or a part of it.
  private var foreignEncoding: String? {
    guard let parser = unsafe parser else { return nil }
    // Both are strings that end with NUL, or NULL, and are copied at once; the input is there while
    // a document is read.
    let names = unsafe [
      Self.text(parser.pointee.encoding), Self.text(parser.pointee.input?.pointee.encoding),
    ]
    return names.compactMap(\.self).first {
      !["utf-8", "utf8", "us-ascii", "ascii"].contains($0.lowercased())
    }
  }

  private func attempt(_ work: (Int) throws(MetalinkError) -> Void) {
    guard failure == nil else { return }
    // The parser is there while its callbacks run; the function reads its position.
    let line = unsafe Int(xmlSAX2GetLineNumber(parser))
    do { try work(max(1, line)) } catch {
      failure = error
      stop()
    }
  }

  private func stop() {
    // The parser may be stopped from within its callbacks.
    unsafe xmlStopParser(parser)
  }

  /// The beginning of the address of a namespace, which ends with NUL; empty for NULL.
  ///
  /// It is told again with each element, so that one of a megabyte would be copied a million times.
  static func namespace(_ pointer: UnsafePointer<xmlChar>?) -> String {
    guard let pointer = unsafe pointer else { return "" }
    // By the caller's word the string ends with NUL; nothing behind that is looked at.
    let count = (0..<128).first { unsafe pointer[$0] == 0 } ?? 128
    return unsafe String(
      decoding: UnsafeBufferPointer(start: pointer, count: count), as: UTF8.self)
  }

  /// The text of a string that ends with NUL; nil for NULL.
  static func text(_ pointer: UnsafePointer<xmlChar>?) -> String? {
    // By the caller's word the string ends with NUL; it is copied.
    unsafe pointer.map { unsafe String(cString: $0) }
  }
}
