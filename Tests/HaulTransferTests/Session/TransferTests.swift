import HaulHTTP
import HaulTestKit
import Synchronization
import Testing

@testable import HaulTransfer

/// The shell around the machine, with fakes of the network and of the disk.
@Suite struct TransferTests {
  private let content = OriginContent(size: 700_000, seed: 3)
  private let path = "/d/file"

  private func whole(_ content: OriginContent, _ fields: [(String, String)] = []) -> FakeAnswer {
    FakeAnswer(
      200, [("Content-Length", "\(content.size)"), ("ETag", "\"a\"")] + fields,
      body: content.bytes())
  }

  private func rest(_ content: OriginContent, _ request: FakeTransport.Request) -> FakeAnswer {
    guard let first = request.range?.first else { return whole(content) }
    return FakeAnswer(
      206,
      [("Content-Range", "bytes \(first)-\(content.size - 1)/\(content.size)"), ("ETag", "\"a\"")],
      body: content.bytes(in: first..<content.size))
  }

  @Test(arguments: [0, 1, 255, 262_143, 262_144, 262_145, 700_000] as [Int64])
  func everyByteGoesWhereItBelongs(_ size: Int64) throws {
    for seed in 0..<6 as Range<UInt64> {
      let content = OriginContent(size: size, seed: seed)
      let world = World(seed: seed, largestPiece: seed % 2 == 0 ? 16_384 : 300_000) { _ in
        whole(content)
      }
      let ear = world.run(try World.request())
      #expect(ear.results.first?.finished?.byteCount == size)
      #expect(world.store.files == [path: content.bytes()])
      #expect(world.store.partCount == 0)
      #expect(world.violations == [])
      #expect(world.transport.requests.count == 1)
    }
  }

  /// The disk is slower than the network: the exchange pauses, and what is shown again is cut in
  /// other places. Where a first piece was shorter than what had been taken of the former one,
  /// bytes were once stored twice.
  @Test func aSlowDiskPausesTheExchangeAndLosesNothing() throws {
    let content = OriginContent(size: 3_000_000, seed: 4)
    for seed in 0..<12 as Range<UInt64> {
      var faults = FakeStore.Faults()
      faults.slowest = 5
      let world = World(seed: seed, largestPiece: 600_000, faults: faults) { _ in whole(content) }
      let ear = world.run(try World.request())
      #expect(ear.results.first?.finished != nil)
      #expect(world.store.files[path] == content.bytes(), "seed \(seed)")
      #expect(world.violations == [])
    }
  }

  @Test func aCutIsContinuedWhereItWas() throws {
    let content = content
    let world = World(seed: 5) { request in
      guard request.index == 0 else { return rest(content, request) }
      var answer = whole(content)
      answer.steps[1] = .bytes(content.bytes(in: 0..<333_333))
      answer.outcome = .lost()
      return answer
    }
    let ear = world.run(try World.request())
    #expect(world.store.files == [path: content.bytes()])
    #expect(ear.retries == [.connectionLost])
    #expect(ear.restarts == [])
    #expect(world.transport.requests.map { $0.header("Range") } == [nil, "bytes=333333-"])
    #expect(world.transport.requests[1].header("If-Range") == "\"a\"")
  }

  @Test func surplusBytesAreDropped() throws {
    let content = content
    let world = World(seed: 6) { request in
      var answer = rest(content, request)
      if request.index == 0 {
        answer.steps[1] = .bytes(content.bytes(in: 0..<100_000))
        answer.outcome = .lost()
      } else {
        answer.steps.append(.bytes([UInt8](repeating: 1, count: 300_000)))
      }
      return answer
    }
    let ear = world.run(try World.request())
    #expect(ear.results.first?.finished != nil)
    #expect(world.store.files == [path: content.bytes()])
  }

  /// A checkpoint takes a report from the receiver on one thread, and the end comes on another
  /// before it is told: a body of unknown length was then cut off at the report before.
  @Test func theEndOvertakesAReportThatAFlushTook() throws {
    let content = OriginContent(size: 300_000, seed: 8)
    let world = World(seed: 8) { _ in
      FakeAnswer(
        [
          .head(head(200, [("Transfer-Encoding", "chunked")])), .bytes(content.bytes()),
          .silence(0.5),
        ])
    }
    let ear = Ear()
    let transfer = Transfer(try World.request(), in: world.environment) { ear.hear($0) }
    transfer.start()
    var flushed: Int64?
    while ear.results.isEmpty, world.clock.advanceToNextJob() {
      let receivers = transfer.state.withLock { $0.receivers }
      if transfer.progress.received == content.size, flushed == nil,
        let (_, receiver) = receivers.first
      {
        // Taken, and not told: the thread that took it is not on the processor.
        flushed = receiver.flush()
      }
    }
    #expect(flushed == content.size)
    #expect(world.store.files == [path: content.bytes()])
  }

