internal import HaulHTTP
internal import Synchronization

/// What the threads of an origin share; it does not refer to the `HostileOrigin`, so that losing
/// the last reference to that ends the threads.
final class OriginCore: Sendable {
  struct Log {
    var requests: [OriginRequest] = []
    var openConnections = 0
    var peakConnections = 0
    /// Those that are being served, by their index.
    var sockets: [Int: Socket] = [:]
    var peakPeers = 0
    var openRequests = 0
    var peakRequests = 0
  }

  let log = Monitor(Log())
  let bodyBytes = Atomic<Int64>(0)
  private let handler: @Sendable (OriginRequest) -> OriginResponse

  init(_ handler: @escaping @Sendable (OriginRequest) -> OriginResponse) {
    self.handler = handler
  }

  func serve(_ socket: Socket, index connection: Int, server: LoopbackServer) {
    log.change {
      $0.openConnections += 1
      $0.peakConnections = max($0.peakConnections, $0.openConnections)
      $0.sockets[connection] = socket
      $0.peakPeers = max($0.peakPeers, $0.sockets.values.count { $0.hasPeer })
    }
    defer {
      log.change {
        $0.openConnections -= 1
        $0.sockets[connection] = nil
      }
    }
    var reader = RequestReader(socket)
    var ending = ResponseWriter.Ending.keepAlive
    var count = 0
    while ending == .keepAlive {
      guard let head = reader.readHead(), let body = reader.readBody(of: head) else { break }
      let request = record(head, body: body, connection: connection, number: count)
      count += 1
      let writer = ResponseWriter(
        socket: socket, stop: server.stopSignal, bodyBytes: { self.add($0) })
      ending = writer.write(handler(request), to: request)
      log.change { $0.openRequests -= 1 }
      if head.version == "HTTP/1.0" || head.fields.first("Connection")?.lowercased() == "close",
        ending == .keepAlive
      {
        ending = .close
      }
    }
    switch ending {
    case .reset: server.reset(socket)
    case .close: server.endOrderly(socket)
    case .keepAlive, .gone: socket.close()
    }
  }

  private func add(_ count: Int) {
    bodyBytes.add(Int64(count), ordering: .relaxed)
  }

  private func record(
    _ head: RequestReader.Head, body: [UInt8], connection: Int, number: Int
  ) -> OriginRequest {
    log.change { log in
      log.openRequests += 1
      log.peakRequests = max(log.peakRequests, log.openRequests)
      let request = OriginRequest(
        method: head.method, target: head.target, fields: head.fields, body: body,
        index: log.requests.count, connection: connection, connectionRequestIndex: number,
        concurrent: log.openRequests)
      log.requests.append(request)
      return request
    }
  }
}
