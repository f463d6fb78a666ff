import HaulTestKit
import HaulTransfer
import Testing

/// CASES T2, Q11: how long a transfer pauses between tries.
@Suite struct RetryAfterCases {
  let bench: Bench

  init() throws {
    bench = try Bench(size: 100_000)
  }

  /// The clock of these tests stands at 2023-11-14T22:13:20Z when they begin.
  @Test(arguments: [
    ("7", 7), (" 30 ", 30), ("0", 0), ("00000000000000000000005", 5),
    ("Tue, 14 Nov 2023 22:15:20 GMT", 120), ("Tuesday, 14-Nov-23 22:15:20 GMT", 120),
    ("Tue Nov 14 22:15:20 2023", 120),
    ("Tue, 14 Nov 2023 22:00:00 GMT", 0), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ("Fri, 31 Dec 9999 23:59:59 GMT", 600), ("86400", 600), ("9223372036854775807", 600),
    ("99999999999999999999999999", 600),
    ("-5", 0), ("1.5", 0), ("soon", 0), ("", 0), ("7, 8", 0), ("0x10", 0), ("NaN", 0), ("1e9", 0),
  ])
  func retryAfterIsObeyedUpToALimit(value: String, seconds: Double) async throws {
    let script = Script(
      .next { _ in OriginResponse(status: 503, text: "busy").with("Retry-After", value) }
    ) { bench.resource.respond(to: $0) }
    let origin = try HostileOrigin { script.respond(to: $0) }
    let clock = HastyClock()
    let start = clock.now
    let fetch = try bench.fetch(origin.url("/file"), in: world { $0.clock = clock })
    bench.expectRight(await fetch.run())
    #expect(fetch.ear.delays == [seconds])
    // Not the pause of one job: the body of the refusal has a job of its own, which moves this clock.
    #expect(clock.now.seconds(since: start) >= seconds - 0.001)
    if Connections.count == 1 {
      #expect(origin.requests.count == 2)
    }
  }

  @Test func theOwnersLimitOfRetryAfterCounts() async throws {
    let script = Script(
      .next { _ in OriginResponse(status: 429, text: "busy").with("Retry-After", "60") }
    ) { bench.resource.respond(to: $0) }
    let origin = try HostileOrigin { script.respond(to: $0) }
    let fetch = try bench.fetch(origin.url("/file"), in: world { $0.clock = HastyClock() }) {
      $0.retries.maximumRetryAfter = 10
    }
    bench.expectRight(await fetch.run())
    #expect(fetch.ear.delays == [10])
  }

  @Test func retryAfterHoldsForTheWholeHostAndForNoOther() async throws {
    let script = Script(
      .next { _ in OriginResponse(status: 503, text: "busy").with("Retry-After", "300") }
    ) { bench.resource.respond(to: $0) }
    let origin = try HostileOrigin { script.respond(to: $0) }
    let other = try HostileOrigin { bench.resource.respond(to: $0) }
    let clock = StillClock()
    let gate = HostGate()
    let shared = world {
      $0.clock = clock
      $0.hosts = gate
    }
    let first = try bench.fetch(origin.url("/file"), in: shared)
    first.transfer.start()
    await clock.waitForJobs(1)
    let folders = [try Folder(), try Folder()]
    let second = try Fetch(
      origin.url("/other"), into: folders[0].path, named: "file", in: shared)
    second.transfer.start()
    await clock.waitForJobs(2)
    if Connections.count == 1 {
      #expect(origin.requests.count == 1)
    }
    let third = try Fetch(
      other.url("/file"), into: folders[1].path, named: "file", in: shared)
    #expect(await third.run().finished != nil)
    if Connections.count == 1 {
      #expect(origin.requests.count == 1)
    }
    clock.advance(seconds: 301)
    bench.expectRight(await first.transfer.result())
    #expect(await second.transfer.result().finished != nil)
    #expect(bench.content.matches(path: folders[0].file("file")))
    if Connections.count == 1 {
      #expect(origin.requests.count == 3)
    }
  }

  @Test func aTransferThatWaitsForItsHostCanBeStopped() async throws {
    let origin = try HostileOrigin { _ in
      OriginResponse(status: 503, text: "busy").with("Retry-After", "300")
    }
    let clock = StillClock()
    let gate = HostGate()
    let shared = world {
      $0.clock = clock
      $0.hosts = gate
    }
    let first = try bench.fetch(origin.url("/file"), in: shared)
    first.transfer.start()
    await clock.waitForJobs(1)
    let second = try bench.fetch(origin.url("/other"), named: "other", in: shared)
    second.transfer.start()
    await clock.waitForJobs(2)
    second.transfer.stop()
    #expect(await second.transfer.result().stoppedAt == 0)
    first.transfer.stop()
    #expect(await first.transfer.result().stoppedAt == 0)
    clock.advance(seconds: 1_000)
    #expect(bench.folder.names == [])
    if Connections.count == 1 {
      #expect(origin.requests.count == 1)
    }
  }

  @Test func pausesGrowToTheirLimitAndAreDrawnBelowIt() async throws {
    let origin = try HostileOrigin { _ in OriginResponse(status: 503, text: "busy") }
    let fetch = try bench.fetch(
      origin.url("/file"),
      in: world {
        $0.clock = HastyClock()
        $0.random = Always(number: .max)
      }
    ) {
      $0.retries.tries = 8
      $0.retries.maximumDelay = 10
    }
    bench.expectNothing(await fetch.run(), .httpStatus, status: 503)
    let bounds: [Double] = [1, 2, 4, 8, 10, 10, 10]
    #expect(fetch.ear.delays.count == bounds.count)
    for (delay, bound) in zip(fetch.ear.delays, bounds) {
      #expect(delay < bound && delay > bound * 0.99)
    }
    if Connections.count == 1 {
      #expect(origin.requests.count == 8)
    }
  }
}
