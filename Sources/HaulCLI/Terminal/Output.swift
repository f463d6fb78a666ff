import Glibc

/// Standard output and standard error, written without buffering, so that nothing is lost when
/// the program is killed.
enum Output {
  /// Whether all of it was written.
  @discardableResult
  static func write(_ text: String, to descriptor: Int32) -> Bool {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      // The pointer and the count are those of the slice.
      let written = unsafe bytes.withUnsafeBytes {
        unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if written > 0 {
        bytes = bytes.dropFirst(written)
      } else if errno != EINTR && errno != EAGAIN {
        return false
      }
    }
    return true
  }

  /// Tells a result on standard output; whether it was written.
  @discardableResult
  static func result(_ line: String) -> Bool { write(line + "\n", to: 1) }

  static func message(_ line: String) { write("haul: " + harmless(line) + "\n", to: 2) }

  /// Messages quote what servers send; nothing of it may steer the terminal, break the line, or
  /// turn the direction of the text.
  static func harmless(_ line: String) -> String {
    let scalars = line.unicodeScalars.map { scalar -> Unicode.Scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
      default: scalar
      }
    }
    return String(String.UnicodeScalarView(scalars))
  }
}
