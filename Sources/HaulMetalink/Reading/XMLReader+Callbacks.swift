internal import CExpat

extension XMLReader {
  /// Sets the callbacks. Each recovers the reader, makes one call, and returns.
  static func setCallbacks(of parser: XML_Parser) {
    // The caller's parser is there during these calls.
    unsafe XML_SetXmlDeclHandler(parser) { context, _, encoding, _ in
      // The name ends with NUL, or is NULL.
      unsafe reader(context)?.declaration(encoding: encoding.map { unsafe String(cString: $0) })
    }
    unsafe XML_SetStartDoctypeDeclHandler(parser) { context, name, _, _, _ in
      // The name ends with NUL.
      unsafe reader(context)?.documentType(name.map { unsafe String(cString: $0) } ?? "")
    }
    unsafe XML_SetStartNamespaceDeclHandler(parser) { context, _, address in
      // The address ends with NUL, or is NULL.
      unsafe reader(context)?.namespace(hasBytes: address.map { unsafe count($0) } ?? 0)
    }
    unsafe XML_SetElementHandler(
      parser,
      { context, name, attributes in
        unsafe reader(context)?.start { unsafe element(name, attributes) }
      }, { context, _ in unsafe reader(context)?.end() })
    unsafe XML_SetCharacterDataHandler(parser) { context, start, count in
      // There are as many bytes as `count` says; a byte may be read as one without a sign.
      let bytes = unsafe UnsafeRawBufferPointer(start: start, count: max(0, Int(count)))
      unsafe reader(context)?.text(bytes.assumingMemoryBound(to: UInt8.self))
    }
  }
}

/// The reader behind the parser's user data.
private func reader(_ context: UnsafeMutableRawPointer?) -> XMLReader? {
  // `read` put it there, and keeps it alive while the parser runs.
  unsafe context.map { unsafe Unmanaged<XMLReader>.fromOpaque($0).takeUnretainedValue() }
}

/// The length of a string that ends with NUL, as far as it matters.
private func count(_ text: UnsafePointer<XML_Char>) -> Int {
  // Nothing behind the NUL is looked at.
  (0...XMLReader.maximumNamespaceByteCount).first { unsafe text[$0] == 0 }
    ?? XMLReader.maximumNamespaceByteCount + 1
}

/// Copies an element out of the parser's memory.
private func element(
  _ name: UnsafePointer<XML_Char>?, _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
) -> XMLElement {
  // Names and values are strings that end with NUL. A name and its value follow each other, and NULL
  // follows the last one.
  var found: [String: String] = [:]
  var entry = unsafe attributes
  while let pair = unsafe entry, let key = unsafe pair[0], let value = unsafe pair[1] {
    let name = unsafe String(cString: key)
    if !name.utf8.contains(XMLReader.separator) { found[name] = unsafe String(cString: value) }
    unsafe entry = pair + 2
  }
  let full = unsafe name.map { unsafe String(cString: $0) } ?? ""
  guard let separator = full.utf8.firstIndex(of: XMLReader.separator) else {
    return XMLElement(name: full, namespace: "", attributes: found)
  }
  return XMLElement(
    name: String(full.utf8[separator...].dropFirst()) ?? "", namespace: String(full[..<separator]),
    attributes: found)
}
