internal import Synchronization

/// An HTTP/1.1 server on 127.0.0.1 whose answers, and faults, are composed by the test.
///
/// ```swift
/// let file = OriginResource(OriginContent(size: 1 << 20), etag: "\"v1\"")
/// let origin = try HostileOrigin { request in
///   request.index == 0
///     ? file.respond(to: request).cutting(after: 1_000) : file.respond(to: request)
/// }
/// fetch(origin.url("/file"))
/// #expect(origin.requests.map(\.range) == [nil, OriginRange(first: 1_000)])
/// ```
///
/// Each connection has a thread of its own, so an answer may block as long as the test wants. The
/// server ends with `stop`, or with the last reference to it.
public final class HostileOrigin: Sendable {
  private let core: OriginCore
  private let server: LoopbackServer

  /// Starts a server on a free port.
  ///
  /// The handler is called on the thread of the connection, for several connections at once.
  ///
  /// - Throws: `KitError` when no socket can be opened.
  public init(_ handler: @escaping @Sendable (OriginRequest) -> OriginResponse) throws {
    let core = OriginCore(handler)
    self.core = core
    server = try LoopbackServer { core.serve($0, index: $1, server: $2) }
  }

  deinit {
    stop()
  }

  /// The port on 127.0.0.1.
  public var port: UInt16 { server.port }

  /// The URL of a path, which begins with a slash.
  public func url(_ path: String) -> String {
    "http://127.0.0.1:\(port)\(path)"
  }

  /// All requests so far, in the order of arrival; each is here before its handler is called.
  public var requests: [OriginRequest] { core.log.read(\.requests) }

  /// Suspends the task until there were this many requests, and returns all of them.
  ///
  /// Returns early, with fewer, when the task is cancelled.
  @discardableResult
  public func waitForRequests(_ count: Int) async -> [OriginRequest] {
    await core.log.wait { $0.requests.count >= count }
    return requests
  }

  /// How many connections were accepted so far.
  public var connectionCount: Int { server.connectionCount }

  /// How many connections are being served now.
  public var openConnections: Int { core.log.read(\.openConnections) }

  /// The largest number of connections that were served at the same time.
  public var peakConnections: Int { core.log.read(\.peakConnections) }

  /// The largest number of connections that their peers had open at the same time, counted whenever one
  /// came: those that a peer has closed are not among them, though a thread still serves them.
  public var peakPeers: Int { core.log.read(\.peakPeers) }

  /// The largest number of requests that were being answered at the same time.
  public var peakRequests: Int { core.log.read(\.peakRequests) }

  /// How many bytes of bodies were handed to the system for sending, without framing.
  public var bodyBytesSent: Int64 { core.bodyBytes.load(ordering: .relaxed) }

  /// Suspends the task until no connection is being served.
  public func waitUntilIdle() async {
    await core.log.wait { $0.openConnections == 0 }
  }

  /// Ends the listener and all connections, opens no gate but lets nobody wait at one any longer,
  /// and returns when the threads are gone. Later calls do nothing.
  public func stop() {
    server.stop()
  }
}
