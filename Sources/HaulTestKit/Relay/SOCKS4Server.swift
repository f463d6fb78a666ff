internal import Synchronization

/// A SOCKS 4 server on 127.0.0.1, with the names of SOCKS 4a.
///
/// Every host leads to 127.0.0.1 at the port that was asked for, so a test can use any name.
public final class SOCKS4Server: Sendable {
  /// What a client asked for.
  public struct Request: Sendable, Hashable {
    /// The name of the host (4a), or its address.
    public var host: String
    /// The port.
    public var port: UInt16
    /// Who asks, as the client says.
    public var user: String

    /// Makes a request, for comparisons.
    public init(host: String, port: UInt16, user: String) {
      self.host = host
      self.port = port
      self.user = user
    }
  }

  private let server: LoopbackServer
  private let log: Monitor<[Request]>

  /// Starts a server; `isRefusing` makes it turn every request down.
  ///
  /// - Throws: `KitError` when no socket can be opened.
  public init(isRefusing: Bool = false) throws {
    let log = Monitor<[Request]>([])
    self.log = log
    server = try LoopbackServer { client, _, server in
      guard let request = Self.read(client) else { return client.close() }
      log.change { $0.append(request) }
      guard !isRefusing, let upstream = try? Socket.connected(to: request.port) else {
        _ = client.send(Self.reply(0x5B))
        return server.endOrderly(client)
      }
      _ = client.send(Self.reply(0x5A))
      Pump(client: client, upstream: upstream, server: server, passed: { _ in }).run(.none)
    }
  }

  deinit {
    stop()
  }

  /// The port on 127.0.0.1.
  public var port: UInt16 { server.port }

  /// All requests so far.
  public var requests: [Request] { log.read { $0 } }

  /// Ends the listener and all connections, and returns when the threads are gone.
  public func stop() {
    server.stop()
  }

  private static func reply(_ code: UInt8) -> [UInt8] { [0, code, 0, 0, 0, 0, 0, 0] }

  /// Reads version, command, port, address, the user, and with an address of 0.0.0.x the host.
  private static func read(_ client: Socket) -> Request? {
    var bytes: [UInt8] = []
    func take(_ count: Int) -> [UInt8]? {
      while bytes.count < count {
        guard let more = client.receive() else { return nil }
        bytes += more
      }
      defer { bytes.removeFirst(count) }
      return Array(bytes.prefix(count))
    }
    func takeText() -> String? {
      var text: [UInt8] = []
      while let byte = take(1)?[0] {
        if byte == 0 { return String(decoding: text, as: UTF8.self) }
        text.append(byte)
      }
      return nil
    }
    guard let head = take(8), head[0] == 4, head[1] == 1, let user = takeText() else { return nil }
    let isNamed = head[4...6] == [0, 0, 0] && head[7] != 0
    let address = head[4...].map { "\($0)" }.joined(separator: ".")
    guard let host = isNamed ? takeText() : address else { return nil }
    return Request(host: host, port: UInt16(head[2]) << 8 | UInt16(head[3]), user: user)
  }
}
