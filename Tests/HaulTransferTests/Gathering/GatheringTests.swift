import HaulHTTP
import HaulTestKit
import Synchronization
import Testing

@testable import HaulTransfer

/// Small files between the network and the disk, on a virtual clock.
@Suite struct GatheringTests {
  private static let path = "/d/file"
  private static let capacity = Int64(TransferBuffer.capacity)

  /// A world whose disk keeps every small file in one go.
  private func world(
    seed: UInt64 = 1, declines: Double = 0, slowest: Double = 0.02,
    limiter: ((VirtualClock) -> RateLimiter)? = nil,
    _ answer: @escaping @Sendable (FakeTransport.Request) -> FakeAnswer
  ) -> World {
    var faults = FakeStore.Faults()
    faults.declines = declines
    faults.slowest = slowest
    return World(
      seed: seed, largestPiece: 400_000, faults: faults, limiter: limiter, answer: answer)
  }

  private static func whole(
    _ content: OriginContent, _ fields: [(String, String)] = [], _ steps: FakeAnswer.Step...,
    outcome: TransportOutcome = .complete
  ) -> FakeAnswer {
    let length = [("Content-Length", "\(content.size)"), ("ETag", "\"a\"")]
    return FakeAnswer([.head(head(200, length + fields))] + steps, outcome: outcome)
  }

  /// The events in short words.
  private func words(_ ear: Ear) -> [String] {
    ear.events.map { event in
      switch event {
      case .started(_, let total, let resumed): "started \(total ?? -1) \(resumed)"
      case .verifying: "verifying"
      case .retrying: "retrying"
      case .ended(let result): result.finished == nil ? "failed" : "finished"
      default: "\(event)"
      }
    }
  }

  @Test(arguments: [1, 1000, capacity - 1, capacity])
  func aFileThatArrivesAtOnceNeedsNoPart(_ size: Int64) throws {
    let content = OriginContent(size: size, seed: 2)
    let world = world { _ in Self.whole(content, [], .bytes(content.bytes())) }
    var parts = 0
    let ear = Ear()
    let transfer = Transfer(try World.request(), in: world.environment) { ear.hear($0) }
    transfer.start()
    while ear.results.isEmpty, world.clock.advanceToNextJob() {
      parts = max(parts, world.store.partCount)
    }
    #expect(parts == 0)
    #expect(words(ear) == ["started \(size) 0", "verifying", "finished"])
    #expect(world.store.files == [Self.path: content.bytes()])
    #expect(world.violations == [])
    #expect(transfer.progress.received == size || transfer.progress.state == .ended)
  }

  /// A server that is in no hurry: after a second the part takes over, with what has come.
  @Test func aSlowFileIsOnDiskAfterASecond() throws {
    let content = OriginContent(size: 1000, seed: 3)
    let world = world { _ in
      Self.whole(
        content, [], .bytes(content.bytes(in: 0..<400)), .silence(3),
        .bytes(content.bytes(in: 400..<1000)))
    }
    let ear = Ear()
    let transfer = Transfer(try World.request(), in: world.environment) { ear.hear($0) }
    transfer.start()
    let start = world.clock.now
    while ear.events.isEmpty, world.clock.advanceToNextJob() {}
    #expect(words(ear) == ["started 1000 0"])
    let waited = world.clock.now.seconds(since: start)
    #expect(waited >= 1 && waited < 1.5)
    #expect(world.store.partCount == 1)
    while ear.results.isEmpty, world.clock.advanceToNextJob() {}
    #expect(words(ear) == ["started 1000 0", "verifying", "finished"])
    #expect(world.store.files == [Self.path: content.bytes()])
    #expect(world.transport.requests.count == 1)
    #expect(world.violations == [])
  }

  /// The timer of the first answer must not disturb the second one, which began meanwhile.
  @Test func aCutInACollectedBodyIsContinuedInAPart() throws {
    let content = OriginContent(size: 1000, seed: 4)
    let world = world { request in
      guard let first = request.range?.first else {
        return Self.whole(
          content, [], .bytes(content.bytes(in: 0..<400)), outcome: .lost())
      }
      return FakeAnswer(
        206, [("Content-Range", "bytes \(first)-999/1000"), ("ETag", "\"a\"")],
        body: content.bytes(in: first..<1000))
    }
    let ear = world.run(try World.request())
    #expect(words(ear) == ["started 1000 0", "retrying", "verifying", "finished"])
    #expect(world.transport.requests.map { $0.header("Range") } == [nil, "bytes=400-"])
    #expect(world.store.files == [Self.path: content.bytes()])
    #expect(world.violations == [])
  }

