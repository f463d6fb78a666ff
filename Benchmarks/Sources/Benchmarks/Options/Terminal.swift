import Glibc

/// The standard streams, without buffers.
enum Terminal {
  static func result(_ text: String) { write(text, to: 1) }

  static func message(_ text: String) { write("benchmarks: \(text)\n", to: 2) }

  private static func write(_ text: String, to descriptor: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      // The pointer is used within the call only.
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
