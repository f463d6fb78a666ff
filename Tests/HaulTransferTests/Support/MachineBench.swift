import HaulHTTP
import HaulTestKit

@testable import HaulTransfer

/// A part that does nothing: a machine only asks what it holds.
final class IdlePart: PartialFile {
  let version: FileVersion
  let stored: IntervalSet
  let plannedPath = "/d/file"
  let isRestartable: Bool
  var outlivesTransfer: Bool { isRestartable }

  init(
    _ version: FileVersion = FileVersion(), stored: IntervalSet = IntervalSet(),
    isRestartable: Bool = true
  ) {
    self.version = version
    self.stored = stored
    self.isRestartable = isRestartable
  }

  func verifyStored(completion: @escaping @Sendable (FileOutcome<IntervalSet>) -> Void) {}
  func write(
    _ buffer: TransferBuffer, at offset: Int64,
    completion: @escaping @Sendable (FileOutcome<Void>) -> Void
  ) {}
  func read(
    _ range: Range<Int64>, completion: @escaping @Sendable (FileOutcome<[UInt8]>) -> Void
  ) {}
  func checkpoint(
    _ version: FileVersion, completion: @escaping @Sendable (FileOutcome<Void>) -> Void
  ) {}
  func restart(
    _ version: FileVersion, completion: @escaping @Sendable (FileOutcome<Void>) -> Void
  ) {}
  func reserve(total: Int64, completion: @escaping @Sendable (FileOutcome<Void>) -> Void) {}
  func beginDigests(_ algorithms: Set<DigestAlgorithm>) {}
  func digests(
    _ algorithms: Set<DigestAlgorithm>, byteCount: Int64,
    completion: @escaping @Sendable (FileOutcome<[Digest]>) -> Void
  ) {}
  func digest(
    _ algorithm: DigestAlgorithm, of range: Range<Int64>,
    completion: @escaping @Sendable (FileOutcome<Digest>) -> Void
  ) {}
  func publish(
    byteCount: Int64, version: FileVersion,
    completion: @escaping @Sendable (FileOutcome<PublishedFile>) -> Void
  ) {}
  func close(_ disposition: PartialDisposition, completion: @escaping @Sendable () -> Void) {}
}

/// Drives a machine by hand and writes down what it wants, in short words.
struct MachineBench {
  var machine: TransferMachine
  var now = Instant(nanoseconds: 0)
  /// All that the machine wanted, in order.
  var wanted: [String] = []
  var events: [TransferEvent] = []
  /// The connection of the last request, and that request.
  var id = ConnectionID(0)
  var message: TransportRequest?
  var landings: [Landing] = []
  var wakes: [Instant] = []

  init(
    _ url: String = "https://example.org/file", gathers: Bool = false,
    _ change: (inout TransferRequest) -> Void = { _ in }
  ) throws {
    machine = TransferMachine(
      try World.request(url, change), session: ConnectionID(7),
      random: SeededRandom(seed: 1), gathers: gathers)
  }

  /// Feeds inputs and returns what came of them.
  @discardableResult
  mutating func feed(_ inputs: TransferMachine.Input...) -> [String] {
    var words: [String] = []
    for input in inputs {
      for action in machine.handle(input, at: .init(now: now, unixTime: 1_700_000_000)) {
        words.append(note(action))
      }
    }
    wanted += words
    return words
  }

  /// Lets time pass, and wakes the machine.
  @discardableResult
  mutating func wait(_ seconds: Double) -> [String] {
    now = now.advanced(seconds: seconds)
    return feed(.tick(unreported: [:]))
  }

