internal import Glibc

/// A real SOCKS 5 server (microsocks) on 127.0.0.1, with or without user and password.
///
/// It ends with `stop`, with the last reference, or with the test process.
public final class SOCKS5Server: Sendable {
  /// The port on 127.0.0.1.
  public let port: UInt16
  private let reservation: Socket
  private let process: ChildProcess

  /// Starts a server and waits until it listens.
  ///
  /// - Throws: `KitError` when microsocks is missing or does not start.
  public init(user: String? = nil, password: String? = nil) throws {
    (reservation, port) = try Socket.reserving()
    // It connects from IPv4: of a name with addresses of both kinds it would take the first only.
    var arguments = ["-i", "127.0.0.1", "-b", "127.0.0.1", "-p", "\(port)"]
    if let user, let password { arguments += ["-u", user, "-P", password] }
    process = try ChildProcess("microsocks", arguments)
    let deadline = MonotonicTime.now.adding(milliseconds: 10_000)
    repeat {
      guard let socket = try? Socket.connected(to: port) else { continue }
      socket.close()
      return
    } while process.waitBlocking(forMilliseconds: 5) == nil && deadline.millisecondsLeft > 0
    stop()
    throw KitError("microsocks does not start: \(process.errorText)")
  }

  deinit {
    stop()
  }

  /// What the server wrote of its connections: `client[5] 127.0.0.1: connected to HOST:PORT`.
  public var log: String { process.errorText }

  /// Ends the server and waits until it is gone. Later calls do nothing.
  public func stop() {
    process.signal(SIGKILL)
    process.waitBlocking()
  }
}
