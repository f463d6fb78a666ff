/// What is looked at before the XML parser sees a document.
enum TextRules {
  /// The most equals signs before the next tag. The parser compares each attribute of a tag with
  /// all others, so that a tag of half a million would keep it busy for a minute.
  static let maximumAttributeCount = 1024

  /// Refuses other encodings than UTF-8, and crowded tags.
  static func check(_ bytes: [UInt8]) throws(MetalinkError) {
    guard !bytes.isEmpty else { throw MetalinkError(.notXML, line: nil, "it is empty") }
    let isWide = bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE])
    if isWide || bytes.prefix(4).contains(0) { throw wrongEncoding("UTF-16") }
    try checkBeginning(bytes)
    var line = 1
    var attributes = 0
    var last: UInt8 = 0
    for byte in bytes {
      switch byte {
      case 0: throw MetalinkError(.notXML, line: line, "it holds a zero byte, and is no text")
      case UInt8(ascii: "\n"): line += 1
      case UInt8(ascii: "<"): attributes = 0
      // Not each sign of a ruled line in a comment.
      case UInt8(ascii: "=") where last != byte: attributes += 1
      default: break
      }
      guard attributes <= maximumAttributeCount else {
        throw MetalinkError(
          .tooLarge, line: line, "a tag has more than \(maximumAttributeCount) attributes")
      }
      last = byte
    }
  }

  /// Most web pages begin in a way that no XML does, and deserve a better word than that.
  private static func checkBeginning(_ bytes: [UInt8]) throws(MetalinkError) {
    let isSpace = { (byte: UInt8) in byte <= 0x20 }
    let start = bytes.drop(while: isSpace)
    let word = String(decoding: start.prefix(14), as: UTF8.self).lowercased()
    guard word.hasPrefix("<!doctype html") || word.hasPrefix("<html") else { return }
    throw MetalinkMachine.webPage(bytes.prefix(while: isSpace).count { $0 == 0x0A } + 1)
  }

  static func wrongEncoding(_ name: String) -> MetalinkError {
    MetalinkError(
      .encoding, line: nil,
      "it is in \(shortened(name)), and Haul reads UTF-8; convert it with iconv, and change the "
        + "encoding in its first line")
  }
}
