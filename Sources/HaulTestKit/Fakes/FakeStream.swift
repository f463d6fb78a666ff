internal import HaulHTTP
internal import HaulSystem
public import HaulTransfer
internal import Synchronization

/// A store whose one part passes its bytes on to a reader in memory, on a virtual clock.
///
/// Moves that the seam does not allow are noted in `violations`.
public final class FakeStream: PartialFileStore {
  /// What the reader does.
  public struct Reader: Sendable {
    /// The longest time that he takes for a write, in seconds.
    public var slowest = 0.02
    /// After so many bytes he takes no more, until the owner interrupts; nil for never.
    public var stallsAfter: Int?
    /// After so many bytes he goes away; nil for never.
    public var leavesAfter: Int?

    /// Makes a reader who takes everything, quickly.
    public init() {}
  }

  struct State {
    var passedOn: [UInt8] = []
    var violations: [String] = []
    var isInterrupted = false
    var hasFailed = false
    var hasPart = false
  }

  let clock: VirtualClock
  let random: SeededRandom
  /// What the reader does.
  public let reader: Reader
  let state = Mutex(State())

  /// Makes a stream that nothing has gone out on.
  public init(clock: VirtualClock, random: SeededRandom, reader: Reader = Reader()) {
    self.clock = clock
    self.random = random
    self.reader = reader
  }

  /// The bytes that the reader has.
  public var passedOn: [UInt8] { state.withLock { $0.passedOn } }
  /// What its user did against the rules.
  public var violations: [String] { state.withLock { $0.violations } }

  /// Nothing is ever left by an earlier run.
  public func find(
    _ source: SourceIdentity, at destination: Destination,
    completion: @escaping @Sendable (FileOutcome<FoundPartial>) -> Void
  ) {
    later { completion(.success(.nothing)) }
  }

  /// Makes the part.
  public func create(
    _ source: SourceIdentity, at destination: Destination, suggestedName: String,
    version: FileVersion, mayAdopt: Bool,
    completion: @escaping @Sendable (FileOutcome<CreatedPartial>) -> Void
  ) {
    state.withLock { state in
      if state.hasPart { state.violations.append("a second part of one stream") }
      state.hasPart = true
    }
    let part = FakeStreamPart(self, path: destination.name ?? suggestedName, version: version)
    later { completion(.success(.part(part))) }
  }

  /// Runs a job some time later.
  func later(_ job: @escaping @Sendable () -> Void) {
    clock.schedule(at: clock.now.advanced(seconds: random.unit() * reader.slowest), job)
  }

  func note(_ violation: String) {
    state.withLock { $0.violations.append(violation) }
  }
}

/// The part of a `FakeStream`.
final class FakeStreamPart: PartialFile {
  private struct Job: Sendable {
    let start: Int64
    let bytes: [UInt8]
    let completion: @Sendable (FileOutcome<Void>) -> Void
  }

  private struct State {
    var version: FileVersion
    /// The end of the last write that was asked for.
    var asked: Int64 = 0
    var writes: [Job] = []
    var isWriting = false
    var serialJob: String?
    var watched: [Range<Int64>] = []
    var isClosed = false
  }

  let plannedPath: String
  private let stream: FakeStream
  private let state: Mutex<State>

  init(_ stream: FakeStream, path: String, version: FileVersion) {
    self.stream = stream
    plannedPath = path
    state = Mutex(State(version: version))
  }

  let isRestartable = false
  let outlivesTransfer = false
  var passedOn: Int64 { Int64(stream.passedOn.count) }
  var version: FileVersion { state.withLock { $0.version } }
  var stored: IntervalSet { IntervalSet() }

  func verifyStored(completion: @escaping @Sendable (FileOutcome<IntervalSet>) -> Void) {
    stream.note("what was never stored is to be verified")
  }

  func write(
    _ buffer: TransferBuffer, at offset: Int64,
    completion: @escaping @Sendable (FileOutcome<Void>) -> Void
  ) {
    let bytes = unsafe buffer.withBytes { unsafe [UInt8]($0) }
    let problem: String? = state.withLock { state in
      let isNext = offset == state.asked
      state.asked = offset + Int64(bytes.count)
      state.writes.append(Job(start: offset, bytes: bytes, completion: completion))
      if state.isClosed { return "a write after the close" }
      if let job = state.serialJob, job != "read" { return "a write during \(job)" }
      return isNext ? nil : "a write at \(offset) that does not follow"
    }
    if let problem { stream.note(problem) }
    takeNext()
  }

  private func takeNext() {
    let job: Job? = state.withLock { state in
      guard !state.isWriting, !state.writes.isEmpty else { return nil }
      state.isWriting = true
      return state.writes.removeFirst()
    }
    guard let job else { return }
    stream.later { [self] in take(job) }
  }