  /// Told 1000 bytes, came fewer in good order, or more.
  @Test(arguments: [-1, -1000, 1, 300_000])
  func anotherLengthThanToldIsNotKeptInOneGo(_ difference: Int) throws {
    let content = OriginContent(size: 1000, seed: 5)
    let world = world { request in
      var bytes = content.bytes()
      if request.index == 0 {
        bytes = Array((bytes + [UInt8](repeating: 7, count: 300_000)).prefix(1000 + difference))
      }
      guard let first = request.range?.first else { return Self.whole(content, [], .bytes(bytes)) }
      return FakeAnswer(
        206, [("Content-Range", "bytes \(first)-999/1000"), ("ETag", "\"a\"")],
        body: content.bytes(in: first..<1000))
    }
    let ear = world.run(try World.request())
    #expect(ear.results.count == 1 && ear.results[0].finished?.byteCount == 1000)
    #expect(world.store.files == [Self.path: content.bytes()])
    #expect(world.store.partCount == 0)
    #expect(world.violations == [])
  }

  @Test func aDeclinedFileGoesIntoAPartWithNothingLost() throws {
    let content = OriginContent(size: Self.capacity, seed: 6)
    let world = world(declines: 1) { _ in Self.whole(content, [], .bytes(content.bytes())) }
    let ear = world.run(try World.request())
    #expect(words(ear) == ["started \(Self.capacity) 0", "verifying", "finished"])
    #expect(world.store.files == [Self.path: content.bytes()])
    #expect(world.transport.requests.count == 1)
    #expect(world.violations == [])
  }

  @Test func aNameThatIsTakenIsLeftAlone() throws {
    let content = OriginContent(size: 1000, seed: 7)
    let world = world { _ in Self.whole(content, [], .bytes(content.bytes())) }
    world.store.put([1, 2, 3], at: Self.path)
    let ear = world.run(try World.request())
    #expect(ear.results.first?.finished?.path == "/d/file (1)")
    #expect(world.store.files == [Self.path: [1, 2, 3], "/d/file (1)": content.bytes()])
    #expect(world.violations == [])
  }

  @Test func aRateLimitHoldsForSmallFiles() throws {
    let content = OriginContent(size: 50_000, seed: 8)
    let world = world(limiter: { RateLimiter(bytesPerSecond: 10_000, clock: $0) }) { _ in
      let steps = stride(from: 0, to: 50_000 as Int64, by: 1000).map {
        FakeAnswer.Step.bytes(content.bytes(in: $0..<$0 + 1000))
      }
      return FakeAnswer([.head(head(200, [("Content-Length", "50000")]))] + steps)
    }
    let ear = world.run(try World.request())
    let seconds = try #require(ear.results.first?.finished?.seconds)
    #expect(seconds > 3.5 && seconds < 6)
    #expect(world.store.files == [Self.path: content.bytes()])
    #expect(world.violations == [])
  }

  @Test func aRedirectLeadsToASmallFile() throws {
    let content = OriginContent(size: 1000, seed: 9)
    let world = world { request in
      guard request.message.url.hasSuffix("/there") else {
        return FakeAnswer(
          302, [("Location", "/there"), ("Content-Length", "500")],
          body: [UInt8](repeating: 60, count: 500))
      }
      return Self.whole(content, [], .bytes(content.bytes()))
    }
    let ear = world.run(try World.request())
    #expect(words(ear) == ["started 1000 0", "verifying", "finished"])
    #expect(world.store.files == [Self.path: content.bytes()])
    #expect(world.violations == [])
  }

  @Test func aStreamPassesTheFirstBytesOnBeforeTheLastCome() throws {
    let content = OriginContent(size: 1000, seed: 10)
    var world = world { _ in
      Self.whole(
        content, [], .bytes(content.bytes(in: 0..<10)), .silence(100),
        .bytes(content.bytes(in: 10..<1000)))
    }
    let stream = FakeStream(clock: world.clock, random: SeededRandom(seed: 1))
    world.keep(in: stream)
    let ear = Ear()
    let transfer = Transfer(try World.request(), in: world.environment) { ear.hear($0) }
    transfer.start()
    world.clock.advance(seconds: 0.5)
    #expect(stream.passedOn == content.bytes(in: 0..<10))
    while ear.results.isEmpty, world.clock.advanceToNextJob() {}
    #expect(stream.passedOn == content.bytes())
    #expect(ear.results.first?.finished != nil)
    #expect(world.violations + stream.violations == [])
  }

