/// The two character sets that header fields still use (RFC 8187 §3.2.1).
enum Charset {
  /// The text of some bytes; nil for another character set and for malformed UTF-8.
  static func decode(_ bytes: [UInt8], charset: String) -> String? {
    switch charset.asciiLowercased {
    case "utf-8", "utf8", "us-ascii":
      return String(validating: bytes, as: UTF8.self)
    case "iso-8859-1", "latin1":
      var text = String.UnicodeScalarView()
      text.append(contentsOf: bytes.map { Unicode.Scalar($0) })
      return String(text)
    default:
      return nil
    }
  }
}
