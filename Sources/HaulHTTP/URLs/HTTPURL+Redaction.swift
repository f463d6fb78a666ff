extension HTTPURL {
  /// The address as it may be shown, logged and stored where others can read.
  ///
  /// User, password and fragment are left out. A value in the query, or of a parameter in the path
  /// (`;key=value`), is replaced by `***` when its key looks like that of a secret, when it has 16
  /// bytes or more, or when it may hold a nested query or address. Spaces are
  /// percent-encoded; invisible characters are written as `\u{202E}`.
  public var redacted: String {
    let shownQuery = query.map { "?" + Self.redactedQuery($0) } ?? ""
    return Self.escaped("\(scheme)://\(authorityText)\(Self.redactedPath(path))\(shownQuery)")
  }

  private static let mark = "***"
  private static let longestShownValue = 15
  private static let longestShownKey = 32

  private static let secretWords = [
    "auth", "code", "cred", "hash", "hmac", "jwt", "key", "login", "nonce", "otp", "pass",
    "policy", "pwd", "secret", "session", "sid", "sig", "ticket", "token", "x-amz-", "x-goog-",
  ].map { Array($0.utf8) }

  private static func redactedQuery(_ query: String) -> String {
    let pairs = query.utf8.split(
      separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
    return pairs.map { redactedPair(Substring($0)) }.joined(separator: "&")
  }

  private static func redactedPath(_ path: String) -> String {
    guard path.utf8.contains(UInt8(ascii: ";")) else { return path }
    let segments = path.utf8.split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return segments.map { segment in
      let parts = segment.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      return parts.enumerated().map { index, part in
        let text = Substring(part)
        return index == 0 ? String(text) : redactedPair(text)
      }.joined(separator: ";")
    }.joined(separator: "/")
  }

  /// `key=value` with the value replaced where it may be secret. A key alone may be one, too, and
  /// then what looks like its value may be nothing but the padding of Base 64.
  private static func redactedPair(_ pair: Substring) -> String {
    let equals = UInt8(ascii: "=")
    guard let end = pair.utf8.firstIndex(of: equals) else {
      return mayShow(value: pair) ? String(pair) : mark
    }
    let key = pair[..<end]
    let value = Substring(pair.utf8[end...].dropFirst())
    if value.utf8.allSatisfy({ $0 == equals }) {
      return mayShow(value: key) ? String(pair) : mark
    }
    let isShown = mayShow(value: value) && !looksSecret(key: String(key))
    return "\(mayShow(key: key) ? String(key) : mark)=\(isShown ? String(value) : mark)"
  }

  private static func mayShow(key: Substring) -> Bool {
    key.utf8.count <= longestShownKey
      && key.utf8.allSatisfy { byte in
        byte.isASCIILetter || byte.isASCIIDigit || "-._~%[]$".utf8.contains(byte)
      }
  }

  private static func mayShow(value: Substring) -> Bool {
    value.utf8.count <= longestShownValue
      && value.utf8.allSatisfy { byte in
        byte.isASCIILetter || byte.isASCIIDigit || "-._~,+ ".utf8.contains(byte)
      }
  }

  private static func looksSecret(key: String) -> Bool {
    let decoded = PercentCoding.decode(key) ?? Array(key.utf8)
    let name = decoded.map(\.asciiLowercased)
    return secretWords.contains { word in
      name.indices.contains { name[$0...].starts(with: word) }
    }
  }

  private static func escaped(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) { return text }
    var shown = ""
    for scalar in text.unicodeScalars {
      if scalar == " " {
        shown += "%20"
      } else if scalar.isInvisible {
        shown += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }
}