  private mutating func note(_ action: TransferMachine.Action) -> String {
    switch action {
    case .find: return "find"
    case .request(let id, let message, _):
      self.id = id
      self.message = message
      return "request \(HeaderFields(message.fields).first("Range") ?? "whole")"
    case .abandon: return "abandon"
    case .cancel: return "cancel"
    case .accept(_, let landing, _):
      landings.append(landing)
      return "accept \(landing.start)-\(landing.end.map { "\($0)" } ?? "")"
    case .limit(_, let end, _): return "limit \(end)"
    case .create: return "create"
    case .gather(_, let total): return "gather \(total)"
    case .keep: return "keep"
    case .restart: return "restart"
    case .reserve(let total): return "reserve \(total)"
    case .readOverlap(_, let range): return "read \(range)"
    case .verifyStored: return "verify"
    case .beginDigests: return "begin digests"
    case .watch(let claim): return "watch \(claim.range)"
    case .flush: return "flush"
    case .checkpoint: return "checkpoint"
    case .digests: return "digests"
    case .digestRange(_, let range): return "digest \(range)"
    case .publish(let count, _): return "publish \(count)"
    case .close(let disposition): return "close \(disposition)"
    case .wake(let instant):
      wakes.append(instant)
      return "wake"
    case .crowded(let id, _): return "crowded \(id.value & 0xFFFFFF)"
    case .postpone(_, let instant): return "postpone \(Int(instant.seconds(since: now)))"
    case .emit(let event):
      events.append(event)
      return word(event)
    }
  }

  private func word(_ event: TransferEvent) -> String {
    switch event {
    case .asked(let request): "asked \(request.start ?? 0)"
    case .answered(let answer): "answered \(answer.status)"
    case .started: "started"
    case .retrying(let failure, _): "retrying \(failure.code.rawValue)"
    case .restarted(let reason): "restarted \(reason.rawValue)"
    case .sourceDropped(let url, _): "dropped \(url)"
    case .damaged(let count, _): "damaged \(count)"
    case .verifying: "verifying"
    case .ended(.finished): "finished"
    case .ended(.skipped): "skipped"
    case .ended(.planned): "planned"
    case .ended(.stopped(let count, _)): "stopped \(count)"
    case .ended(.failed(let failure)): "failed \(failure.code.rawValue)"
    }
  }

  var result: TransferResult? {
    if case .ended(let result)? = events.last { result } else { nil }
  }

  // MARK: Usual steps

  static let tag = ("ETag", "\"a\"")

  mutating func whole(_ total: Int?, _ fields: [(String, String)] = [tag]) -> [String] {
    let length = total.map { [("Content-Length", "\($0)")] } ?? [("Transfer-Encoding", "chunked")]
    return feed(.head(id, head(200, length + fields)))
  }

  mutating func part(
    _ range: Range<Int>, _ total: Int, _ fields: [(String, String)] = [tag]
  ) -> [String] {
    let value = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total)"
    return feed(.head(id, head(206, [("Content-Range", value)] + fields)))
  }

  /// A first answer of 1000 bytes of which some arrived.
  mutating func begin(
    _ total: Int? = 1000, landed: Int64 = 400, _ fields: [(String, String)] = [tag]
  ) {
    feed(.started, .found(.success(.nothing)))
    _ = whole(total, fields)
    feed(.created(.success(.part(IdlePart()))))
    feed(.landed(id, to: landed))
  }

  /// A part of 1000 bytes that an earlier run left.
  mutating func resume(
    _ stored: [Range<Int64>] = [0..<400], _ version: FileVersion = AnswerRulesTests.byTag
  ) -> [String] {
    feed(.started)
    return feed(.found(.success(.part(IdlePart(version, stored: IntervalSet(stored))))))
  }

  /// The connection breaks, and the pause after it passes.
  mutating func cut(finishingCheckpoint: Bool = true) -> [String] {
    let words = feed(.ended(id, .lost())) + wait(600)
    if finishingCheckpoint { finishCheckpoint() }
    return words
  }

  mutating func finishCheckpoint() {
    if machine.isCheckpointing { feed(.checkpointed(.success(()))) }
  }

  /// From the last byte to the end of a transfer that goes well.
  mutating func finish(_ total: Int64 = 1000) -> [String] {
    var words = feed(.flushed)
    words += feed(
      .published(.success(PublishedFile(path: "/d/file", byteCount: total, version: FileVersion())))
    )
    return words
  }
}
