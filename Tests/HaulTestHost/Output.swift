import Glibc

/// Where lines go, each in one piece and at once, so that nothing of it is lost with a process that is
/// killed.
enum Output: Int32 {
  case output = 1
  case error = 2

  func write(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    // The array lives through the call; a line is shorter than what a pipe takes at once.
    _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(rawValue, $0.baseAddress, $0.count) }
  }
}
