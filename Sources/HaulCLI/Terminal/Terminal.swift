import CHaulSystem
import Glibc

/// What is known of the terminal on standard error.
struct Terminal: Sendable {
  /// Columns and rows.
  struct Size: Hashable, Sendable {
    var columns: Int
    var rows: Int
  }

  /// Whether standard error is a terminal.
  let isThere: Bool
  /// Whether it obeys escape sequences (`TERM`).
  let isAddressable: Bool
  /// Whether it takes UTF-8, by the locale (POSIX §8.2).
  let isUTF8: Bool
  /// Whether it can show bars made of lines.
  let hasLines: Bool
  /// Whether the user asked for no colours (`NO_COLOR`, no-color.org).
  let refusesColour: Bool
  /// Whether it breaks long lines anew when it gets narrower. Those that are known not to cut them.
  let rewraps: Bool

  init(isThere: Bool, _ environment: EnvironmentSettings) {
    self.isThere = isThere
    let type = environment["TERM"] ?? "dumb"
    isAddressable = isThere && type != "dumb"
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first ?? "C"
    let charset = locale.lowercased().filter { $0 != "-" && $0 != "_" }
    isUTF8 = charset.contains(".utf8")
    // The fonts of the Linux console show thick and thin lines alike.
    hasLines = isUTF8 && type != "linux"
    refusesColour = environment["NO_COLOR"] != nil
    let isScreen = environment["STY"] != nil && environment["TMUX"] == nil
    rewraps = environment["XTERM_VERSION"] == nil && !isScreen && !type.hasPrefix("st-")
  }

  /// That of this process.
  static var current: Terminal { Terminal(isThere: isatty(2) == 1, EnvironmentSettings()) }

  /// The size now, or nil when it is not known.
  static var size: Size? {
    var (columns, rows): (Int32, Int32) = (0, 0)
    // Both numbers are local variables.
    guard unsafe haul_terminal_size(2, &columns, &rows) == 0, columns > 0, rows > 0 else {
      return nil
    }
    return Size(columns: Int(columns), rows: Int(rows))
  }

  /// Whether this process may draw: the shell has not put it into the background.
  static var isForeground: Bool {
    let group = tcgetpgrp(2)
    // Where it is no controlling terminal, or its group is not to be seen, nobody else has it.
    return group <= 0 || group == getpgrp()
  }

  /// Whether a program reads standard output; it may write to the same terminal.
  static var isOutputPiped: Bool {
    var output = stat()
    // The status is a local variable.
    guard unsafe fstat(1, &output) == 0 else { return false }
    return [S_IFIFO, S_IFSOCK].contains(output.st_mode & S_IFMT)
  }

  /// Whether standard output is the same terminal.
  static var isOutputToo: Bool {
    guard isatty(1) == 1, isatty(2) == 1 else { return false }
    var (output, error) = (stat(), stat())
    // Both are local variables.
    guard unsafe fstat(1, &output) == 0, unsafe fstat(2, &error) == 0 else { return false }
    return output.st_rdev == error.st_rdev
  }
}
