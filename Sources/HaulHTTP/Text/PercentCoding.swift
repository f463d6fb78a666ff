/// Percent-encoding (RFC 3986 §2.1).
enum PercentCoding {
  /// The bytes that a text encodes, or nil when a `%` is not followed by two hexadecimal digits.
  static func decode(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var scanner = ByteScanner(text)
    while let byte = scanner.take() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = scanner.take()?.hexValue, let low = scanner.take()?.hexValue else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  /// The text that a text encodes, or nil when it is malformed or its bytes are not UTF-8.
  static func decodeUTF8(_ text: String) -> String? {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
    return decode(text).flatMap { String(validating: $0, as: UTF8.self) }
  }

  /// The text with spaces and all bytes outside ASCII encoded, and nothing else changed: an
  /// encoding that is already there keeps its exact spelling.
  static func encodeNonASCII(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == 0x20 || $0 >= 0x80 }) else { return text }
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if byte == 0x20 || byte >= 0x80 {
        bytes += [UInt8(ascii: "%"), upperHexDigit(byte >> 4), upperHexDigit(byte & 15)]
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func upperHexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? value + 0x30 : value - 10 + 0x41
  }
}
