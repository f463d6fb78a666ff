internal import HaulHTTP

/// A line of a head without its end.
struct HeadLine {
  private let bytes: [UInt8]

  init(_ line: RawSpan) {
    // The span lives through the call, and the bytes are copied.
    bytes = unsafe line.withUnsafeBytes { all in
      let end = unsafe all.lastIndex { $0 != 0x0D && $0 != 0x0A }.map { $0 + 1 } ?? 0
      return unsafe [UInt8](all[..<end])
    }
  }

  var isEmpty: Bool { bytes.isEmpty }

  /// Whether the line continues the one before it (RFC 9112 §5.2).
  var isContinuation: Bool { bytes.first.map(Self.isSpace) ?? false }

  /// All of it, without spaces at its ends.
  var text: String { text(trimmed(0..<bytes.count)) }

  /// What stands before the first colon, and after it; nil without a colon.
  var field: (name: String, isNameExact: Bool, value: String)? {
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let name = trimmed(0..<colon)
    let value = trimmed(colon + 1..<bytes.count)
    let spelled = text(name)
    let isAddress = spelled.equalsIgnoringASCIICase("Location")
    return (spelled, name.count == colon, isAddress ? Self.address(bytes[value]) : text(value))
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, Self.isSpace(bytes[end - 1]) { end -= 1 }
    while start < end, Self.isSpace(bytes[start]) { start += 1 }
    return start..<end
  }

  /// UTF-8 where it is valid, ISO 8859-1 otherwise.
  private func text(_ range: Range<Int>) -> String {
    String(validating: bytes[range], as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes[range].map { Unicode.Scalar($0) }))
  }

  /// An address has bytes, not letters: a server finds its file by these very ones.
  private static func address(_ bytes: ArraySlice<UInt8>) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    return bytes.map { byte in
      byte < 0x80
        ? String(Unicode.Scalar(byte)) : "%" + String(byte, radix: 16, uppercase: true)
    }.joined()
  }
}
