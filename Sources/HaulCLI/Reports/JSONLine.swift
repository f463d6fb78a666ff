/// One JSON object on a line of its own (RFC 8259).
struct JSONLine {
  private(set) var text = "{"

  mutating func add(_ name: String, _ value: String?) { add(name, raw: value.map(Self.quoted)) }

  mutating func add(_ name: String, _ value: Int64?) { add(name, raw: value.map(String.init)) }

  mutating func add(_ name: String, _ value: Bool?) {
    add(name, raw: value.map { $0 ? "true" : "false" })
  }

  /// Adds a number; one that JSON has no form for becomes null.
  mutating func add(_ name: String, _ value: Double) {
    guard value.isFinite else { return add(name, raw: nil) }
    let thousandths = (min(max(value, -9e15), 9e15) * 1000).rounded() / 1000
    add(name, raw: "\(thousandths)")
  }

  /// Adds an array with an object for each value.
  mutating func add<Value>(
    _ name: String, _ values: [Value], _ fill: (Value, inout JSONLine) -> Void
  ) {
    let objects = values.map { value in
      var object = JSONLine()
      fill(value, &object)
      return object.line
    }
    add(name, raw: "[" + objects.joined(separator: ",") + "]")
  }

  /// The object with its end.
  var line: String { text + "}" }

  private mutating func add(_ name: String, raw: String?) {
    if text.utf8.count > 1 { text += "," }
    text += "\(Self.quoted(name)):\(raw ?? "null")"
  }

  private static func quoted(_ value: String) -> String {
    var text = "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      // Controls must be escaped; the rest of these would break lines or turn text for readers
      // that show them as they are.
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}"..."\u{202E}",
        "\u{2066}"..."\u{2069}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}
