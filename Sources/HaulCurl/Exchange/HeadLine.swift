internal import HaulHTTP

/// A line of a head without its end.
struct HeadLine {
  private let bytes: [UInt8]

  init(_ line: RawSpan) {
    // The span lives through the call, and the bytes are copied.
    let all = unsafe line.withUnsafeBytes { unsafe [UInt8]($0) }
    let end = all.lastIndex { $0 != 0x0D && $0 != 0x0A }.map { $0 + 1 } ?? 0
    bytes = end == all.count ? all : Array(all[..<end])
  }

  var isEmpty: Bool { bytes.isEmpty }

  /// Whether the line continues the one before it (RFC 9112 §5.2).
  var isContinuation: Bool { bytes.first.map(Self.isSpace) ?? false }

  /// All of it, without spaces at its ends.
  var text: String { Self.text(Self.trimmed(bytes[...])) }

  /// What stands before the first colon, and after it; nil without a colon.
  var field: (name: String, isNameExact: Bool, value: String)? {
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let name = Self.trimmed(bytes[..<colon])
    let value = Self.trimmed(bytes[(colon + 1)...])
    let spelled = Self.text(name)
    let isAddress = spelled.equalsIgnoringASCIICase("Location")
    return (
      spelled, name.count == colon, isAddress ? Self.address(value) : Self.text(value)
    )
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var bytes = bytes
    while let last = bytes.last, isSpace(last) { bytes.removeLast() }
    return bytes.drop(while: isSpace)
  }

  /// UTF-8 where it is valid, ISO 8859-1 otherwise.
  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
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
