/// Texts of others as a line on a terminal can hold them: nothing steers it, nothing is invisible,
/// and the width is known.
struct DisplayText: Sendable {
  /// Whether the terminal takes UTF-8; otherwise everything is put in ASCII.
  let isUTF8: Bool

  /// The mark for what was left out.
  var ellipsis: String { isUTF8 ? "…" : "..." }

  /// The text with a visible mark for each character that shows nothing, moves the cursor, turns
  /// the direction of the text or is not known.
  ///
  /// Joiners and variation selectors are dropped: terminals disagree on the width of what they
  /// join, and agree on the width of the parts.
  func harmless(_ text: String) -> String {
    if text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return text }
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars where !Self.isJoiner(scalar) {
      if Self.isHarmful(scalar) {
        shown.append(isUTF8 ? "\u{FFFD}" : "?")
      } else if isUTF8 || scalar.isASCII {
        shown.append(scalar)
      } else if DisplayWidth.of(scalar) > 0 {
        shown.append("?")
      }
    }
    return String(shown)
  }

  private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\u{200C}" || scalar == "\u{200D}" || scalar.properties.isVariationSelector
  }

  private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: true
    default: scalar.properties.isDefaultIgnorableCodePoint
    }
  }

  /// A harmless name that takes at most so many columns. What is too long is left out of its middle:
  /// its start tells files apart, and its end has the number and the extension.
  func shortened(_ name: String, to columns: Int) -> String {
    guard DisplayWidth.of(name) > columns else { return name }
    let mark = DisplayWidth.of(ellipsis)
    guard columns > mark + 1 else { return prefix(of: name, columns) }
    let room = columns - mark
    let ending = DisplayWidth.of(Self.fileExtension(of: name))
    let end = ending < room ? max(ending, room / 2) : room / 2
    let tail = suffix(of: name, end)
    return prefix(of: name, room - DisplayWidth.of(tail)) + ellipsis + tail
  }

  /// From the last dot on, and from the one before it for packed archives: `.tar.gz`.
  private static func fileExtension(of name: String) -> Substring {
    guard let dot = name.lastIndex(of: ".") else { return "" }
    let stem = name[..<dot]
    return stem.hasSuffix(".tar") ? name[stem.index(stem.endIndex, offsetBy: -4)...] : name[dot...]
  }

  /// A harmless text that takes at most so many columns; its end is left out.
  func cut(_ text: String, to columns: Int) -> String {
    guard DisplayWidth.of(text) > columns else { return text }
    let mark = DisplayWidth.of(ellipsis)
    return columns > mark ? prefix(of: text, columns - mark) + ellipsis : prefix(of: text, columns)
  }

  private func prefix(of text: String, _ columns: Int) -> String {
    var width = 0
    return String(
      text.prefix { character in
        width += DisplayWidth.of(String(character))
        return width <= columns
      })
  }

  private func suffix(of text: String, _ columns: Int) -> String {
    String(prefix(of: String(text.reversed()), columns).reversed())
  }
}

extension DisplayText {
  /// What a file is called while it is fetched: the name that it will have, or, as long as that is
  /// not known, the end of its address, or the host.
  func name(path: String?, url: String) -> String {
    if let name = path?.split(separator: "/").last { return harmless(String(name)) }
    let address = url.prefix { $0 != "?" && $0 != "#" }
    let parts = address.split(separator: "/")
    return harmless(parts.last.map(String.init) ?? url)
  }
}
