internal import CExpat

/// The shell around the XML parser: hands what it reads to the machine, and stops at the first fault.
///
/// The parser stops where a document type begins, so that only the five entities of XML itself are
/// known, and no handler for external entities is set. It is safe to use: the parser that it points
/// to is made and freed by `read`, which alone makes a reader.
@safe final class XMLReader {
  /// The deepest nesting; a Metalink document has four levels.
  static let maximumDepth = 32
  /// The longest address of a namespace, in bytes. It is told again with each element.
  static let maximumNamespaceByteCount = 1024
  /// Stands between namespace and name. XML has no such character, so that none of them holds it.
  static let separator = UInt8(0x0C)

  private var machine: MetalinkMachine
  private var failure: MetalinkError?
  private var depth = 0
  /// Set while `read` runs; the parser lives as long.
  private var parser: XML_Parser?

  private init(_ machine: MetalinkMachine) { self.machine = machine }

  /// Gives all elements and texts of a document, of at most `Int32.max` bytes, to the machine.
  /// - Throws: The first fault, the machine's or that of the XML.
  static func read(_ bytes: [UInt8], into machine: inout MetalinkMachine) throws(MetalinkError) {
    let reader = XMLReader(machine)
    // The new parser belongs to this call, which frees it.
    guard let parser = unsafe XML_ParserCreateNS(nil, XML_Char(separator)) else {
      throw MetalinkError(.tooLarge, line: nil, "there is not enough memory to read it")
    }
    // Nothing uses the parser afterwards: its callbacks run inside `XML_Parse` only.
    defer { unsafe XML_ParserFree(parser) }
    unsafe reader.parser = parser
    // The reader outlives the parser, so that the pointer to it stays valid.
    unsafe XML_SetUserData(parser, Unmanaged.passUnretained(reader).toOpaque())
    unsafe setCallbacks(of: parser)
    // The bytes live through the call, and their number is passed.
    let status = unsafe bytes.withUnsafeBytes { buffer in
      unsafe XML_Parse(
        parser, buffer.baseAddress?.assumingMemoryBound(to: XML_Char.self), Int32(buffer.count), 1)
    }
    if let failure = reader.failure { throw failure }
    guard status == XML_STATUS_OK else { throw reader.fault }
    machine = reader.machine
  }

  // MARK: What the parser tells

  func declaration(encoding: String?) {
    attempt { (_) throws(MetalinkError) in
      guard let encoding, !["utf-8", "us-ascii"].contains(encoding.lowercased()) else { return }
      throw TextRules.wrongEncoding(encoding)
    }
  }

  func documentType(_ name: String) {
    attempt { (line) throws(MetalinkError) in
      guard !name.lowercased().hasPrefix("html") else { throw MetalinkMachine.webPage(line) }
      throw MetalinkError(
        .documentType, line: line, "it has a document type (DOCTYPE), which Haul does not read")
    }
  }

  func namespace(hasBytes count: Int) {
    attempt { (line) throws(MetalinkError) in
      guard count > Self.maximumNamespaceByteCount else { return }
      throw MetalinkError(.tooLarge, line: line, "the address of a namespace is too long")
    }
  }

  func start(_ makeElement: () -> XMLElement) {
    attempt { (line) throws(MetalinkError) in
      depth += 1
      guard depth <= Self.maximumDepth else {
        throw MetalinkError(.tooLarge, line: line, "elements are nested too deeply")
      }
      try machine.start(makeElement(), line: line)
    }
  }

  func end() {
    attempt { (line) throws(MetalinkError) in
      depth -= 1
      try machine.end(line: line)
    }
  }

  func text(_ bytes: UnsafeBufferPointer<UInt8>) {
    attempt { (line) throws(MetalinkError) in
      // The bytes are copied during the call.
      try unsafe machine.text(bytes, line: line)
    }
  }

  private func attempt(_ work: (Int) throws(MetalinkError) -> Void) {
    guard failure == nil, let parser = unsafe parser else { return }
    do { try work(line) } catch {
      failure = error
      // The parser may be stopped from within its callbacks, and is not to go on.
      _ = unsafe XML_StopParser(parser, 0)
    }
  }

  private var line: Int {
    // The parser is there while its callbacks run, and until `read` returns.
    unsafe parser.map { unsafe Int(clamping: XML_GetCurrentLineNumber($0)) } ?? 1
  }

  /// What the parser itself found wrong.
  private var fault: MetalinkError {
    // The parser is there until `read` returns; the words are a constant that ends with NUL.
    let code = unsafe parser.map { unsafe XML_GetErrorCode($0) } ?? XML_ERROR_NONE
    let words = unsafe XML_ErrorString(code).map { unsafe String(cString: $0) } ?? "error"
    let isEncoding = [XML_ERROR_UNKNOWN_ENCODING, XML_ERROR_INCORRECT_ENCODING].contains(code)
    return MetalinkError(
      isEncoding ? .encoding : .notXML, line: line,
      "it is not XML in UTF-8, or not the whole of it (\(words))")
  }
}
