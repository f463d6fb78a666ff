/// The five parts of a reference, exactly as given (RFC 3986 §4.1 and appendix B).
struct URLReference {
  /// The scheme, in lower case.
  var scheme: String?
  var authority: String?
  var path: String
  var query: String?
  var fragment: String?

  static let maximumByteCount = 65_536

  /// Splits a reference. Spaces at both ends do not count; inside, spaces and characters outside
  /// ASCII are let through, as servers send them.
  /// - Throws: `AddressError` when it is longer than 64 KiB or holds a control character of ASCII.
  init(parsing text: String) throws(AddressError) {
    guard text.utf8.count <= Self.maximumByteCount else { throw .tooLong }
    var bytes = Array(text.utf8)[...]
    while bytes.first == 0x20 { bytes.removeFirst() }
    while bytes.last == 0x20 { bytes.removeLast() }
    guard !bytes.contains(where: \.isASCIIControl) else { throw .controlCharacter }

    if let end = Self.schemeEnd(bytes) {
      scheme = String(decoding: bytes[..<end].map(\.asciiLowercased), as: UTF8.self)
      bytes = bytes[(end + 1)...]
    }
    fragment = Self.cut(&bytes, at: UInt8(ascii: "#"))
    query = Self.cut(&bytes, at: UInt8(ascii: "?"))
    let slash = UInt8(ascii: "/")
    if bytes.starts(with: [slash, slash]) {
      let rest = bytes.dropFirst(2)
      let end = rest.firstIndex(of: slash) ?? rest.endIndex
      authority = String(decoding: rest[..<end], as: UTF8.self)
      bytes = rest[end...]
    }
    path = String(decoding: bytes, as: UTF8.self)
  }

  /// Where the colon after a scheme stands, or nil when there is no scheme.
  private static func schemeEnd(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let first = bytes.first, first.isASCIILetter else { return nil }
    let end = bytes.firstIndex { byte in
      !byte.isASCIILetter && !byte.isASCIIDigit && byte != UInt8(ascii: "+")
        && byte != UInt8(ascii: "-") && byte != UInt8(ascii: ".")
    }
    guard let end, bytes[end] == UInt8(ascii: ":") else { return nil }
    return end
  }

  /// Removes the first such separator and everything after it, which is the result.
  private static func cut(_ bytes: inout ArraySlice<UInt8>, at separator: UInt8) -> String? {
    guard let index = bytes.firstIndex(of: separator) else { return nil }
    let tail = String(decoding: bytes[(index + 1)...], as: UTF8.self)
    bytes = bytes[..<index]
    return tail
  }
}
