internal import Synchronization

/// Relays connections on 127.0.0.1 to another port, and breaks them where the test says.
///
/// ```swift
/// // The first connection ends amid the TLS records, without `close_notify`.
/// let relay = try TCPRelay(to: nginx.port(.tls)) { $0 == 0 ? .cut(after: 50_000) : .none }
/// fetch("https://localhost:\(relay.port)/file")
/// ```
public final class TCPRelay: Sendable {
  private let server: LoopbackServer
  private let counter: Counter

  private final class Counter: Sendable {
    let bytes = Atomic<Int64>(0)
  }

  /// Starts a relay on a free port; the closure gives the fault of each connection by its number.
  ///
  /// - Throws: `KitError` when no socket can be opened.
  public init(
    to port: UInt16,
    fault: @escaping @Sendable (_ connection: Int) -> RelayFault = { _ in .none }
  ) throws {
    let counter = Counter()
    self.counter = counter
    server = try LoopbackServer { client, index, server in
      let fault = fault(index)
      if case .refuse = fault { return client.close() }
      guard let upstream = try? Socket.connected(to: port) else { return client.close() }
      let pump = Pump(client: client, upstream: upstream, server: server) {
        counter.bytes.add(Int64($0), ordering: .relaxed)
      }
      pump.run(fault)
    }
  }

  deinit {
    stop()
  }

  /// The port on 127.0.0.1.
  public var port: UInt16 { server.port }

  /// How many connections were accepted so far.
  public var connectionCount: Int { server.connectionCount }

  /// How many bytes went to clients so far.
  public var bytesToClients: Int64 { counter.bytes.load(ordering: .relaxed) }

  /// Ends the listener and all connections, and returns when the threads are gone.
  public func stop() {
    server.stop()
  }
}
