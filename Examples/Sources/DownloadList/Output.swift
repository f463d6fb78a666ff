#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Writes a text at once, without a buffer that would be lost when the process is killed.
func write(_ text: String, to file: Int32 = STDOUT_FILENO) {
  var rest = Array(text.utf8)[...]
  while !rest.isEmpty {
    // The bytes live through the call, which reads as many as it is told.
    let count = unsafe rest.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
    if count > 0 {
      rest = rest.dropFirst(count)
    } else if errno != EINTR {
      return
    }
  }
}
