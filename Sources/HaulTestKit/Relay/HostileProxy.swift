internal import HaulHTTP

/// A forward proxy on 127.0.0.1 for `CONNECT` and for absolute targets (RFC 9110 §9.3.6, RFC 9112
/// §3.2.2), which may demand credentials and break tunnels.
///
/// Every host name leads to 127.0.0.1 at the port that was asked for, so a test can use any name.
///
/// ```swift
/// let proxy = try HostileProxy(user: "me", password: "secret")
/// fetch("http://files.test:\(origin.port)/file", proxy: "http://me:secret@127.0.0.1:\(proxy.port)")
/// #expect(proxy.requests.first?.target == "http://files.test:\(origin.port)/file")
/// ```
public final class HostileProxy: Sendable {
  private let server: LoopbackServer
  private let core: Core

  /// Starts a proxy that asks for no credentials.
  ///
  /// - Throws: `KitError` when no socket can be opened.
  public convenience init(
    fault: @escaping @Sendable (OriginRequest) -> RelayFault = { _ in .none }
  ) throws {
    try self.init(credentials: nil, fault: fault)
  }

  /// Starts a proxy that answers 407 to requests without these Basic credentials.
  ///
  /// - Throws: `KitError` when no socket can be opened.
  public convenience init(
    user: String, password: String,
    fault: @escaping @Sendable (OriginRequest) -> RelayFault = { _ in .none }
  ) throws {
    try self.init(credentials: Base64.text(Array("\(user):\(password)".utf8)), fault: fault)
  }

  private init(
    credentials: String?, fault: @escaping @Sendable (OriginRequest) -> RelayFault
  ) throws {
    let core = Core(credentials: credentials, fault: fault)
    self.core = core
    server = try LoopbackServer { core.serve($0, index: $1, server: $2) }
  }

  deinit {
    stop()
  }

  /// The port on 127.0.0.1.
  public var port: UInt16 { server.port }

  /// The URL of the proxy, without credentials.
  public var url: String { "http://127.0.0.1:\(port)" }

  /// All requests so far, refused ones included, in the order of arrival.
  public var requests: [OriginRequest] { core.log.read { $0 } }

  /// How many connections were accepted so far.
  public var connectionCount: Int { server.connectionCount }

  /// Ends the listener and all connections, and returns when the threads are gone.
  public func stop() {
    server.stop()
  }
}

/// What the threads of a proxy share.
private final class Core: Sendable {
  let log = Monitor<[OriginRequest]>([])
  private let credentials: String?
  private let fault: @Sendable (OriginRequest) -> RelayFault

  init(credentials: String?, fault: @escaping @Sendable (OriginRequest) -> RelayFault) {
    self.credentials = credentials
    self.fault = fault
  }

  func serve(_ socket: Socket, index: Int, server: LoopbackServer) {
    var reader = RequestReader(socket)
    var number = 0
    while let head = reader.readHead(), let body = reader.readBody(of: head) {
      let request = log.change { log in
        let request = OriginRequest(
          method: head.method, target: head.target, fields: head.fields, body: body,
          index: log.count, connection: index, connectionRequestIndex: number)
        log.append(request)
        return request
      }
      number += 1
      if let credentials, request.header("Proxy-Authorization") != "Basic \(credentials)" {
        guard socket.send(refusal.encodedHead) else { break }
        continue
      }
      forward(request, leftover: reader.leftover, socket, server)
      return
    }
    socket.close()
  }

  private var refusal: OriginResponse {
    OriginResponse(
      status: 407, fields: [OriginField("Proxy-Authenticate", "Basic realm=\"proxy\"")])
  }

  private func forward(
    _ request: OriginRequest, leftover: [UInt8], _ socket: Socket, _ server: LoopbackServer
  ) {
    let fault = fault(request)
    guard let target = ProxyTarget(request) else {
      _ = socket.send(OriginResponse(status: 400).encodedHead)
      return server.endOrderly(socket)
    }
    guard let upstream = try? Socket.connected(to: target.port) else {
      _ = socket.send(OriginResponse(status: 502).encodedHead)
      return server.endOrderly(socket)
    }
    if let rewritten = target.request {
      _ = upstream.send(rewritten + request.body)
    } else {
      _ = socket.send(Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8))
    }
    _ = upstream.send(leftover)
    if case .refuse = fault { return socket.close() }
    Pump(client: socket, upstream: upstream, server: server, passed: { _ in }).run(fault)
  }
}
