import HaulHTTP
import HaulSystem
import HaulTestKit
import HaulTransfer
import Synchronization
import Testing

/// Limits that are ours: they slow transfers down, and nothing else comes of them.
@Suite(.serialized, .timeLimit(.minutes(1))) struct LimitCases {
  private func limited(_ bytesPerSecond: Int64) -> TransferEnvironment {
    world { $0.limiter = RateLimiter(bytesPerSecond: bytesPerSecond, clock: SystemClock()) }
  }

  /// Everything below this counts as stalled, and a second of it is enough.
  private func impatient(_ request: inout TransferRequest) {
    request.connection.lowSpeed = 1 << 20
    request.connection.lowSpeedWindow = 1
    request.connection.receiveBuffer = 64 << 10
  }

  /// A limit below the speed that counts as stalled made every connection be given up, again and again.
  @Test(arguments: [1, 4])
  func aLimitFarBelowTheLowSpeedIsNoStall(_ connections: Int) async throws {
    let bench = try Bench(size: 300_000)
    let origin = try HostileOrigin { bench.resource.respond(to: $0) }
    let start = SystemClock().now
    let fetch = try bench.fetch(origin.url("/file"), in: limited(150_000)) {
      impatient(&$0)
      $0.segments = SegmentPolicy(maximumConnections: connections, isAdaptive: false)
      $0.segments.minimumByteCount = 50_000
    }
    bench.expectRight(await fetch.run())
    #expect(SystemClock().now.seconds(since: start) > 1.8)
    if Connections.count == 1 {
      #expect(fetch.ear.retries == [])
    }
    if connections == 1 { #expect(origin.requests.count == 1) }
  }

  @Test func filesOfOneConnectionTakeTheirTurns() async throws {
    let nginx = try NginxServer()
    let bench = try Bench()
    let environment = limited(200_000)
    let contents = try (0..<6).map { number in
      let content = OriginContent(size: 80_000, seed: UInt64(number))
      try content.write(to: nginx.path("\(number)"))
      return content
    }
    let fetches = try contents.indices.map { number in
      try bench.fetch(nginx.url("/\(number)", on: .http2), named: "\(number)", in: environment) {
        impatient(&$0)
        $0.connection.certificateAuthorities = nginx.authorityPath
      }
    }
    for fetch in fetches { fetch.transfer.start() }
    for (number, fetch) in fetches.enumerated() {
      #expect(await fetch.transfer.result().finished != nil)
      if Connections.count == 1 {
        #expect(fetch.ear.retries == [])
      }
      #expect(contents[number].matches(path: bench.folder.file("\(number)")))
    }
    if Connections.count == 1 {
      #expect(nginx.accessLog.count == 6)
    }
  }

  /// Where files share a connection, one that we keep waiting is no reason to give up another one.
  @Test func aFileIsNotTakenForStalledBehindOneThatWaits() async throws {
    let nginx = try NginxServer()
    let bench = try Bench(size: 400_000)
    try bench.content.write(to: nginx.path("file"))
    func fetch(_ name: String, in environment: TransferEnvironment) throws -> Fetch {
      try bench.fetch(nginx.url("/file", on: .http2), named: name, in: environment) {
        impatient(&$0)
        $0.connection.certificateAuthorities = nginx.authorityPath
      }
    }
    let held = try fetch("held", in: limited(1))
    held.transfer.start()
    while held.transfer.progress.state != .receiving { await Task.yield() }
    let next = try fetch("next", in: world())
    let clock = SystemClock()
    clock.schedule(at: clock.now.advanced(seconds: 3)) { held.transfer.stop() }
    #expect(await next.run().finished != nil)
    if Connections.count == 1 {
      #expect(next.ear.retries == [])
    }
    #expect(bench.content.matches(path: bench.folder.file("next")))
    held.transfer.stop()
    _ = await held.transfer.result()
  }

  @Test func aServerThatStallsIsNoticedUnderALimitToo() async throws {
    let bench = try Bench()
    let gate = Gate()
    let script = Script(
      .next { bench.resource.respond(to: $0).stalling(after: Bench.cut, at: gate) }
    ) { bench.resource.respond(to: $0) }
    let origin = try HostileOrigin { script.respond(to: $0) }
    // libcurl takes the mean of some seconds: only a limit far above it is noticed at once.
    let fetch = try bench.fetch(origin.url("/file"), in: limited(3_000_000)) {
      $0.connection.lowSpeed = 1 << 40
      $0.connection.lowSpeedWindow = 1
    }
    bench.expectRight(await fetch.run())
    if Connections.count == 1 {
      #expect(fetch.ear.retries == [.stalled])
    }
  }

  // MARK: Places

  /// Two files that may have eight connections each, from a server that allows two in all.
  @Test func aServerThatAllowsTwoConnectionsIsNotBesieged() async throws {
    let contents = (0..<2).map { OriginContent(size: 3 << 20, seed: UInt64(50 + $0)) }
    let open = Mutex(0)
    let origin = try HostileOrigin { request in
      guard request.concurrent <= 2 else { return OriginResponse(status: 503, text: "busy") }
      let number = request.path.hasSuffix("1") ? 1 : 0
      var response = OriginResource(contents[number]).respond(to: request)
      open.withLock { $0 += 1 }
      response.body = response.body.map { step in
        guard case .content(let content, let range) = step else { return step }
        return .paced(content, range, bytesPerSecond: 2 << 20)
      }
      return response
    }
    let bench = try Bench()
    let environment = world()
    let fetches = try (0..<2).map { number in
      try bench.fetch(origin.url("/\(number)"), named: "\(number)", in: environment) {
        $0.segments = SegmentPolicy(maximumConnections: 8, isAdaptive: false)
        $0.segments.minimumByteCount = 256 << 10
        $0.retries.tries = 8
      }
    }
    for fetch in fetches { fetch.transfer.start() }
    for (number, fetch) in fetches.enumerated() {
      let result = await fetch.transfer.result()
      #expect(result.finished != nil, "\(result)")
      #expect(contents[number].matches(path: bench.folder.file("\(number)")))
    }
    let refused = origin.requests.count - open.withLock { $0 }
    if Connections.count == 1 {
      #expect(origin.requests.count <= 40, "\(origin.requests.count), \(refused) refused")
    }
    #expect(refused <= 16, "\(refused)")
    // The last connections are closed a moment after the end.
    while environment.hosts.counts.taken > 0 { await Task.yield() }
    #expect(environment.hosts.counts == (taken: 0, waiting: 0))
  }

  @Test func aFileWithoutAPlaceWaitsForItsTurn() async throws {
    let bench = try Bench()
    let gate = Gate()
    let origin = try HostileOrigin {
      let response = bench.resource.respond(to: $0)
      return $0.path == "/slow" ? response.stalling(after: 1000, at: gate) : response
    }
    let environment = world { $0.hosts = HostGate(maximumConnections: 1) }
    let slow = try bench.fetch(origin.url("/slow"), named: "slow", in: environment) {
      $0.mayStall()
    }
    let next = try bench.fetch(origin.url("/next"), named: "next", in: environment)
    slow.transfer.start()
    await gate.waitUntilReached()
    next.transfer.start()
    while next.transfer.progress.state != .waitingForPlace { await Task.yield() }
    #expect(next.transfer.progress.resumesAt == nil)
    if Connections.count == 1 {
      #expect(origin.requests.count == 1)
    }
    gate.open()
    #expect(await slow.transfer.result().finished != nil)
    #expect(await next.transfer.result().finished != nil)
    #expect(origin.peakRequests == 1)
  }
}
