import Foundation
import HaulHTTP
import HaulTestKit
import HaulTransfer
import Synchronization

/// Undoes nothing.
struct NoDecoders: BodyDecoders {
  func makeDecoder(
    _ coding: ContentCoding, digests: Set<DigestAlgorithm>
  ) -> (any BodyDecoder)? { nil }
}

/// Hears the events of one transfer.
final class Ear: Sendable {
  private let heard = Mutex<[TransferEvent]>([])

  var events: [TransferEvent] { heard.withLock { $0 } }
  func hear(_ event: TransferEvent) { heard.withLock { $0.append(event) } }

  var results: [TransferResult] {
    events.compactMap { if case .ended(let result) = $0 { result } else { nil } }
  }
  var restarts: [RestartReason] {
    events.compactMap { if case .restarted(let reason) = $0 { reason } else { nil } }
  }
  var retries: [TransferFailure.Code] {
    events.compactMap { if case .retrying(let failure, _) = $0 { failure.code } else { nil } }
  }
}

/// The clock of the world as one process has it: what was to be done at a time dies with the process.
private final class ProcessClock: Clock {
  private let clock: VirtualClock
  private let isDead = Atomic(false)

  init(_ clock: VirtualClock) {
    self.clock = clock
  }

  var now: Instant { clock.now }
  var unixTime: Int64 { clock.unixTime }

  func schedule(at instant: Instant, _ job: @escaping @Sendable () -> Void) {
    clock.schedule(at: instant) { [self] in
      if !isDead.load(ordering: .relaxed) { job() }
    }
  }

  func die() { isDead.store(true, ordering: .relaxed) }
}

/// A world of fakes on one virtual clock, in which a transfer runs from a seed.
struct World {
  let clock = VirtualClock()
  let store: FakeStore
  private(set) var transport: FakeTransport
  private(set) var environment: TransferEnvironment
  private let makeTransport: () -> FakeTransport
  private var process: ProcessClock
  private var formerViolations: [String] = []
  private let places: Int

  init(
    seed: UInt64 = 1, largestPiece: Int = 16 * 1024, faults: FakeStore.Faults = .init(),
    limiter: ((VirtualClock) -> RateLimiter)? = nil, places: Int = 16,
    answer: @escaping @Sendable (FakeTransport.Request) -> FakeAnswer
  ) {
    let random = SeededRandom(seed: seed &+ 1)
    makeTransport = { [clock] in
      FakeTransport(clock: clock, random: random, largestPiece: largestPiece, answer: answer)
    }
    transport = makeTransport()
    store = FakeStore(clock: clock, random: SeededRandom(seed: seed &+ 2), faults: faults)
    process = ProcessClock(clock)
    environment = TransferEnvironment(
      transport: transport, store: store, clock: process, random: SeededRandom(seed: seed &+ 3),
      decoders: NoDecoders(), limiter: limiter?(clock),
      hosts: HostGate(maximumConnections: places))
    self.places = places
  }

  static func request(
    _ url: String = "https://example.org/file", _ change: (inout TransferRequest) -> Void = { _ in }
  ) throws -> TransferRequest {
    var request = TransferRequest(
      url: try HTTPURL(parsing: url), destination: Destination(folder: "/d", name: "file"))
    change(&request)
    return request
  }

  /// Runs a transfer to its end, or until nothing is left that could happen.
  func run(_ request: TransferRequest) -> Ear {
    let ear = Ear()
    let transfer = Transfer(request, in: environment) { ear.hear($0) }
    transfer.start()
    while ear.results.isEmpty, clock.advanceToNextJob() {}
    return ear
  }

  var violations: [String] { formerViolations + transport.violations + store.violations }

  /// Lets codings be undone.
  mutating func decode(by decoders: any BodyDecoders) {
    environment.decoders = decoders
  }

  /// Puts the bytes elsewhere.
  mutating func keep(in store: any PartialFileStore) {
    environment.store = store
  }

  /// The process dies, and another one begins.
  mutating func crash() {
    transport.crash()
    store.crash()
    formerViolations += transport.violations
    transport = makeTransport()
    environment.transport = transport
    process.die()
    process = ProcessClock(clock)
    environment.clock = process
    environment.hosts = HostGate(maximumConnections: places)
  }
}

extension TransferResult {
  var finished: FinishedTransfer? {
    if case .finished(let file) = self { file } else { nil }
  }
  var failure: TransferFailure? {
    if case .failed(let failure) = self { failure } else { nil }
  }
}

extension OriginContent {
  /// The SHA-256 of all bytes as header fields carry it.
  var base64SHA256: String { Data(digest().bytes).base64EncodedString() }
}