  /// The reader takes a write, or some of it, or none.
  private func take(_ job: Job) {
    enum Fate { case taken, stalled, failed(FileFailure.Code) }
    let reader = stream.reader
    let fate: Fate = stream.state.withLock { state in
      if state.hasFailed || state.isInterrupted { return .failed(.interrupted) }
      let room = min(reader.stallsAfter ?? .max, reader.leavesAfter ?? .max) - state.passedOn.count
      state.passedOn += job.bytes.prefix(max(0, room))
      if room >= job.bytes.count { return .taken }
      guard reader.leavesAfter.map({ $0 > state.passedOn.count }) ?? true else {
        state.hasFailed = true
        return .failed(.readerGone)
      }
      return .stalled
    }
    switch fate {
    case .taken: finish(job, .success(()))
    case .failed(let code):
      finish(job, .failure(FileFailure(code: code, message: "ended by the test")))
    case .stalled:
      // The rest of it waits for the interrupt.
      state.withLock { state in
        state.writes.insert(job, at: 0)
        state.isWriting = false
      }
    }
  }

  private func finish(_ job: Job, _ outcome: FileOutcome<Void>) {
    state.withLock { $0.isWriting = false }
    job.completion(outcome)
    takeNext()
  }

  private func begin(_ name: String) {
    let problem: String? = state.withLock { state in
      defer { state.serialJob = name }
      if state.isClosed { return "\(name) after the close" }
      return state.serialJob.map { "\(name) during \($0)" }
    }
    if let problem { stream.note(problem) }
  }

  private func serial(_ name: String, _ job: @escaping @Sendable () -> Void) {
    begin(name)
    stream.later { [self] in
      state.withLock { $0.serialJob = nil }
      job()
    }
  }

  func read(
    _ range: Range<Int64>, completion: @escaping @Sendable (FileOutcome<[UInt8]>) -> Void
  ) {
    if range.count > 64 * 1024 || range.upperBound != state.withLock({ $0.asked }) {
      stream.note("a read of bytes that are gone")
    }
    begin("read")
    readBehindWrites(range, completion)
  }

  private func readBehindWrites(
    _ range: Range<Int64>, _ completion: @escaping @Sendable (FileOutcome<[UInt8]>) -> Void
  ) {
    stream.later { [self] in
      let isWaiting = state.withLock { state in
        let isWaiting = state.isWriting || !state.writes.isEmpty
        if !isWaiting { state.serialJob = nil }
        return isWaiting
      }
      if isWaiting { return readBehindWrites(range, completion) }
      let bytes = stream.passedOn
      guard range.upperBound == Int64(bytes.count) else {
        return completion(.failure(FileFailure(code: .interrupted, message: "ended by the test")))
      }
      completion(.success(Array(bytes[Int(range.lowerBound)...])))
    }
  }

  func checkpoint(
    _ version: FileVersion, completion: @escaping @Sendable (FileOutcome<Void>) -> Void
  ) {
    stream.later { completion(.success(())) }
  }

  func restart(
    _ version: FileVersion, completion: @escaping @Sendable (FileOutcome<Void>) -> Void
  ) {
    if state.withLock({ $0.asked }) > 0 { stream.note("a restart of what was passed on") }
    serial("restart") { [self] in
      state.withLock { $0.version = version }
      completion(.success(()))
    }
  }

  func reserve(total: Int64, completion: @escaping @Sendable (FileOutcome<Void>) -> Void) {
    serial("reserve") { completion(.success(())) }
  }

  func beginDigests(_ algorithms: Set<DigestAlgorithm>) {}

  func digests(
    _ algorithms: Set<DigestAlgorithm>, byteCount: Int64,
    completion: @escaping @Sendable (FileOutcome<[Digest]>) -> Void
  ) {
    checkWhole("digests", byteCount)
    serial("digests") { [stream] in
      completion(.success(algorithms.map { FakeStore.digest($0, of: stream.passedOn[...]) }))
    }
  }

  func watch(_ range: Range<Int64>, _ algorithm: DigestAlgorithm) {
    let isLate = state.withLock { state in
      state.watched.append(range)
      return range.lowerBound < state.asked
    }
    if isLate { stream.note("bytes are watched that are gone") }
  }

  func digest(
    _ algorithm: DigestAlgorithm, of range: Range<Int64>,
    completion: @escaping @Sendable (FileOutcome<Digest>) -> Void
  ) {
    if !state.withLock({ $0.watched.contains(range) }) {
      stream.note("a digest of bytes that were not watched")
    }
    serial("digest") { [stream] in
      let bytes = stream.passedOn[Int(range.lowerBound)..<Int(range.upperBound)]
      completion(.success(FakeStore.digest(algorithm, of: bytes)))
    }
  }

  private func checkWhole(_ job: String, _ byteCount: Int64) {
    if Int64(stream.passedOn.count) != byteCount { stream.note("\(job) of other bytes than all") }
  }

  func publish(
    byteCount: Int64, version: FileVersion,
    completion: @escaping @Sendable (FileOutcome<PublishedFile>) -> Void
  ) {
    checkWhole("publish", byteCount)
    serial("publish") { [plannedPath] in
      completion(
        .success(PublishedFile(path: plannedPath, byteCount: byteCount, version: version)))
    }
  }

  func interrupt() {
    stream.state.withLock { $0.isInterrupted = true }
    takeNext()
  }

  func close(_ disposition: PartialDisposition, completion: @escaping @Sendable () -> Void) {
    let isBusy = state.withLock { $0.isWriting || !$0.writes.isEmpty }
    if isBusy { stream.note("a close while bytes are on their way") }
    serial("close", completion)
    state.withLock { $0.isClosed = true }
  }
}
