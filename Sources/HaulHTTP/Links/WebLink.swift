/// One link of a `Link` field (RFC 8288 §3), its target as it was written.
struct WebLink {
  /// The reference between the angle brackets, not yet resolved.
  let target: String
  /// The parameters in order: names in lower case, values without quotes, empty where there is none.
  let parameters: [(name: String, value: String)]

  /// The value of the first parameter of a name; those that repeat it mean nothing (RFC 8288 §3.3).
  func first(_ name: String) -> String? {
    parameters.first { $0.name == name }?.value
  }

  /// Whether the link has this relation type, in any case, alone or among others.
  func hasRelation(_ type: String) -> Bool {
    first("rel")?.utf8.split(whereSeparator: { $0.isFieldSpace })
      .contains { String(Substring($0)).equalsIgnoringASCIICase(type) } ?? false
  }

  /// The links of a field value. What cannot be read is passed over up to the next comma outside
  /// quotes, so that one malformed link does not hide the others.
  static func links(in value: String) -> [WebLink] {
    let (open, close) = (UInt8(ascii: "<"), UInt8(ascii: ">"))
    let comma = UInt8(ascii: ",")
    var links: [WebLink] = []
    var scanner = ByteScanner(value)
    while !scanner.isAtEnd {
      _ = scanner.take { $0.isFieldSpace || $0 == comma }
      if scanner.take(open) {
        let target = scanner.take { $0 != close }
        guard scanner.take(close) else { break }
        let parameters = takeParameters(&scanner)
        links.append(
          WebLink(target: String(decoding: target, as: UTF8.self), parameters: parameters))
      }
      skip(&scanner, to: comma)
    }
    return links
  }

  /// Reads parameters with the semicolon before each.
  private static func takeParameters(_ scanner: inout ByteScanner) -> [(
    name: String, value: String
  )] {
    let (semicolon, quote) = (UInt8(ascii: ";"), UInt8(ascii: "\""))
    var parameters: [(name: String, value: String)] = []
    while true {
      scanner.takeSpace()
      guard scanner.take(semicolon) else { return parameters }
      scanner.takeSpace()
      let name = scanner.take { $0.isTokenByte }
      scanner.takeSpace()
      var value = ""
      if scanner.take(UInt8(ascii: "=")) {
        scanner.takeSpace()
        if scanner.peek == quote {
          value = takeQuoted(&scanner)
        } else {
          let bytes = scanner.take {
            $0 != semicolon && $0 != UInt8(ascii: ",") && !$0.isFieldSpace
          }
          value = String(decoding: bytes, as: UTF8.self)
        }
      }
      guard !name.isEmpty else { continue }
      parameters.append((String(decoding: name, as: UTF8.self).asciiLowercased, value))
    }
  }

  /// Reads a quoted string (RFC 9110 §5.6.4); one without an end reaches to the end of the value.
  private static func takeQuoted(_ scanner: inout ByteScanner) -> String {
    let (quote, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
    var bytes: [UInt8] = []
    _ = scanner.take(quote)
    while let byte = scanner.take(), byte != quote {
      bytes.append(byte == backslash ? scanner.take() ?? byte : byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Passes over everything before the next separator outside quotes.
  private static func skip(_ scanner: inout ByteScanner, to separator: UInt8) {
    let quote = UInt8(ascii: "\"")
    while let byte = scanner.peek, byte != separator {
      if byte == quote { _ = takeQuoted(&scanner) } else { _ = scanner.take() }
    }
  }
}
