/// What is looked at before the XML parser sees a document.
enum TextRules {
  /// Refuses other encodings than UTF-8, as far as the first bytes tell, zero bytes, and web pages.
  static func check(_ bytes: [UInt8]) throws(MetalinkError) {
    guard !bytes.isEmpty else { throw MetalinkError(.notXML, line: nil, "it is empty") }
    let isWide = bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE])
    if isWide || bytes.prefix(4).contains(0) { throw wrongEncoding("UTF-16") }
    try checkBeginning(bytes)
    if let zero = bytes.firstIndex(of: 0) {
      throw MetalinkError(
        .notXML, line: bytes[..<zero].count { $0 == UInt8(ascii: "\n") } + 1,
        "it holds a zero byte, and is no text")
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
