internal import Glibc
internal import Synchronization

/// A pipe; both ends are closed on exec, and with the last reference.
struct Pipe {
  let reading: FileDescriptor
  let writing: FileDescriptor

  init() throws {
    var ends: [Int32] = [-1, -1]
    let code = Spawn.descriptorLock.withLock { _ in
      // The array has room for the two descriptors that are written.
      let code = unsafe pipe(&ends)
      for end in ends where code == 0 { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      return code
    }
    guard code == 0 else { throw KitError.call("pipe", errno) }
    reading = FileDescriptor(ends[0])
    writing = FileDescriptor(ends[1])
  }
}

/// Owns a descriptor.
final class FileDescriptor: Sendable {
  let number: Int32

  init(_ number: Int32) {
    self.number = number
  }

  deinit {
    _ = Glibc.close(number)
  }

  /// Reads what is there, waiting for the first byte; nil at the end.
  func read() -> [UInt8]? {
    // The closure says how many bytes it has initialised.
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, filled in
      repeat {
        // At most as many bytes are written as the buffer has room for.
        filled = unsafe Glibc.read(number, buffer.baseAddress, 65_536)
      } while filled < 0 && errno == EINTR
      filled = max(0, filled)
    }
    return bytes.isEmpty ? nil : bytes
  }

  /// Writes all bytes; false when nobody reads any more.
  ///
  /// `SIGPIPE` is held back on this thread and taken away if it came.
  func write(_ bytes: [UInt8]) -> Bool {
    var pipeSignal = sigset_t()
    var old = sigset_t()
    // The signal sets are local variables.
    unsafe sigemptyset(&pipeSignal)
    unsafe sigaddset(&pipeSignal, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &pipeSignal, &old)
    defer { unsafe _ = pthread_sigmask(SIG_SETMASK, &old, nil) }
    var rest = bytes[...]
    while !rest.isEmpty {
      // The pointer is used within the call only.
      let written = unsafe rest.withUnsafeBytes {
        unsafe Glibc.write(number, $0.baseAddress, $0.count)
      }
      if written < 0 && errno == EINTR { continue }
      guard written > 0 else {
        var none = timespec()
        unsafe sigtimedwait(&pipeSignal, nil, &none)
        return false
      }
      rest = rest.dropFirst(written)
    }
    return true
  }
}
