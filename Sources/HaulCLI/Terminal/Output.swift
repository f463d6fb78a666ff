import CHaulSystem
import Glibc

/// Standard output and standard error, written without buffering, so that nothing is lost when
/// the program is killed.
enum Output {
  static func write(_ text: String, to descriptor: Int32) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      // The pointer and the count are those of the slice.
      let written = unsafe bytes.withUnsafeBytes {
        unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if written > 0 {
        bytes = bytes.dropFirst(written)
      } else if errno != EINTR && errno != EAGAIN {
        return
      }
    }
  }

  static func result(_ line: String) { write(line + "\n", to: 1) }

  static func message(_ line: String) { write("haul: " + line + "\n", to: 2) }

  /// The width of the terminal on standard error, or nil when there is none.
  static var terminalColumns: Int? {
    guard isatty(2) == 1 else { return nil }
    let columns = Int(haul_terminal_columns(2))
    return columns > 0 ? columns : 80
  }
}
