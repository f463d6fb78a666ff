/// Reads the name of a file from a `Content-Disposition` field (RFC 6266).
public enum ContentDisposition {
  /// The name that a field value proposes, or nil.
  ///
  /// `filename*` (RFC 8187, in UTF-8 or ISO 8859-1) comes before `filename`. The latter is read as
  /// servers write it: with or without quotes, with spaces, percent-encoded, in raw UTF-8, or in
  /// encoded words of mail (RFC 2047). A backslash escapes only a quote or a backslash, so that
  /// paths of Windows keep theirs.
  ///
  /// The result is raw: it may hold separators and control characters, and must go through
  /// `FileName.safe` before it names a file.
  public static func fileName(_ value: String) -> String? {
    var plain: String?
    for parameter in parameters(value) {
      switch parameter.name {
      case "filename*":
        if let name = decodeExtended(parameter.value), !name.isEmpty { return name }
      case "filename":
        if plain == nil, !parameter.value.isEmpty { plain = decodePlain(parameter.value) }
      default: break
      }
    }
    return plain
  }

  private struct Parameter {
    /// In lower case.
    let name: String
    /// Without quotes.
    let value: String
  }

  private static func parameters(_ value: String) -> [Parameter] {
    let (semicolon, equals) = (UInt8(ascii: ";"), UInt8(ascii: "="))
    var parameters: [Parameter] = []
    var scanner = ByteScanner(value)
    while !scanner.isAtEnd {
      let name = scanner.take { $0 != semicolon && $0 != equals }
      if scanner.take(equals) {
        scanner.takeSpace()
        let isQuoted = scanner.peek == UInt8(ascii: "\"")
        let value = isQuoted ? takeQuoted(&scanner) : takeUnquoted(&scanner)
        let nameText = String(decoding: name, as: UTF8.self)
        parameters.append(
          Parameter(name: nameText.trimmingFieldSpace.asciiLowercased, value: value))
        // Whatever stands between a closing quote and the next semicolon means nothing.
        _ = scanner.take { $0 != semicolon }
      }
      _ = scanner.take(semicolon)
    }
    return parameters
  }

  private static func takeUnquoted(_ scanner: inout ByteScanner) -> String {
    let bytes = scanner.take { $0 != UInt8(ascii: ";") }
    return String(decoding: bytes, as: UTF8.self).trimmingFieldSpace
  }

  /// Reads a quoted string; a missing closing quote ends it at the end of the value.
  private static func takeQuoted(_ scanner: inout ByteScanner) -> String {
    let (quote, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
    var bytes: [UInt8] = []
    _ = scanner.take(quote)
    while let byte = scanner.take(), byte != quote {
      let next = scanner.peek
      if byte == backslash, next == quote || next == backslash, let escaped = scanner.take() {
        bytes.append(escaped)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The text of an extended value: `UTF-8'en'%e2%82%ac`.
  private static func decodeExtended(_ value: String) -> String? {
    let parts = value.utf8.split(
      separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let bytes = PercentCoding.decode(String(Substring(parts[2]))) else {
      return nil
    }
    return Charset.decode(bytes, charset: String(Substring(parts[0])))
  }

  private static func decodePlain(_ value: String) -> String {
    let words = EncodedWords.decode(value)
    if !words.hasSameBytes(as: value) { return words }
    return PercentCoding.decodeUTF8(value) ?? value
  }
}
