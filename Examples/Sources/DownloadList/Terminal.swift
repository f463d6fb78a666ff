#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The terminal, which gives each key at once while this has it, and is as it was afterwards.
struct Terminal: ~Copyable {
  private let before: termios

  init() {
    var settings = termios()
    // The structure lives through the call.
    _ = unsafe tcgetattr(STDIN_FILENO, &settings)
    before = settings
    enter()
  }

  deinit { leave() }

  /// Without echo and lines; Ctrl-C and Ctrl-Z still send their signals.
  private func enter() {
    var settings = before
    settings.c_lflag &= ~tcflag_t(ECHO | ICANON)
    // The structure lives through the call.
    _ = unsafe tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
    // A screen of its own, no cursor, and no line that goes on in the next row.
    write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l")
  }

  private func leave() {
    write("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
    var settings = before
    // The structure lives through the call.
    _ = unsafe tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
  }

  /// Stops the process until the shell lets it go on.
  func suspend() {
    leave()
    raise(SIGSTOP)
    enter()
  }

  var size: (columns: Int, rows: Int) {
    var size = winsize()
    // The structure lives through the call, which fills it.
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return (80, 24)
    }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  func draw(_ lines: [String]) {
    let rows = lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n")
    write("\u{1B}[H\(rows)\u{1B}[J")
  }
}
