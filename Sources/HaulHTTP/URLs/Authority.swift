/// The authority of an address (RFC 3986 §3.2): who is asked, and as whom.
struct Authority {
  /// User and password as given, percent-encoded, or nil.
  let userInfo: String?
  /// The host, with ASCII letters in lower case; an IPv6 address with its brackets.
  let host: String
  /// The port, or nil where none is given.
  let port: Int?

  /// Reads an authority such as `user:password@example.com:8443`.
  /// - Throws: `AddressError` for an empty or malformed host and for a port outside 1 to 65535.
  init(parsing text: String) throws(AddressError) {
    // Browsers take a backslash for a slash and other programs do not, so that they disagree about
    // the host of `https://a\@b/`. Nobody needs one here.
    guard !text.utf8.contains(UInt8(ascii: "\\")) else { throw .malformedHost }
    var rest = Substring(text)
    if let at = rest.utf8.lastIndex(of: UInt8(ascii: "@")) {
      userInfo = String(rest[..<at])
      rest = Substring(rest.utf8[at...].dropFirst())
    } else {
      userInfo = nil
    }

    let colon = UInt8(ascii: ":")
    var hostText = rest
    var portText = Substring()
    if rest.utf8.first == UInt8(ascii: "[") {
      guard let close = rest.utf8.firstIndex(of: UInt8(ascii: "]")) else { throw .malformedHost }
      hostText = rest[...close]
      let tail = rest.utf8[close...].dropFirst()
      guard tail.isEmpty || tail.first == colon else { throw .malformedHost }
      portText = Substring(tail.dropFirst())
      guard Self.isAddressLiteral(hostText.utf8.dropFirst().dropLast()) else {
        throw .malformedHost
      }
    } else {
      if let start = rest.utf8.firstIndex(of: colon) {
        hostText = rest[..<start]
        portText = Substring(rest.utf8[start...].dropFirst())
      }
      guard !hostText.isEmpty else { throw .missingHost }
      guard Self.isName(String(hostText)) else { throw .malformedHost }
    }
    host = String(hostText).asciiLowercased
    port = try Self.port(portText)
  }

  private static func port(_ text: Substring) throws(AddressError) -> Int? {
    guard !text.isEmpty else { return nil }
    guard let number = Int64(decimalDigits: text.utf8), (1...65_535).contains(number) else {
      throw .malformedPort
    }
    return Int(number)
  }

  /// Whether this looks like an IPv6 address, maybe with a zone (RFC 6874). Whether it is one is
  /// left to whoever connects.
  private static func isAddressLiteral(_ text: Substring.UTF8View) -> Bool {
    let colons = text.reduce(0) { $0 + ($1 == UInt8(ascii: ":") ? 1 : 0) }
    let parts = text.split(
      separator: UInt8(ascii: "%"), maxSplits: 1, omittingEmptySubsequences: false)
    guard colons >= 2, let address = parts.first, address.contains(UInt8(ascii: ":")) else {
      return false
    }
    let isAddress = address.allSatisfy {
      $0.hexValue != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".")
    }
    guard parts.count == 2 else { return isAddress }
    let isZone = parts[1].allSatisfy {
      $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
        || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "~")
    }
    return isAddress && isZone && !parts[1].isEmpty
  }

  /// Whether this may be the name of a host, in ASCII, percent-encoded, or in Unicode as it stands
  /// before IDNA: nothing that separates, hides or breaks anything, encoded or not.
  private static func isName(_ text: String) -> Bool {
    guard let decoded = PercentCoding.decodeUTF8(text) else { return false }
    return decoded.unicodeScalars.allSatisfy { scalar in
      guard scalar.isASCII else {
        // Names in Persian and in scripts of India need the two joiners (RFC 5892, appendix A).
        let isJoiner = scalar.value == 0x200C || scalar.value == 0x200D
        return isJoiner || (!scalar.properties.isWhitespace && !scalar.isInvisible)
      }
      let byte = UInt8(truncatingIfNeeded: scalar.value)
      return !byte.isASCIIControl && !forbidden.contains(byte)
    }
  }

  private static let forbidden = Set(" \"#%/:<>?@[\\]^`{|}".utf8)
}
