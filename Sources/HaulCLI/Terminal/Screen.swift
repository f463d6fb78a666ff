/// The lines at the bottom of a terminal that are drawn again and again, and those that scroll up
/// above them.
///
/// It knows what it drew. The cursor rests below the last line, so that what the shell or the
/// keyboard writes begins on a line of its own, also when the program is killed.
struct Screen {
  private let rewraps: Bool
  private let isColoured: Bool
  private let write: (String) -> Void
  private var drawn: [StyledLine] = []
  /// The width for which they were drawn.
  private var columns = 0
  /// Lines that scroll up with the next drawing.
  private var waiting: [StyledLine] = []

  init(rewraps: Bool, isColoured: Bool, write: @escaping (String) -> Void) {
    self.rewraps = rewraps
    self.isColoured = isColoured
    self.write = write
  }

  /// Adds a line that stays; it appears with the next drawing.
  mutating func add(_ line: StyledLine) { waiting.append(line) }

  /// Shows these lines in place of those before, on a terminal of so many columns.
  ///
  /// Everything goes out in one piece, and nothing when nothing changed.
  mutating func draw(_ lines: [StyledLine], columns: Int) {
    guard !waiting.isEmpty || lines != drawn || columns < self.columns else { return }
    var text = Self.begin
    if waiting.isEmpty, drawn.isEmpty || columns == self.columns {
      text += home(columns)
    } else {
      // A row that the terminal broke is marked as such, until it is erased.
      text += erasure(columns)
      for line in waiting { text += line.rendered(isColoured: isColoured) + "\r\n" }
      waiting = []
    }
    // A terminal that draws a character wider than it should be cuts the line instead of breaking it.
    text += Self.cutLines
    for line in lines { text += line.rendered(isColoured: isColoured) + Self.eraseLine + "\r\n" }
    text += Self.breakLines + Self.eraseBelow + Self.end
    drawn = lines
    self.columns = columns
    write(text)
  }

  /// Takes the drawn lines away; lines that wait for their turn stay.
  mutating func erase(columns: Int) {
    guard !drawn.isEmpty || !waiting.isEmpty else { return }
    var text = erasure(columns)
    for line in waiting { text += line.rendered(isColoured: isColoured) + "\r\n" }
    drawn = []
    waiting = []
    write(text)
  }

  /// Takes it that others wrote to the terminal meanwhile: what was drawn is out of reach.
  mutating func forget() { drawn = [] }

  /// Moves the cursor to the first drawn line, which may take more rows now than when it was drawn.
  private func home(_ columns: Int) -> String {
    let rows = rewraps ? drawn.reduce(0) { $0 + $1.rows(at: columns) } : drawn.count
    return rows > 0 ? "\r\u{1B}[\(rows)A" : "\r"
  }

  /// Erases what is drawn, and moves the cursor to where it began.
  ///
  /// The first row is erased by itself: terminals that are told to erase everything from their first
  /// row on may keep it in what can be scrolled back to.
  private func erasure(_ columns: Int) -> String {
    drawn.isEmpty ? "" : home(columns) + Self.eraseLine + Self.down + Self.eraseBelow + Self.up
  }

  // ECMA-48: CUU, CUD, EL, ED; DEC private modes 7 (autowrap) and 2026 (synchronized output, which
  // terminals that do not know it ignore).
  private static let begin = "\u{1B}[?2026h"
  private static let end = "\u{1B}[?2026l"
  private static let cutLines = "\u{1B}[?7l"
  private static let breakLines = "\u{1B}[?7h"
  private static let up = "\u{1B}[A"
  private static let down = "\u{1B}[B"
  private static let eraseLine = "\u{1B}[K"
  private static let eraseBelow = "\u{1B}[J"
}
