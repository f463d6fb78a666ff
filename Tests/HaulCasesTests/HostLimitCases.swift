import HaulCurl
import HaulHTTP
import HaulSystem
import HaulTestKit
import HaulTransfer
import Testing

/// The most connections to a server, as the server sees them: those that are being closed, drained or
/// kept for the next request count as well.
///
/// A place used to be given back before its connection was closed, so that a server which allows three
/// saw four.
@Suite(.timeLimit(.minutes(1))) struct HostLimitCases {
  /// Fetches files from a server, each over up to eight connections, and says how many it saw at most, and
  /// in all.
  private func peak(
    limit: Int, files: Int = 4, size: Int64 = 1 << 20,
    _ respond: @escaping @Sendable (OriginRequest, OriginContent) -> OriginResponse
  ) async throws -> (peak: Int, all: Int) {
    let contents = (0..<files).map { OriginContent(size: size, seed: UInt64(70 + $0)) }
    let origin = try HostileOrigin { request in
      let number = Int(request.path.drop { !$0.isNumber }) ?? 0
      return respond(request, contents[number])
    }
    let bench = try Bench()
    let environment = world {
      $0.transport = CurlTransport(maximumHostConnections: limit)
      $0.hosts = HostGate(maximumConnections: limit)
    }
    let fetches = try contents.indices.map { number in
      try bench.fetch(origin.url("/\(number)"), named: "\(number)", in: environment) {
        $0.segments = SegmentPolicy(maximumConnections: 8, isAdaptive: false)
        $0.segments.minimumByteCount = 64 << 10
        $0.retries.tries = 8
      }
    }
    for fetch in fetches { fetch.transfer.start() }
    for (number, fetch) in fetches.enumerated() {
      #expect(await fetch.transfer.result().finished != nil)
      #expect(contents[number].matches(path: bench.folder.file("\(number)")))
    }
    return (origin.peakPeers, origin.connectionCount)
  }

  private static func paced(_ response: OriginResponse, _ rate: Int) -> OriginResponse {
    var response = response
    response.body = response.body.map { step in
      guard case .content(let content, let range) = step else { return step }
      return .paced(content, range, bytesPerSecond: rate)
    }
    return response
  }

  /// A body that nobody wants, and that takes a tenth of a second.
  private static func unwanted(_ status: Int) -> OriginResponse {
    let content = OriginContent(size: 30_000)
    return OriginResponse(
      status: status, body: [.paced(content, 0..<content.size, bytesPerSecond: 300_000)])
  }

  @Test func partsOfFilesThatAreCutShort() async throws {
    let seen = try await peak(limit: 3) { request, content in
      Self.paced(OriginResource(content).respond(to: request), 2 << 20)
    }
    #expect(seen.peak == 3)
  }

  @Test func smallFiles() async throws {
    let seen = try await peak(limit: 3, files: 60, size: 2000) { request, content in
      OriginResource(content).respond(to: request)
    }
    // Each is used again and again.
    #expect(seen == (peak: 3, all: 3))
  }

  /// The body of a redirect is read to its end, so that its connection can be used again.
  @Test func redirectsWithABody() async throws {
    let seen = try await peak(limit: 3) { request, content in
      guard request.path.hasPrefix("/to") else {
        var response = Self.unwanted(302)
        response.fields.append(OriginField("Location", "/to" + request.path.dropFirst()))
        return response
      }
      return Self.paced(OriginResource(content).respond(to: request), 2 << 20)
    }
    #expect(seen.peak == 3)
  }

  @Test func slowConnectionsWhoseRestOthersTake() async throws {
    let seen = try await peak(limit: 3, files: 2, size: 3 << 20) { request, content in
      let rate = request.index % 3 == 0 ? 64 << 10 : 2 << 20
      return Self.paced(OriginResource(content).respond(to: request), rate)
    }
    #expect(seen.peak == 3)
  }

  @Test func refusalsWithABody() async throws {
    let seen = try await peak(limit: 4) { request, content in
      guard request.concurrent <= 2 else { return Self.unwanted(503) }
      return Self.paced(OriginResource(content).respond(to: request), 2 << 20)
    }
    #expect(seen.peak <= 4)
  }

  /// A connection that leaves from another address is of no use to the next request, which needs one of
  /// its own.
  @Test func oneThatIsKeptAndCannotBeUsed() async throws {
    let bench = try Bench()
    let origin = try HostileOrigin { bench.resource.respond(to: $0) }
    let environment = world {
      $0.transport = CurlTransport(maximumHostConnections: 1)
      $0.hosts = HostGate(maximumConnections: 1)
    }
    for name in ["one", "two"] {
      let fetch = try bench.fetch(origin.url("/file"), named: name, in: environment) {
        $0.connection.interface = name == "two" ? "127.0.0.1" : nil
        $0.segments = SegmentPolicy(maximumConnections: 1, isAdaptive: false)
      }
      #expect(await fetch.run().finished != nil)
    }
    #expect(origin.connectionCount == 2)
    #expect(origin.peakPeers == 1)
  }
}
