/// Encoded words (RFC 2047), which belong into mail but are also found in names of files.
enum EncodedWords {
  /// The text with its encoded words decoded.
  ///
  /// White space between two words is dropped, and a character may be split between words of the
  /// same character set. A word that cannot be decoded stays as it is.
  static func decode(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "?")) else { return text }
    var rest = Array(text.utf8)[...]
    var output = ""
    var plain: [UInt8] = []
    var run: Run?

    while let first = rest.first {
      guard let word = Word(startOf: rest) else {
        plain.append(first)
        rest = rest.dropFirst()
        continue
      }
      rest = rest.dropFirst(word.source.count)
      let continuesRun =
        run?.charset == word.charset && plain.allSatisfy { $0.isFieldSpace }
      if continuesRun {
        run?.append(word, after: plain)
      } else {
        if run == nil || !plain.allSatisfy({ $0.isFieldSpace }) {
          output += (run?.text ?? "") + String(decoding: plain, as: UTF8.self)
        } else {
          output += run?.text ?? ""
        }
        run = Run(word)
      }
      plain.removeAll()
    }
    return output + (run?.text ?? "") + String(decoding: plain, as: UTF8.self)
  }

  /// Adjacent words of one character set.
  private struct Run {
    let charset: String
    var bytes: [UInt8]
    var source: [UInt8]

    init(_ word: Word) {
      charset = word.charset
      bytes = word.bytes
      source = Array(word.source)
    }

    var text: String {
      Charset.decode(bytes, charset: charset) ?? String(decoding: source, as: UTF8.self)
    }

    mutating func append(_ word: Word, after space: [UInt8]) {
      bytes += word.bytes
      source += space + word.source
    }
  }

  /// One word: `=?charset?encoding?text?=`.
  private struct Word {
    let charset: String
    let bytes: [UInt8]
    let source: ArraySlice<UInt8>

    /// Reads a word at the start of some bytes; nil when there is none, or in no known encoding.
    init?(startOf input: ArraySlice<UInt8>) {
      let question = UInt8(ascii: "?")
      guard input.starts(with: "=?".utf8) else { return nil }
      var rest = input.dropFirst(2)

      guard let charsetEnd = rest.prefix(64).firstIndex(of: question) else { return nil }
      // A language may follow the character set (RFC 2231 §5).
      let name = rest[..<charsetEnd].prefix { $0 != UInt8(ascii: "*") }
      charset = String(decoding: name, as: UTF8.self).asciiLowercased
      rest = rest[(charsetEnd + 1)...]

      guard let encoding = rest.first?.asciiLowercased, rest.dropFirst().first == question else {
        return nil
      }
      rest = rest.dropFirst(2)
      guard let end = rest.firstIndex(of: question),
        rest[end...].dropFirst().first == UInt8(ascii: "=")
      else { return nil }
      let decoded =
        switch encoding {
        case UInt8(ascii: "b"): Base64.decode(rest[..<end])
        case UInt8(ascii: "q"): Self.decodeQuotedPrintable(rest[..<end])
        default: [UInt8]?.none
        }
      guard let decoded else { return nil }
      bytes = decoded
      source = input[...(end + 1)]
    }

    private static func decodeQuotedPrintable(_ text: ArraySlice<UInt8>) -> [UInt8]? {
      var bytes: [UInt8] = []
      var rest = text
      while let byte = rest.popFirst() {
        switch byte {
        case UInt8(ascii: "_"): bytes.append(0x20)
        case UInt8(ascii: "="):
          guard let high = rest.popFirst()?.hexValue, let low = rest.popFirst()?.hexValue else {
            return nil
          }
          bytes.append(high << 4 | low)
        default: bytes.append(byte)
        }
      }
      return bytes
    }
  }
}
