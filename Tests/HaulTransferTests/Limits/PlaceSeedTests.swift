import HaulHTTP
import HaulTestKit
import Synchronization
import Testing

@testable import HaulTransfer

/// Several files at once from one server that allows few connections.
@Suite struct PlaceSeedTests {
  /// Counts the exchanges that a server of the world has open; those above its number are refused.
  private final class Crowd: Sendable {
    private let random: SeededRandom
    private let allowed: Int
    private let contents: [OriginContent]
    private let open = Mutex<(now: Int, refused: Int)>((0, 0))

    init(_ random: SeededRandom, allowed: Int, contents: [OriginContent]) {
      self.random = random
      self.allowed = allowed
      self.contents = contents
    }

    var refused: Int { open.withLock { $0.refused } }

    func answer(_ request: FakeTransport.Request, open: Int) -> FakeAnswer {
      guard open < allowed else {
        self.open.withLock { $0.refused += 1 }
        return random.next() % 2 == 0
          ? FakeAnswer(503, body: Array("busy".utf8)) : FakeAnswer(429)
      }
      let number = Int(request.message.url.suffix(1)) ?? 0
      let content = contents[number]
      let range = request.range.map {
        $0.first..<min(content.size, ($0.last ?? content.size - 1) + 1)
      }
      var fields = [("ETag", "\"\(number)\"")]
      let bytes = content.bytes(in: range ?? 0..<content.size)
      fields.append(("Content-Length", "\(bytes.count)"))
      guard let range else { return FakeAnswer(200, fields, body: bytes) }
      fields.append(
        ("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(content.size)"))
      return FakeAnswer(206, fields, body: bytes)
    }
  }

  private struct Outcome {
    var results: [TransferResult?]
    var mostExchanges = 0
    var requests = 0
    var counts = (taken: 0, waiting: 0)
    var violations: [String] = []
  }

  /// Runs four files; some are stopped on the way.
  private func run(_ seed: UInt64, allowed: Int, places: Int, stops: Bool) throws -> Outcome {
    let random = SeededRandom(seed: seed)
    let contents = (0..<4).map {
      OriginContent(size: Int64(200_000 + random.next() % 800_000), seed: seed + UInt64($0))
    }
    let crowd = Crowd(SeededRandom(seed: seed + 9), allowed: allowed, contents: contents)
    let transport = Mutex<FakeTransport?>(nil)
    let world = World(seed: seed, places: places) { request in
      crowd.answer(request, open: transport.withLock { $0?.openExchanges ?? 0 })
    }
    transport.withLock { $0 = world.transport }
    let transfers = try contents.indices.map { number in
      var request = try World.request("https://example.org/\(number)") {
        $0.segments = SegmentPolicy(maximumConnections: 8, isAdaptive: random.next() % 2 == 0)
        $0.segments.minimumByteCount = 10_000
      }
      request.destination = Destination(folder: "/d", name: "file\(number)")
      return Transfer(request, in: world.environment)
    }
    for transfer in transfers { transfer.start() }
    var outcome = Outcome(results: [])
    var steps = 0
    while transfers.contains(where: { $0.progress.state != .ended }), steps < 200_000,
      world.clock.advanceToNextJob()
    {
      steps += 1
      outcome.mostExchanges = max(outcome.mostExchanges, world.transport.openExchanges)
      if stops, random.next() % 200 == 0 { transfers[Int(random.next() % 4)].stop() }
    }
    // Connections of the last exchanges are closed a moment after the end.
    for _ in 0..<50 { world.clock.advanceToNextJob() }
    outcome.results = transfers.map { transfer in transfer.state.withLock { $0.result } }
    outcome.requests = world.transport.requests.count
    outcome.counts = world.environment.hosts.counts
    outcome.violations = world.violations
    return outcome
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func everyPlaceIsGivenBack(_ seed: UInt64) throws {
    let places = 1 + Int(seed % 5)
    let outcome = try run(seed, allowed: 1 + Int(seed % 7), places: places, stops: seed % 3 == 0)
    #expect(outcome.counts == (taken: 0, waiting: 0), "seed \(seed)")
    #expect(outcome.results.allSatisfy { $0 != nil }, "seed \(seed): \(outcome.results)")
    #expect(outcome.violations == [], "seed \(seed)")
    // What was cancelled or abandoned keeps its place until it is out.
    #expect(outcome.mostExchanges <= places, "seed \(seed): \(outcome.mostExchanges)")
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func aServerThatAllowsTwoIsNotBesieged(_ seed: UInt64) throws {
    let outcome = try run(seed, allowed: 2, places: 16, stops: false)
    #expect(outcome.results.allSatisfy { $0?.finished != nil }, "seed \(seed): \(outcome.results)")
    #expect(outcome.requests <= 60, "seed \(seed): \(outcome.requests)")
  }
}
