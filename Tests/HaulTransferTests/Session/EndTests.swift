import Dispatch
import Glibc
import HaulHTTP
import HaulTestKit
import Synchronization
import Testing

@testable import HaulTransfer

/// What holds at the end of a transfer, whatever other threads do at that moment.
@Suite(.timeLimit(.minutes(1))) struct EndTests {
  private static let content = OriginContent(size: 5_000, seed: 3)

  private static func world(_ seed: UInt64 = 1) -> World {
    World(seed: seed) { _ in
      FakeAnswer(
        200, [("Content-Length", "\(content.size)"), ("ETag", "\"a\"")], body: content.bytes())
    }
  }

  /// A request that waited for its server was taken, and started only after the transfer had been
  /// stopped and its cookies forgotten: a server heard of a transfer that was over.
  @Test func aRequestThatWasHeldNeverStartsAfterTheEnd() throws {
    let world = Self.world()
    let transport = Dawdler(world.transport)
    var environment = world.environment
    environment.transport = transport
    let origin = try HTTPURL(parsing: "https://example.org/").origin
    environment.hosts.close(origin, until: world.clock.now.advanced(seconds: 10))
    let ear = Ear()
    let transfer = Transfer(try World.request(), in: environment) { ear.hear($0) }
    transport.transfer.withLock { $0 = transfer }
    transfer.start()
    world.clock.advance(seconds: 5)
    #expect(transfer.progress.state == .waitingForHost)
    #expect(transfer.progress.resumesAt == world.clock.now.advanced(seconds: 5))
    world.clock.advance(seconds: 5)
    transport.hasStopped.wait()
    while ear.results.isEmpty, world.clock.advanceToNextJob() {}
    #expect(world.violations == [])
    #expect(world.transport.openExchanges == 0)
    #expect(ear.results == [.stopped(received: 0)])
    transport.transfer.withLock { $0 = nil }
  }

  /// A transport that is slow to start, and meanwhile its transfer is stopped.
  private final class Dawdler: Transport {
    let transfer = Mutex<Transfer?>(nil)
    let hasStopped = DispatchSemaphore(value: 0)
    private let transport: FakeTransport

    init(_ transport: FakeTransport) {
      self.transport = transport
    }

    func start(
      _ request: TransportRequest, id: ConnectionID, receiver: any TransportReceiver
    ) {
      let transfer = transfer.withLock { $0 }
      DispatchQueue.global().async { [hasStopped] in
        transfer?.stop()
        hasStopped.signal()
      }
      // Long enough for a stop that does not wait for the start, and no longer.
      if hasStopped.wait(timeout: .now() + .milliseconds(200)) == .success { hasStopped.signal() }
      transport.start(request, id: id, receiver: receiver)
    }

    func resume(_ id: ConnectionID) { transport.resume(id) }
    func cancel(_ id: ConnectionID) { transport.cancel(id) }
    func endSession(_ session: ConnectionID) { transport.endSession(session) }
  }

  /// The result was there before the last event: who had waited for it found the events cut short.
  @Test func theResultComesAfterTheLastEvent() async throws {
    let world = Self.world()
    let witness = Witness()
    let transfer = Transfer(try World.request(), in: world.environment) { event in
      if case .ended = event { witness.hear() }
    }
    witness.transfer.withLock { $0 = transfer }
    transfer.start()
    while world.clock.advanceToNextJob() {}
    #expect(await transfer.result().finished != nil)
    #expect(witness.notes.withLock { $0.first } == "heard")
    witness.transfer.withLock { $0 = nil }
  }

  /// Asks for the result while the last event is being heard.
  private final class Witness: Sendable {
    let transfer = Mutex<Transfer?>(nil)
    let notes = Mutex<[String]>([])
    private let hasResult = DispatchSemaphore(value: 0)

    func hear() {
      guard let transfer = transfer.withLock({ $0 }) else { return }
      Task { [self] in
        _ = await transfer.result()
        notes.withLock { $0.append("result") }
        hasResult.signal()
      }
      // Long enough for a result that is there too early, and no longer.
      _ = hasResult.wait(timeout: .now() + .milliseconds(200))
      notes.withLock { $0.append("heard") }
    }
  }

  enum End: CaseIterable, Sendable { case finished, failed, stoppedEarly, stoppedMidway, retried }

  /// Nothing that belongs to a transfer holds it once it is over.
  @Test(arguments: End.allCases)
  func aTransferThatIsOverGoesAway(end: End) throws {
    let content = Self.content
    let world = World(seed: 5, largestPiece: 300) { request in
      if end == .failed { return FakeAnswer(404, [("Content-Length", "0")], body: []) }
      var answer = FakeAnswer(
        200, [("Content-Length", "\(content.size)"), ("ETag", "\"a\"")], body: content.bytes())
      if end == .retried, request.index == 0 { answer.outcome = .lost() }
      return answer
    }
    weak let held = try Self.run(world, end)
    while world.clock.advanceToNextJob() {}
    #expect(held == nil)
    #expect(world.transport.openExchanges == 0)
    #expect(world.violations == [])
  }

  private static func run(_ world: World, _ end: End) throws -> Transfer {
    let ear = Ear()
    let transfer = Transfer(try World.request(), in: world.environment) { ear.hear($0) }
    transfer.start()
    switch end {
    case .stoppedEarly: transfer.stop()
    case .stoppedMidway:
      while transfer.progress.received == 0, world.clock.advanceToNextJob() {}
      transfer.stop()
    case .finished, .failed, .retried: break
    }
    while ear.results.isEmpty, world.clock.advanceToNextJob() {}
    #expect(ear.results.count == 1)
    return transfer
  }

  /// Whenever it is stopped, and however often, it ends once, and the lengths it shows are sane.
  @Test func itIsStoppedAndWatchedFromManyThreads() throws {
    for round in 0..<60 as Range<UInt64> {
      let world = Self.world(round)
      let ear = Ear()
      let transfer = Transfer(try World.request(), in: world.environment) { ear.hear($0) }
      let random = SeededRandom(seed: round)
      let turns = random.next() % 40
      let clock = world.clock
      DispatchQueue.concurrentPerform(iterations: 4) { side in
        switch side {
        case 0:
          transfer.start()
          while ear.results.isEmpty { clock.advanceToNextJob() }
        case 1:
          for _ in 0..<turns { sched_yield() }
          transfer.stop()
          transfer.stop()
        default:
          while ear.results.isEmpty {
            let progress = transfer.progress
            if progress.received > Self.content.size || progress.received < 0 {
              Issue.record("\(progress)")
            }
          }
        }
      }
      while world.clock.advanceToNextJob() {}
      #expect(ear.results.count == 1)
      #expect(world.violations == [], "round \(round)")
      if let file = world.store.files["/d/file"] { #expect(file == Self.content.bytes()) }
    }
  }
}
