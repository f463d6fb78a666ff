/// Draws bars of a given width, of lines or in ASCII.
struct ProgressBar: Sendable {
  let hasLines: Bool

  /// Adds a bar that is filled up to a part, from 0 to 1.
  func draw(_ share: Double, width: Int, on line: inout StyledLine) {
    guard width > 2 else { return line.add(blanks(width)) }
    guard hasLines else {
      let inner = width - 2
      let filled = min(inner, max(0, Int(share * Double(inner))))
      let head = filled < inner ? ">" : ""
      line.add("[" + repeated("=", filled) + head + blanks(inner - filled - head.count) + "]")
      return
    }
    let halves = min(width * 2, max(0, Int(share * Double(width * 2))))
    line.add(repeated("━", halves / 2) + (halves % 2 == 1 ? "╸" : ""), .good)
    line.add(repeated("─", width - (halves + 1) / 2), .faint)
  }

  /// Adds a bar with a mark that goes to and fro, one column with each step.
  func drawMark(at step: Int, width: Int, on line: inout StyledLine) {
    let inner = hasLines ? width : width - 2
    let way = inner - 3
    guard way > 0 else { return line.add(blanks(width)) }
    let turn = step % (2 * way)
    let position = turn <= way ? turn : 2 * way - turn
    guard hasLines else {
      line.add("[" + blanks(position) + "<=>" + blanks(way - position) + "]")
      return
    }
    line.add(repeated("─", position), .faint)
    line.add("━━━", .good)
    line.add(repeated("─", way - position), .faint)
  }

  private func repeated(_ text: String, _ count: Int) -> String {
    String(repeating: text, count: max(0, count))
  }

  private func blanks(_ count: Int) -> String { repeated(" ", count) }
}
