/// A text in the mdoc language of manual pages, made so that mandoc, groff and every other formatter
/// show exactly the characters that were given (mdoc(7), roff(7), groff_char(7)).
struct Mdoc {
  private(set) var source = ""

  /// One line with a macro; each argument is shown as it is.
  mutating func macro(_ name: String, _ arguments: String...) {
    source += ([".\(name)"] + arguments.map(Self.argument)).joined(separator: " ") + "\n"
  }

  /// One line that calls macros: its words are macros and arguments that were made already.
  mutating func line(_ text: String) { source += text + "\n" }

  /// Sentences. Options, variables and paths among them are marked as such.
  mutating func prose(_ text: String) {
    var pending = ""
    for word in text.split(separator: " ") {
      if let marked = Self.mark(word) {
        flush(&pending)
        source += ".\(marked)\n"
        continue
      }
      if pending.count + word.count > 90 { flush(&pending) }
      pending += (pending.isEmpty ? "" : " ") + Self.escaped(word)
      // A sentence that ends with its line gets the space that belongs behind it.
      if word.last == "." || word.last == "?" { flush(&pending) }
    }
    flush(&pending)
  }

  /// Lines that are shown as they stand.
  mutating func literal(_ lines: [String]) {
    source += ".Bd -literal -offset indent\n"
    for text in lines { line(Self.protected(Self.escaped(text))) }
    source += ".Ed\n"
  }

  /// A list of terms with texts; `width` is a text as long as the terms.
  mutating func tagged(width: String, isCompact: Bool = false, _ body: (inout Mdoc) -> Void) {
    line(".Bl -tag -width \(Self.argument(width))" + (isCompact ? " -compact" : ""))
    body(&self)
    line(".El")
  }

  private mutating func flush(_ pending: inout String) {
    guard !pending.isEmpty else { return }
    line(Self.protected(pending))
    pending = ""
  }
}

extension Mdoc {
  /// The words of a term as a line of macros: variables, options and paths as what they are.
  static func marks(_ term: String) -> String {
    term.split(separator: " ").map { mark($0) ?? "No \(argument(String($0)))" }
      .joined(separator: " ")
  }

  /// The macro for a word of a text that is an option, a variable or a path, or nil for plain words.
  /// Punctuation behind the word stands apart, so that it is not set like the word.
  private static func mark(_ word: Substring) -> String? {
    let end = word.lastIndex { !".,;:?!)".contains($0) } ?? word.startIndex
    guard let first = word.first else { return nil }
    let core = word[...end]
    let tail = word[word.index(after: end)...].map { " \($0)" }.joined()
    if first == "-", isOption(core) { return "Fl " + argument(String(core.dropFirst())) + tail }
    if isVariable(core) { return "Ev " + argument(String(core)) + tail }
    if isPath(core) { return "Pa " + argument(String(core)) + tail }
    return nil
  }

  private static func isOption(_ word: Substring) -> Bool {
    guard
      word.dropFirst().allSatisfy({
        $0.isASCII && ($0.isLetter || "-.=".contains($0) || $0.isNumber)
      })
    else { return false }
    return word.hasPrefix("--") ? word.count > 3 : word.count == 2 && word != "--"
  }

  private static func isVariable(_ word: Substring) -> Bool {
    let name = word.prefix { $0 != "=" }
    return (name.contains("_") && name.last != "_" || name == "HAUL_")
      && name.allSatisfy { $0.isASCII && ($0.isLetter || $0 == "_") }
      && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_=".contains($0)) }
  }

  private static func isPath(_ word: Substring) -> Bool {
    let isNamed = word.hasPrefix("~/") || word.hasPrefix("$XDG") || word.contains(".haul-")
    return isNamed
      && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "~/$_.-".contains($0)) }
  }

  /// A text as one argument of a macro line.
  static func argument(_ text: String) -> String {
    let text = escaped(text[...])
    // A short word could be the name of a macro, and a lone character could be punctuation.
    let plain = text.count <= 3 ? "\\&" + text : text
    return text.isEmpty || text.contains(" ") ? "\"\(plain)\"" : plain
  }

  /// A text without anything that a formatter would take for its own.
  private static func escaped(_ text: Substring) -> String {
    escaped(String(text))
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\e"
      // As plain characters these are shown as typographic ones, which no shell understands.
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      // It would begin or end an argument.
      case "\"": result += "\\(dq"
      case "“": result += "\\(lq"
      case "”": result += "\\(rq"
      case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
      default:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result += "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
      }
    }
    return result
  }

  /// A line of text that cannot be taken for a request.
  private static func protected(_ line: String) -> String {
    line.first == "." || line.first == "'" || line.first == " " ? "\\&" + line : line
  }
}
