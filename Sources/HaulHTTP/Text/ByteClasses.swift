extension UInt8 {
  /// Whether this is a digit of ASCII.
  var isASCIIDigit: Bool { self >= 0x30 && self <= 0x39 }

  /// Whether this is a letter of ASCII.
  var isASCIILetter: Bool {
    let lower = self | 0x20
    return lower >= 0x61 && lower <= 0x7A
  }

  /// Whether this is a space or a horizontal tab (RFC 9110 §5.6.3).
  var isFieldSpace: Bool { self == 0x20 || self == 0x09 }

  /// Whether this is a control character of ASCII.
  var isASCIIControl: Bool { self < 0x20 || self == 0x7F }

  /// Whether this byte may stand in a token (RFC 9110 §5.6.2).
  var isTokenByte: Bool {
    if isASCIIDigit || isASCIILetter { return true }
    return switch self {
    case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"),
      UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
      UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "_"),
      UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  /// The value of a hexadecimal digit of either case, or nil.
  var hexValue: UInt8? {
    if isASCIIDigit { return self - 0x30 }
    let lower = self | 0x20
    return lower >= 0x61 && lower <= 0x66 ? lower - 0x61 + 10 : nil
  }
}

extension String {
  /// Whether both consist of the same bytes. `==` also calls canonically equivalent texts equal,
  /// which is wrong for validators and addresses: a server sees bytes.
  func hasSameBytes(as other: String) -> Bool {
    utf8.elementsEqual(other.utf8)
  }

  /// The text with its ASCII letters in lower case, every other character unchanged.
  var asciiLowercased: String {
    guard utf8.contains(where: { $0 != $0.asciiLowercased }) else { return self }
    return String(decoding: utf8.map(\.asciiLowercased), as: UTF8.self)
  }

  /// The text without spaces and tabs at both ends.
  var trimmingFieldSpace: String {
    guard utf8.first?.isFieldSpace == true || utf8.last?.isFieldSpace == true else { return self }
    let start = utf8.firstIndex { !$0.isFieldSpace } ?? utf8.endIndex
    let last = utf8.lastIndex { !$0.isFieldSpace }
    guard let last, start <= last else { return "" }
    return String(self[start...last])
  }

  /// The parts between commas (RFC 9110 §5.6.1), trimmed, with empty ones kept. Commas in quoted
  /// strings do not separate.
  var commaSeparatedParts: [String] {
    separated(by: UInt8(ascii: ","))
  }

  /// The parts between separators that stand outside quoted strings, trimmed.
  func separated(by separator: UInt8) -> [String] {
    let isOne = utf8.allSatisfy { $0 != separator && $0 != UInt8(ascii: "\"") }
    if isOne { return [trimmingFieldSpace] }
    var parts: [String] = []
    var part: [UInt8] = []
    var isQuoted = false
    var isEscaped = false
    for byte in utf8 {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
      } else if isQuoted, byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if !isQuoted, byte == separator {
        parts.append(String(decoding: part, as: UTF8.self).trimmingFieldSpace)
        part.removeAll(keepingCapacity: true)
        continue
      }
      part.append(byte)
    }
    parts.append(String(decoding: part, as: UTF8.self).trimmingFieldSpace)
    return parts
  }
}

extension Unicode.Scalar {
  /// Whether printing this scalar may move the cursor, change the direction of text, or show
  /// nothing at all: control and format characters and line separators.
  var isInvisible: Bool {
    if isASCII { return value < 0x20 || value == 0x7F }
    return switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
