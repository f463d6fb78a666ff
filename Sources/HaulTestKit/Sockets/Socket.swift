internal import Glibc
internal import Synchronization

/// A connected or listening TCP socket. It is closed by `close`, or with the last reference.
///
/// Blocking calls are made by its owner's threads; any other thread may end them with
/// `shutDown`.
final class Socket: Sendable {
  /// The descriptor; valid until `close`, which only the owner calls.
  let descriptor: Int32
  private let isOpen = Mutex(true)

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    close()
  }

  func close() {
    isOpen.withLock { isOpen in
      if isOpen { _ = Glibc.close(descriptor) }
      isOpen = false
    }
  }

  enum Direction {
    case reading, writing, both
  }

  /// Ends the connection in a direction, and with it the calls that are blocked in it.
  func shutDown(_ direction: Direction) {
    let how =
      switch direction {
      case .reading: SHUT_RD
      case .writing: SHUT_WR
      case .both: SHUT_RDWR
      }
    isOpen.withLock { isOpen in
      if isOpen { _ = shutdown(descriptor, Int32(how)) }
    }
  }

  /// Makes the next `close` send a reset instead of an orderly end.
  func resetOnClose() {
    set(SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
  }

  func sendAtOnce() {
    set(Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1))
  }

  func sharePort() {
    set(SOL_SOCKET, SO_REUSEPORT, Int32(1))
    set(SOL_SOCKET, SO_REUSEADDR, Int32(1))
  }

  private func set<Value: BitwiseCopyable>(_ level: Int32, _ option: Int32, _ value: Value) {
    var value = value
    // The option is of a trivial type and as long as is said.
    _ = unsafe setsockopt(
      descriptor, level, option, &value, socklen_t(MemoryLayout<Value>.size))
  }

  /// Reads what is there, waiting for the first byte; nil at the end or on a failure.
  func receive(atMost count: Int = 65_536) -> [UInt8]? {
    // The closure says how many bytes it has initialised.
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      repeat {
        // At most as many bytes are written as the buffer has room for.
        filled = unsafe recv(descriptor, buffer.baseAddress, count, 0)
      } while filled < 0 && errno == EINTR
      filled = max(0, filled)
    }
    return bytes.isEmpty ? nil : bytes
  }

  /// Sends all bytes; false when the peer has gone. Never raises `SIGPIPE`.
  func send(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = unsafe bytes[...]
    while unsafe !rest.isEmpty {
      let part = unsafe UnsafeRawBufferPointer(rebasing: rest)
      // `part` is valid for the length that is given.
      let sent = unsafe Glibc.send(
        descriptor, part.baseAddress, part.count, Int32(MSG_NOSIGNAL))
      if sent < 0 && errno == EINTR { continue }
      guard sent > 0 else { return false }
      unsafe rest = rest.dropFirst(sent)
    }
    return true
  }

  func send(_ bytes: [UInt8]) -> Bool {
    // The pointer is used within the call only.
    unsafe bytes.withUnsafeBytes { unsafe send($0) }
  }

  /// Waits until something can be read, or the end is there; false when the time is over.
  func waitForInput(milliseconds: Int) -> Bool {
    var entry = pollfd(descriptor: descriptor)
    // One entry is passed, and it is a local variable.
    return unsafe poll(&entry, 1, Int32(milliseconds)) > 0
  }

  /// Whether the peer has not ended its direction yet. Its end is known here as soon as its call returns,
  /// though a thread that sends or waits has not seen it.
  var hasPeer: Bool {
    isOpen.withLock { isOpen in
      guard isOpen else { return false }
      // POLLRDHUP, which the module of the C library leaves out.
      var entry = pollfd(fd: descriptor, events: 0x2000, revents: 0)
      // One entry is passed, and it is a local variable.
      return unsafe poll(&entry, 1, 0) == 0
    }
  }

  /// How many bytes the peer has not yet acknowledged.
  var unacknowledged: Int {
    var count: Int32 = 0
    // The request writes one C `int`.
    return unsafe ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 ? Int(count) : 0
  }
}

extension pollfd {
  fileprivate init(descriptor: Int32) {
    self.init(fd: descriptor, events: Int16(POLLIN), revents: 0)
  }
}
