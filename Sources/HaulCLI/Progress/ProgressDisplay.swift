import HaulTransfer

/// How progress is shown (`--progress`).
enum ProgressStyle: String, CaseIterable, Sendable {
  /// Bars on a terminal that can show them, lines elsewhere.
  case auto
  case bar
  case plain
  case none
}

/// Shows messages and progress on standard error: as bars with the messages scrolling up above them,
/// or as plain lines.
struct ProgressDisplay {
  private enum Mode {
    case bars, plain, none
  }

  private let mode: Mode
  private let isColoured: Bool
  private let board: Board
  private var screen: Screen
  private var tracker: ProgressTracker
  private var log = ProgressLog()
  private var isHeldBack = false

  init(_ options: GetOptions, _ terminal: Terminal) {
    mode =
      switch options.progress {
      case _ where options.isQuiet: .none
      case .none: .none
      case .bar: .bars
      // Bars would be in the middle of a file that is read on the same terminal.
      case .auto where options.isStreaming && Terminal.isOutputToo: .plain
      case .auto where terminal.isAddressable && Terminal.size != nil: .bars
      case .auto, .plain: .plain
      }
    isColoured =
      switch options.colour {
      case .always: true
      case .never: false
      case .auto: terminal.isAddressable && !terminal.refusesColour
      }
    board = Board(terminal)
    tracker = ProgressTracker(board.text)
    screen = Screen(rewraps: terminal.rewraps, isColoured: isColoured) { Output.write($0, to: 2) }
  }

  /// Whether lines are drawn that change.
  var drawsBars: Bool { mode == .bars }

  /// Tells something that stays.
  mutating func tell(_ message: StyledLine) {
    guard mode == .bars else {
      Output.write("haul: " + message.rendered(isColoured: isColoured) + "\n", to: 2)
      return
    }
    screen.add(message)
  }

  /// Makes way for text that others write to the same terminal: a reader of our output, perhaps.
  mutating func makeWay() {
    guard mode == .bars else { return }
    hide()
    isHeldBack = true
  }

  mutating func restart(_ file: Int) { tracker.restart(file) }

  mutating func show(_ run: RunStanding, _ ledger: RunLedger, now: Double) {
    switch mode {
    case .none: break
    case .plain:
      for line in log.lines(run.running, now: now) { tell(StyledLine(line)) }
    case .bars: draw(run, ledger, now)
    }
  }

  private mutating func draw(_ run: RunStanding, _ ledger: RunLedger, _ now: Double) {
    guard !isHeldBack else {
      isHeldBack = false
      return
    }
    guard Terminal.isForeground else { return hide() }
    forgetIfStopped()
    let size = Self.size
    let rows = Board.visibleRows(
      files: run.running.count, hasWhole: run.hasSeveral || run.isStopping, rows: size.rows)
    let view = tracker.view(run, ledger, rows: rows, now: now)
    // The last column stays free: not all terminals agree on when a line is full.
    screen.draw(board.lines(view, columns: size.columns - 1), columns: size.columns)
  }

  /// Takes the bars away; what was told stays.
  mutating func hide() {
    guard mode == .bars else { return }
    forgetIfStopped()
    screen.erase(columns: Self.size.columns)
  }

  /// While the program was stopped others wrote to the terminal, and what was drawn is out of reach.
  private mutating func forgetIfStopped() {
    if TerminalSignals.takeReturn() { screen.forget() }
  }

  private static var size: Terminal.Size { Terminal.size ?? Terminal.Size(columns: 80, rows: 24) }
}
