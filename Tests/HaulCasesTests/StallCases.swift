import HaulSystem
import HaulTestKit
import HaulTransfer
import Testing

/// CASES T6: answers that come too slowly, or not at all.
@Suite struct StallCases {
  let bench: Bench

  init() throws {
    bench = try Bench()
  }

  /// A second is the shortest window there is; libcurl averages over some seconds, so that a
  /// limit far above what comes at first is noticed at once.
  func impatient(_ request: inout TransferRequest) {
    request.connection.lowSpeed = 1 << 40
    request.connection.lowSpeedWindow = 0.5
  }

  @Test func anAnswerThatStallsIsAskedForAgainFromThere() async throws {
    let gate = Gate()
    let script = Script(
      .next { bench.resource.respond(to: $0).stalling(after: Bench.cut, at: gate) }
    ) { bench.resource.respond(to: $0) }
    let origin = try HostileOrigin { script.respond(to: $0) }
    let fetch = try bench.fetch(origin.url("/file"), impatient)
    bench.expectRight(await fetch.run())
    if Connections.count == 1 {
      #expect(fetch.ear.retries == [.stalled])
    }
    #expect(fetch.ear.restarts == [])
    if Connections.count == 1 {
      #expect(origin.requests.map { $0.header("Range") } == [nil, "bytes=300000-"])
    }
  }

  @Test func anAnswerThatNeverBeginsIsAskedForAgain() async throws {
    let gate = Gate()
    let script = Script(.next { bench.resource.respond(to: $0).delayed(gate) }) {
      bench.resource.respond(to: $0)
    }
    let origin = try HostileOrigin { script.respond(to: $0) }
    let fetch = try bench.fetch(origin.url("/file")) { $0.connection.lowSpeedWindow = 1 }
    bench.expectRight(await fetch.run())
    if Connections.count == 1 {
      #expect(fetch.ear.retries == [.stalled])
      #expect(origin.requests.count == 2)
    }
  }

  @Test func bytesThatDripForEverAreGivenUp() async throws {
    let drip = [UInt8](bench.content.bytes(in: 0..<10_000))
    let script = Script(
      .next { request in
        var response = bench.resource.respond(to: request)
        response.body = [.trickle(drip, everyMilliseconds: 20)]
        return response
      }
    ) { bench.resource.respond(to: $0) }
    let origin = try HostileOrigin { script.respond(to: $0) }
    let fetch = try bench.fetch(origin.url("/file"), impatient)
    bench.expectRight(await fetch.run())
    if Connections.count == 1 {
      #expect(fetch.ear.retries == [.stalled])
    }
    #expect(fetch.ear.restarts == [])
  }

  @Test func stallingAlwaysIsAFailureThatKeepsTheBytes() async throws {
    let gate = Gate()
    let cut = Script(.next { bench.resource.respond(to: $0).cutting(after: Bench.cut) }) {
      bench.resource.respond(to: $0).delayed(gate)
    }
    let origin = try HostileOrigin { cut.respond(to: $0) }
    let fetch = try bench.fetch(origin.url("/file")) {
      $0.connection.lowSpeedWindow = 1
      $0.retries.tries = 2
    }
    let result = await fetch.run()
    try await bench.expectKept(result, .stalled)
    #expect(result.failure?.message.contains("--low-speed") == true)
  }

  /// A rate limit makes the transfer pause its exchange, for longer than the window of the
  /// low-speed limit if it is strict. That pause was ours, not the server's, and must not end the
  /// exchange as if it had stalled.
  @Test func aPauseOfOurOwnIsNoStall() async throws {
    let bench = try Bench(size: 250_000)
    let origin = try HostileOrigin { bench.resource.respond(to: $0) }
    let fetch = try bench.fetch(
      origin.url("/file"),
      in: world { $0.limiter = RateLimiter(bytesPerSecond: 150_000, clock: SystemClock()) }
    ) {
      $0.connection.lowSpeed = 100_000
      $0.connection.lowSpeedWindow = 1
    }
    bench.expectRight(await fetch.run())
    if Connections.count == 1 {
      #expect(fetch.ear.retries == [])
      #expect(origin.requests.count == 1)
    }
  }

  @Test func aHandshakeThatNeverEndsIsATimeOut() async throws {
    // The origin takes the TLS greeting for a request that is not complete, and waits.
    let origin = try HostileOrigin { bench.resource.respond(to: $0) }
    let fetch = try bench.fetch("https://127.0.0.1:\(origin.port)/file") {
      $0.connection.connectTimeout = 0.3
      $0.retries.tries = 2
    }
    bench.expectNothing(await fetch.run(), .timeout)
    if Connections.count == 1 {
      #expect(fetch.ear.retries == [.timeout])
      #expect(origin.connectionCount == 2)
    }
  }

  @Test(.enabled(if: Connections.count == 1, "others would finish it"))
  func stoppingAStalledAnswerIsQuickAndKeepsTheBytes() async throws {
    let gate = Gate()
    let origin = try HostileOrigin {
      bench.resource.respond(to: $0).stalling(after: Bench.cut, at: gate)
    }
    // A busy machine may take longer than a server is allowed to stall.
    let fetch = try bench.fetch(origin.url("/file")) { $0.connection.lowSpeed = 0 }
    fetch.transfer.start()
    await gate.waitUntilReached()
    // What was sent may still be on its way through the kernel.
    while fetch.transfer.progress.received < Bench.cut { await Task.yield() }
    fetch.transfer.stop()
    if Connections.count == 1 {
      #expect(await fetch.transfer.result().stoppedAt == Bench.cut)
    }
    try await bench.expectKept()
    if Connections.count == 1 {
      #expect(fetch.ear.events.last == .ended(.stopped(received: Bench.cut, isResumable: true)))
    }
  }
}
