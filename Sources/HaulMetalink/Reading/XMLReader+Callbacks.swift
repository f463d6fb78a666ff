internal import CXML2

/// The callbacks. Each recovers the reader, makes one call, and returns.
var saxHandler: xmlSAXHandler {
  var handler = unsafe xmlSAXHandler()
  unsafe handler.initialized = UInt32(XML_SAX2_MAGIC)
  unsafe handler.startDocument = { unsafe reader($0)?.startDocument() }
  // The name is a string that ends with NUL.
  unsafe handler.internalSubset = { context, name, _, _ in
    unsafe reader(context)?.documentType(XMLReader.text(name) ?? "")
  }
  unsafe handler.startElementNs = { context, name, _, space, spaces, _, count, _, attributes in
    unsafe reader(context)?.start(
      { unsafe element(name, space, Int(count), attributes) }, namespaces: Int(spaces))
  }
  unsafe handler.endElementNs = { context, _, _, _ in unsafe reader(context)?.end() }
  unsafe handler.processingInstruction = { context, _, _ in
    unsafe reader(context)?.instruction()
  }
  unsafe handler.characters = { context, bytes, count in
    // There are as many bytes as `count` says.
    unsafe reader(context)?.text(UnsafeBufferPointer(start: bytes, count: max(0, Int(count))))
  }
  unsafe handler.cdataBlock = { context, bytes, count in
    // There are as many bytes as `count` says.
    unsafe reader(context)?.text(UnsafeBufferPointer(start: bytes, count: max(0, Int(count))))
  }
  unsafe handler.serror = { context, error in
    // The error is there during the call, and its message ends with NUL and is copied.
    guard let error = unsafe error?.pointee, unsafe error.level != XML_ERR_WARNING else { return }
    let message = unsafe error.message.map { unsafe String(cString: $0) } ?? ""
    let codes = [XML_ERR_UNKNOWN_ENCODING, XML_ERR_UNSUPPORTED_ENCODING, XML_ERR_INVALID_ENCODING]
    let isEncoding = codes.contains { unsafe Int32($0.rawValue) == error.code }
    unsafe reader(context)?.fault(message, line: Int(error.line), isEncoding: isEncoding)
  }
  return unsafe handler
}

/// The reader behind the parser's user data.
private func reader(_ context: UnsafeMutableRawPointer?) -> XMLReader? {
  // `read` put it there, and keeps it alive while the parser runs.
  unsafe context.map { unsafe Unmanaged<XMLReader>.fromOpaque($0).takeUnretainedValue() }
}

/// Copies an element out of the parser's memory.
private func element(
  _ name: UnsafePointer<xmlChar>?, _ namespace: UnsafePointer<xmlChar>?, _ count: Int,
  _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
) -> XMLElement {
  var found: [String: String] = [:]
  // Each attribute is five pointers: name, prefix and namespace, strings that end with NUL, and the
  // begin and the end of its value.
  for index in 0..<count {
    guard let entry = unsafe attributes?.advanced(by: index * 5), unsafe entry[2] == nil,
      let key = unsafe XMLReader.text(entry[0]), let begin = unsafe entry[3],
      let end = unsafe entry[4], unsafe end >= begin
    else { continue }
    let value = unsafe UnsafeBufferPointer(start: begin, count: end - begin)
    found[key] = unsafe String(decoding: value, as: UTF8.self)
  }
  // Both are strings that end with NUL, or NULL.
  return unsafe XMLElement(
    name: XMLReader.text(name) ?? "", namespace: XMLReader.namespace(namespace),
    attributes: found)
}