  /// Without a decoder the coded bytes were stored as if they were the file.
  @Test func aCodingThatNobodyUndoesIsAFailure() throws {
    let content = content
    let world = World(seed: 9) { _ in whole(content, [("Content-Encoding", "gzip")]) }
    let ear = world.run(try World.request())
    #expect(ear.results.first?.failure?.code == .badCoding)
    #expect(world.store.files == [:])
    #expect(world.store.partCount == 0)
    #expect(world.violations == [])
  }

  @Test func twoTransfersOfOneSourceDoNotMeet() throws {
    let content = content
    let world = World(seed: 10) { _ in
      var answer = whole(content)
      answer.steps.insert(.silence(5), at: 1)
      return answer
    }
    let first = Ear()
    let one = Transfer(try World.request(), in: world.environment) { first.hear($0) }
    one.start()
    while world.store.partCount == 0, world.clock.advanceToNextJob() {}
    let second = world.run(try World.request())
    #expect(second.results.first?.failure?.code == .inUse)
    while first.results.isEmpty, world.clock.advanceToNextJob() {}
    #expect(first.results.first?.finished != nil)
    #expect(world.store.files == [path: content.bytes()])
  }

  @Test func theRateIsThatOfTheLimit() throws {
    let content = content
    let world = World(
      seed: 11, limiter: { RateLimiter(bytesPerSecond: 70_000, clock: $0) }
    ) { _ in whole(content) }
    let ear = world.run(try World.request())
    let seconds = try #require(ear.results.first?.finished?.seconds)
    #expect(abs(seconds - 10) < 0.5)
    #expect(world.store.files == [path: content.bytes()])
  }

  @Test func aServerThatAskedForAPauseIsLeftAloneByAll() throws {
    let content = content
    let world = World(seed: 12) { request in
      request.index == 0
        ? FakeAnswer(503, [("Retry-After", "50"), ("Content-Length", "0")]) : whole(content)
    }
    let first = Ear()
    let second = Ear()
    let one = Transfer(try World.request(), in: world.environment) { first.hear($0) }
    one.start()
    while first.retries.isEmpty, world.clock.advanceToNextJob() {}
    let other = try World.request("https://example.org/other") {
      $0.destination.name = "other"
    }
    let two = Transfer(other, in: world.environment) { second.hear($0) }
    two.start()
    while first.results.isEmpty || second.results.isEmpty, world.clock.advanceToNextJob() {}
    let times = world.transport.requests.map { $0.time.seconds(since: Instant(nanoseconds: 0)) }
    #expect(times.count == 3)
    #expect(times.dropFirst().allSatisfy { $0 >= times[0] + 50 })
    #expect(Set(world.store.files.keys) == [path, "/d/other"])
  }

  @Test func aStopWhileTheHostIsClosedSendsNothing() throws {
    let world = World(seed: 13) { _ in FakeAnswer(404) }
    let request = try World.request()
    world.environment.hosts.close(request.url.origin, until: world.clock.now.advanced(seconds: 60))
    let ear = Ear()
    let transfer = Transfer(request, in: world.environment) { ear.hear($0) }
    transfer.start()
    world.clock.advance(seconds: 1)
    transfer.stop()
    world.clock.advance(seconds: 120)
    #expect(ear.results == [.stopped(received: 0)])
    #expect(world.transport.requests.isEmpty)
  }

  @Test(arguments: [true, false])
  func theResultIsToldToAllWhoAsk(_ isEarly: Bool) async throws {
    let content = content
    let world = World(seed: 14) { _ in whole(content) }
    let transfer = Transfer(try World.request(), in: world.environment)
    if !isEarly {
      transfer.start()
      while transfer.progress.state != .ended, world.clock.advanceToNextJob() {}
    }
    async let one = transfer.result()
    async let two = transfer.result()
    if isEarly {
      transfer.start()
      while transfer.progress.state != .ended, world.clock.advanceToNextJob() {}
    }
    let results = await [one, two]
    #expect(results[0] == results[1] && results[0].finished != nil)
    // Asked again, after the end.
    #expect(await transfer.result() == results[0])
  }

  /// I6: bytes that an abandoned exchange had in its buffers were counted beside those that the
  /// next one fetched again.
  @Test func anAbandonedExchangeCountsNoMore() throws {
    let world = World(seed: 15) { _ in
      FakeAnswer(
        [
          .head(head(200, [("Transfer-Encoding", "chunked")])),
          .bytes([UInt8](repeating: 1, count: 5000)), .silence(900),
        ])
    }
    let transfer = Transfer(try World.request(), in: world.environment)
    transfer.start()
    while transfer.progress.received < 5000, world.clock.advanceToNextJob() {}
    let receiver = try #require(transfer.state.withLock { $0.receivers.values.first })
    receiver.abandon()
    #expect(receiver.unreported == 0)
    #expect(transfer.progress.received == 0)
    transfer.stop()
  }
}
