/// A line for a terminal: harmless texts, some of them in colour.
struct StyledLine: Hashable, Sendable {
  /// What a text is about. It says in colour what its words say anyway.
  enum Style: Hashable, Sendable {
    case plain, good, bad, waiting, faint

    /// The parameter of SGR (ECMA-48 §8.3.117), or nil for none.
    fileprivate var code: String? {
      switch self {
      case .plain: nil
      case .good: "32"
      case .bad: "31"
      case .waiting: "33"
      case .faint: "2"
      }
    }
  }

  private struct Span: Hashable, Sendable {
    var text: String
    var style: Style
  }

  private var spans: [Span] = []

  init() {}

  init(_ text: String, _ style: Style = .plain) {
    add(text, style)
  }

  mutating func add(_ text: String, _ style: Style = .plain) {
    guard !text.isEmpty else { return }
    if let last = spans.indices.last, spans[last].style == style {
      spans[last].text += text
    } else {
      spans.append(Span(text: text, style: style))
    }
  }

  /// Spaces up to a column.
  mutating func pad(to column: Int) {
    let missing = column - width
    if missing > 0 { add(String(repeating: " ", count: missing)) }
  }

  var text: String { spans.map(\.text).joined() }

  var isEmpty: Bool { spans.isEmpty }

  /// The columns that it takes.
  var width: Int { spans.reduce(0) { $0 + DisplayWidth.of($1.text) } }

  /// The line without the blanks at its end.
  var trimmed: StyledLine {
    var line = self
    while var last = line.spans.popLast() {
      while last.text.hasSuffix(" ") { last.text.removeLast() }
      if !last.text.isEmpty {
        line.spans.append(last)
        break
      }
    }
    return line
  }

  /// The line without what goes beyond so many columns.
  func cut(to columns: Int) -> StyledLine {
    guard width > columns else { return self }
    var line = StyledLine()
    var room = columns
    for span in spans {
      let kept = span.text.prefix { character in
        room -= DisplayWidth.of(String(character))
        return room >= 0
      }
      line.add(String(kept), span.style)
      if room < 0 { break }
    }
    return line
  }

  func rendered(isColoured: Bool) -> String {
    spans.map { span in
      guard isColoured, let code = span.style.code else { return span.text }
      return "\u{1B}[\(code)m\(span.text)\u{1B}[m"
    }.joined()
  }

  /// The rows that a terminal of this width gives it when it breaks what is too long.
  func rows(at columns: Int) -> Int {
    var rows = 1
    var column = 0
    for scalar in text.unicodeScalars {
      let width = DisplayWidth.of(scalar)
      // A wide character is not halved.
      if width > 0, column + width > columns, column > 0 {
        rows += 1
        column = 0
      }
      column += width
    }
    return rows
  }
}
