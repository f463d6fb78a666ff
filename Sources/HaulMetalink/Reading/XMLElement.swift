/// The start of an element, as the XML parser tells it.
struct XMLElement {
  /// The name without its prefix.
  let name: String
  /// The address of its namespace; empty without one.
  let namespace: String
  /// The attributes without a namespace.
  let attributes: [String: String]
}

extension String {
  /// The text without white space of XML at both ends.
  var trimmingXMLSpace: String {
    let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
    let start = utf8.drop(while: isSpace)
    guard let last = start.lastIndex(where: { !isSpace($0) }) else { return "" }
    return String(Substring(start[...last]))
  }

  /// The number that decimal digits spell; nil for anything else, signs too, or on overflow.
  var decimal: Int64? {
    guard !isEmpty, utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int64(self)
  }
}