  /// A stop at every moment of a transfer: it ends once, and what it says is true.
  @Test(arguments: [0, 1] as [Double])
  func aStopAtEachMomentEndsOnce(_ declines: Double) throws {
    let content = OriginContent(size: 1000, seed: 11)
    var hasStopped = false
    var hasFinished = false
    for moment in 0..<40 {
      let world = world(seed: 11, declines: declines) { _ in
        Self.whole(
          content, [], .bytes(content.bytes(in: 0..<500)), .silence(0.01),
          .bytes(content.bytes(in: 500..<1000)))
      }
      let ear = Ear()
      let transfer = Transfer(try World.request(), in: world.environment) { ear.hear($0) }
      transfer.start()
      var turns = 0
      while ear.results.isEmpty {
        if turns == moment { transfer.stop() }
        turns += 1
        guard world.clock.advanceToNextJob() else { break }
      }
      for _ in 0..<20 { world.clock.advanceToNextJob() }
      let result = try #require(ear.results.first, "hangs when stopped at \(moment)")
      #expect(ear.results.count == 1 && ear.events.last == .ended(result))
      if result.finished == nil {
        hasStopped = true
        #expect(world.store.files == [:])
      } else {
        hasFinished = true
        #expect(world.store.files == [Self.path: content.bytes()])
      }
      #expect(world.transport.openExchanges == 0)
      #expect(world.violations == [])
    }
    #expect(hasStopped && hasFinished)
  }

  @Test func aFullDiskIsToldAndNothingIsThere() throws {
    let content = OriginContent(size: 1000, seed: 12)
    let world = world { _ in Self.whole(content, [], .bytes(content.bytes())) }
    let ear = Ear()
    let transfer = Transfer(try World.request(), in: world.environment) { ear.hear($0) }
    transfer.start()
    while world.transport.requests.isEmpty, world.clock.advanceToNextJob() {}
    world.store.faults.job = 1
    while ear.results.isEmpty, world.clock.advanceToNextJob() {}
    #expect(ear.results.count == 1)
    #expect(ear.results.first?.failure?.code == .diskFull)
    #expect(world.store.files == [:] && world.store.partCount == 0)
    #expect(world.violations == [])
  }

  /// While one thread still carried out what came before, the network's thread told the head and the
  /// end of an exchange without a byte. The receiver was forgotten by the time it was to collect,
  /// and the transfer waited for ever.
  @Test func anEndBeforeAnybodyCollectsIsHeard() throws {
    let content = OriginContent(size: 1000, seed: 13)
    let world = world { _ in FakeAnswer(404) }
    var environment = world.environment
    let transport = HastyTransport(content)
    environment.transport = transport
    let ear = Ear()
    let transfer = Transfer(try World.request(), in: environment) { ear.hear($0) }
    transfer.start()
    while ear.results.isEmpty, world.clock.advanceToNextJob() {}
    #expect(words(ear) == ["started 1000 0", "retrying", "verifying", "finished"])
    #expect(transport.count == 2)
    #expect(world.store.files == [Self.path: content.bytes()])
    #expect(world.store.violations == [])
  }
}

/// Answers inside the call that asks, as a thread of the network may before that call returns: at
/// first with a head and a cut, then with everything.
private final class HastyTransport: Transport {
  private let content: OriginContent
  private let requests = Mutex(0)

  init(_ content: OriginContent) { self.content = content }

  var count: Int { requests.withLock { $0 } }

  func start(
    _ request: TransportRequest, id: ConnectionID, receiver: any TransportReceiver
  ) {
    let count = requests.withLock { count in
      count += 1
      return count
    }
    receiver.received(head(200, [("Content-Length", "\(content.size)"), ("ETag", "\"a\"")]))
    guard count > 1 else {
      receiver.released()
      return receiver.completed(.lost())
    }
    // The bytes live through the call.
    let verdict = unsafe content.bytes().withUnsafeBytes { unsafe receiver.received($0.bytes) }
    precondition(verdict == .taken)
    receiver.released()
    receiver.completed(.complete)
  }

  func resume(_ id: ConnectionID) {}
  func cancel(_ id: ConnectionID) {}
  func endSession(_ session: ConnectionID) {}
}
