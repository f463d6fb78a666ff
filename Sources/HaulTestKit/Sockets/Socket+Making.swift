internal import Glibc
internal import Synchronization

extension Socket {
  private static func make() throws -> Socket {
    // Closed on exec, so that no child process keeps a connection open that the test ends.
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_INET, kind, 0)
    guard descriptor >= 0 else { throw KitError.call("socket", errno) }
    return Socket(descriptor: descriptor)
  }

  private static func withLoopback<R>(
    _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> R
  ) -> R {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
    // `sockaddr_in` may be read as the `sockaddr` that it begins with.
    return unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  /// Listens on a free port of 127.0.0.1.
  static func listening() throws -> (socket: Socket, port: UInt16) {
    let socket = try make()
    let port = try socket.bindToFreePort()
    guard listen(socket.descriptor, 1024) == 0 else { throw KitError.call("listen", errno) }
    _ = fcntl(socket.descriptor, F_SETFL, O_NONBLOCK)
    return (socket, port)
  }

  /// Reserves a free port of 127.0.0.1 for another process of the same user, which has to set
  /// `SO_REUSEPORT` or `SO_REUSEADDR` as well; connections reach only the one that listens.
  static func reserving() throws -> (socket: Socket, port: UInt16) {
    let socket = try make()
    socket.sharePort()
    return (socket, try socket.bindToFreePort())
  }

  private func bindToFreePort() throws -> UInt16 {
    let bound = unsafe Self.withLoopback(0) { unsafe bind(descriptor, $0, $1) }
    guard bound == 0 else { throw KitError.call("bind", errno) }
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    // At most `length` bytes are written, the size of `address`.
    let code = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(descriptor, $0, &length)
      }
    }
    guard code == 0 else { throw KitError.call("getsockname", errno) }
    return UInt16(bigEndian: address.sin_port)
  }

  /// Connects to a port of 127.0.0.1.
  static func connected(to port: UInt16) throws -> Socket {
    let socket = try make()
    let code = unsafe withLoopback(port) { unsafe connect(socket.descriptor, $0, $1) }
    guard code == 0 else { throw KitError.call("connect", errno) }
    socket.sendAtOnce()
    return socket
  }

  /// Waits for the next connection; nil once the listening socket is shut down.
  func accept() -> Socket? {
    while true {
      // The lock is not held while waiting; the listening socket itself does not block.
      _ = waitForInput(milliseconds: -1)
      let (descriptor, code) = Spawn.descriptorLock.withLock { _ in
        let descriptor = Glibc.accept(self.descriptor, nil, nil)
        if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        return (descriptor, errno)
      }
      guard descriptor < 0 else {
        let socket = Socket(descriptor: descriptor)
        socket.sendAtOnce()
        return socket
      }
      guard [EINTR, ECONNABORTED, EAGAIN].contains(code) else { return nil }
    }
  }
}
