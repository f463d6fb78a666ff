import HaulHTTP
import HaulTestKit
import Testing

@testable import HaulTransfer

/// What a whole transfer takes under limits, by its progress.
@Suite struct LimitedTransferTests {
  private static func world(_ content: OriginContent, _ limiter: Int64? = nil) -> World {
    World(
      seed: 4, largestPiece: 64 << 10,
      limiter: limiter.map { limit in { RateLimiter(bytesPerSecond: limit, clock: $0) } }
    ) { request in
      let range = request.range.map { $0.first..<min(content.size, ($0.last ?? .max - 1) + 1) }
      let bytes = content.bytes(in: range ?? 0..<content.size)
      var fields = [("ETag", "\"a\""), ("Content-Length", "\(bytes.count)")]
      if let range {
        fields.append(
          ("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(content.size)"))
      }
      return FakeAnswer(range == nil ? 200 : 206, fields, body: bytes)
    }
  }

  /// The bytes that came in each second.
  private func seconds(_ transfer: Transfer, _ world: World, _ count: Int) -> [Int64] {
    var before = transfer.progress.received
    return (0..<count).map { _ in
      world.clock.advance(seconds: 1)
      defer { before = transfer.progress.received }
      return transfer.progress.received - before
    }
  }

  @Test(arguments: [1, 16])
  func everySecondIsExact(_ connections: Int) throws {
    let world = Self.world(OriginContent(size: 10 << 20, seed: 1), 1 << 20)
    let request = try World.request {
      $0.segments = SegmentPolicy(maximumConnections: connections, isAdaptive: false)
    }
    let transfer = Transfer(request, in: world.environment)
    transfer.start()
    // Until all are there, some of what they bring is asked for twice.
    world.clock.advance(seconds: 2)
    let each = seconds(transfer, world, 6)
    #expect(each.allSatisfy { abs($0 - (1 << 20)) <= (1 << 20) / 10 }, "\(each)")
    let sum = each.reduce(0, +)
    #expect(abs(sum - (6 << 20)) <= (6 << 20) * 3 / 100, "\(sum)")
    #expect(world.violations == [])
    transfer.stop()
  }

  /// Eight connections were opened under a limit that one of them filled.
  @Test func underALimitThatOneFillsThereIsOne() throws {
    let world = Self.world(OriginContent(size: 20 << 20, seed: 3), 1 << 20)
    let request = try World.request { $0.segments = .adaptive }
    let transfer = Transfer(request, in: world.environment)
    transfer.start()
    world.clock.advance(seconds: 10)
    #expect(world.transport.requests.count == 1)
    world.environment.limiter?.set(bytesPerSecond: nil)
    world.clock.advance(seconds: 60)
    #expect(transfer.progress.state == .ended)
    #expect(world.violations == [])
  }

  @Test func theLimitOfAFileIsChangedWhileItIsFetched() throws {
    let world = Self.world(OriginContent(size: 8 << 20, seed: 2))
    let limiter = RateLimiter(bytesPerSecond: 50_000, clock: world.clock)
    let hosts = HostRateLimits(clock: world.clock)
    var environment = world.environment
    environment.hostLimits = hosts
    let request = try World.request { $0.limiter = limiter }
    let transfer = Transfer(request, in: environment)
    transfer.start()
    world.clock.advance(seconds: 1)
    // One piece may have been granted before the change, and be taken after it.
    func isNear(_ rate: Int64) -> Bool {
      let sum = seconds(transfer, world, 3).reduce(0, +)
      return abs(sum - 3 * rate) <= 3 * rate * 3 / 100 + 16_384
    }
    #expect(isNear(50_000))
    limiter.set(bytesPerSecond: 1 << 20)
    #expect(isNear(1 << 20))
    hosts.set(bytesPerSecond: 80_000, for: request.url.origin)
    #expect(isNear(80_000))
    hosts.set(bytesPerSecond: nil, for: request.url.origin)
    #expect(isNear(1 << 20))
    limiter.set(bytesPerSecond: nil)
    world.clock.advance(seconds: 60)
    #expect(transfer.progress.state == .ended)
    #expect(world.violations == [])
  }
}
