import Glibc

/// Reads whole files of settings.
enum SmallFile {
  /// Why a file was not read; the system's number is in `errno`.
  struct Unreadable: Error {}

  /// The bytes of a file, and whether others than its owner may read it.
  ///
  /// - Throws: `Unreadable` when it cannot be opened or read, or is longer than `limit`.
  static func read(
    _ path: String, atMost limit: Int
  ) throws(Unreadable) -> (bytes: [UInt8], isShared: Bool) {
    // The text is passed as a string that ends with NUL.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Unreadable() }
    defer { close(descriptor) }
    var status = stat()
    // The status is a local variable.
    let isShared = unsafe fstat(descriptor, &status) == 0 && status.st_mode & 0o044 != 0
    var bytes: [UInt8] = []
    while true {
      var got = -1
      let chunk = unsafe [UInt8](unsafeUninitializedCapacity: 16 * 1024) { buffer, count in
        repeat {
          // The buffer has the capacity that is passed.
          got = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        } while got < 0 && errno == EINTR
        count = max(0, got)
      }
      guard got >= 0 else { throw Unreadable() }
      if got == 0 { return (bytes, isShared) }
      bytes += chunk
      guard bytes.count <= limit else {
        errno = EFBIG
        throw Unreadable()
      }
    }
  }
}
