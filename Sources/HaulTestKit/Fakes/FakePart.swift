internal import HaulHTTP
internal import HaulSystem
internal import HaulTransfer
internal import Synchronization

/// A part of a `FakeStore`. Each job takes effect at a random moment before it is told.
final class FakePart: PartialFile {
  private struct State {
    var version: FileVersion
    /// What counts as there: written by this run, or found and verified.
    var sound = IntervalSet()
    var serialJob: String?
    var isCheckpointing = false
    var isVerifying = false
    var writesInFlight = 0
    var lastWrite = Instant(nanoseconds: 0)
    var isClosed = false
    var isRestarted = false
  }

  let stored: IntervalSet
  let plannedPath: String
  private let store: FakeStore
  private let url: String
  private let existing: ExistingFilePolicy
  private let isRecorded: Bool
  private let life: Int
  private let state: Mutex<State>

  init(
    _ store: FakeStore, url: String, path: String, destination: Destination,
    version: FileVersion, stored: IntervalSet, life: Int
  ) {
    self.store = store
    self.url = url
    existing = destination.existing
    isRecorded = destination.isRecorded
    self.stored = stored
    self.life = life
    plannedPath = path
    state = Mutex(State(version: version))
  }

  var version: FileVersion { state.withLock { $0.version } }

  private var isDead: Bool { store.state.withLock { $0.life } != life }

  /// Notes the start of a job of which only one may run.
  private func begin(_ job: String) {
    if isDead { return }
    let problem: String? = state.withLock { state in
      defer { state.serialJob = job }
      if state.isClosed { return "\(job) after the close" }
      return state.serialJob.map { "\(job) during \($0)" }
    }
    if let problem { store.note(problem) }
  }

  private func serial<Value: Sendable>(
    _ job: String, mayFail: Bool = true,
    _ completion: @escaping @Sendable (FileOutcome<Value>) -> Void,
    _ body: @escaping @Sendable () throws(FileFailure) -> Value
  ) {
    guard !isDead else { return }
    begin(job)
    store.run(
      { [self] outcome in
        state.withLock { $0.serialJob = nil }
        completion(outcome)
      }, mayFail: mayFail, body)
  }

  func verifyStored(completion: @escaping @Sendable (FileOutcome<IntervalSet>) -> Void) {
    guard !isDead else { return }
    state.withLock { $0.isVerifying = true }
    // Reading all that is there takes its time.
    let delay = store.random.unit() * store.faults.slowest * 20
    store.clock.schedule(at: store.clock.now.advanced(seconds: delay)) { [self] in
      guard !isDead else { return }
      let damaged = store.state.withLock { $0.entries[url]?.damaged ?? IntervalSet() }
      var good = stored
      good.subtract(damaged)
      var bad = stored
      bad.subtract(good)
      state.withLock { state in
        state.isVerifying = false
        // What was overwritten or forgotten meanwhile is not this job's business.
        guard !state.isRestarted else { return }
        for range in good.intervals { state.sound.insert(range) }
        bad.subtract(state.sound)
      }
      store.state.withLock { state in
        state.entries[url]?.damaged = IntervalSet()
        state.entries[url]?.journal?.claims.subtract(bad)
      }
      completion(.success(bad))
    }
  }

  func write(
    _ buffer: TransferBuffer, at offset: Int64,
    completion: @escaping @Sendable (FileOutcome<Void>) -> Void
  ) {
    guard !isDead else { return }
    let faults = store.faults
    let fails = store.random.unit() < faults.write
    let due = state.withLock { state in
      if state.isClosed { store.note("a write after the close") }
      if state.serialJob == "restart" { store.note("a write during a restart") }
      state.writesInFlight += 1
      let earliest = max(store.clock.now, state.lastWrite)
      state.lastWrite = earliest.advanced(seconds: store.random.unit() * faults.slowest)
      return state.lastWrite
    }
    store.clock.schedule(at: due) { [self] in
      guard !isDead else { return }
      state.withLock { $0.writesInFlight -= 1 }
      guard !fails else {
        completion(.failure(FileFailure(code: faults.code, message: "failed by the test")))
        return
      }
      let bytes = unsafe buffer.withBytes { unsafe [UInt8]($0) }
      let range = offset..<offset + Int64(bytes.count)
      store.state.withLock { state in
        guard var content = state.entries[url]?.content else { return }
        state.entries[url]?.content = []
        let missing = Int(range.upperBound) - content.count
        if missing > 0 { content += [UInt8](repeating: 0, count: missing) }
        content.replaceSubrange(Int(range.lowerBound)..<Int(range.upperBound), with: bytes)
        state.entries[url]?.content = content
        state.entries[url]?.damaged.remove(range)
      }
      state.withLock { $0.sound.insert(range) }
      completion(.success(()))
    }
  }

  func read(
    _ range: Range<Int64>, completion: @escaping @Sendable (FileOutcome<[UInt8]>) -> Void
  ) {
    serial("read", completion) { [self] () throws(FileFailure) -> [UInt8] in
      let content = store.state.withLock { $0.entries[url]?.content ?? [] }
      guard range.lowerBound >= 0, range.upperBound <= Int64(content.count) else {
        store.note("a read beyond what was written")
        throw FileFailure(code: .inputOutput, message: "is shorter than expected")
      }
      return Array(content[Int(range.lowerBound)..<Int(range.upperBound)])
    }
  }

  func checkpoint(
    _ version: FileVersion, completion: @escaping @Sendable (FileOutcome<Void>) -> Void
  ) {
    guard !isDead else { return }
    state.withLock { state in
      if state.isClosed { store.note("a checkpoint after the close") }
      if state.isCheckpointing { store.note("two checkpoints at a time") }
      if let job = state.serialJob, ["restart", "publish", "close"].contains(job) {
        store.note("a checkpoint during \(job)")
      }
      // Bytes of one version must not be vouched for under the name of another. Without a validator
      // nothing is vouched for: so it is where versions may have met, and a digest will tell.
      if let validator = version.validator, state.version.validator != validator {
        store.note("a checkpoint of another version than the bytes")
      }
      state.isCheckpointing = true
    }
    store.run(
      { [self] (outcome: FileOutcome<Void>) in
        state.withLock { $0.isCheckpointing = false }
        completion(outcome)
      }
    ) { [self] () throws(FileFailure) in
      var claims = state.withLock { $0.sound }
      if state.withLock({ !$0.isRestarted && $0.isVerifying }) {
        for range in stored.intervals { claims.insert(range) }
      }
      store.state.withLock { state in
        if claims.isEmpty, state.entries[url]?.journal == nil { return }
        state.entries[url]?.journal = (version, claims)
      }
    }
  }

  func restart(
    _ version: FileVersion, completion: @escaping @Sendable (FileOutcome<Void>) -> Void
  ) {
    guard !isDead else { return }
    begin("restart")
    let (last, isCheckpointing) = state.withLock { ($0.lastWrite, $0.isCheckpointing) }
    if isCheckpointing { store.note("a restart during a checkpoint") }
    let now = max(store.clock.now, last)
    // Behind the writes in flight, also behind one that is due at the same moment.
    let faults = store.faults
    let fails = store.random.unit() < faults.job
    let due = now.advanced(seconds: store.random.unit() * faults.slowest)
    store.clock.schedule(at: due) { [self] in
      guard !isDead else { return }
      store.state.withLock { state in
        state.entries[url]?.journal = nil
        state.entries[url]?.content = []
        state.entries[url]?.damaged = IntervalSet()
      }
      state.withLock { state in
        state.sound = IntervalSet()
        state.isRestarted = true
        state.version = version
        state.serialJob = nil
      }
      completion(
        fails ? .failure(FileFailure(code: faults.code, message: "failed")) : .success(()))
    }
  }

  func reserve(
    total: Int64, completion: @escaping @Sendable (FileOutcome<Void>) -> Void
  ) {
    serial("reserve", completion) { () throws(FileFailure) in }
  }

  func beginDigests(_ algorithms: Set<DigestAlgorithm>) {
    if !isDead, state.withLock({ $0.isClosed }) { store.note("digests begun after the close") }
  }

  func digests(
    _ algorithms: Set<DigestAlgorithm>, byteCount: Int64,
    completion: @escaping @Sendable (FileOutcome<[Digest]>) -> Void
  ) {
    checkWhole("digests", byteCount)
    serial("digests", completion) { [self] () throws(FileFailure) -> [Digest] in
      let content = store.state.withLock { $0.entries[url]?.content ?? [] }
      return algorithms.map { FakeStore.digest($0, of: content.prefix(Int(byteCount))) }
    }
  }

  func digest(
    _ algorithm: DigestAlgorithm, of range: Range<Int64>,
    completion: @escaping @Sendable (FileOutcome<Digest>) -> Void
  ) {
    serial("digest", completion) { [self] () throws(FileFailure) -> Digest in
      let content = store.state.withLock { $0.entries[url]?.content ?? [] }
      return FakeStore.digest(algorithm, of: content[Int(range.lowerBound)..<Int(range.upperBound)])
    }
  }

  private func checkWhole(_ job: String, _ byteCount: Int64) {
    guard !isDead else { return }
    let problem: String? = state.withLock { state in
      if state.writesInFlight > 0 { return "\(job) while bytes are on their way" }
      if state.isVerifying { return "\(job) before what was found is verified" }
      return state.sound.contains(0..<byteCount) ? nil : "\(job) with missing bytes"
    }
    if let problem { store.note(problem) }
  }

  func publish(
    byteCount: Int64, version: FileVersion,
    completion: @escaping @Sendable (FileOutcome<PublishedFile>) -> Void
  ) {
    checkWhole("publish", byteCount)
    if !isDead, state.withLock({ $0.isCheckpointing }) {
      store.note("publish during a checkpoint")
    }
    serial(
      "publish",
      { [self] (outcome: FileOutcome<PublishedFile>) in
        guard case .success = outcome else { return completion(outcome) }
        // The journal goes after the rename; a death in between leaves a trace.
        store.run(
          { [self] (_: FileOutcome<Void>) in
            if !isRecorded { store.state.withLock { $0.traces[url] = nil } }
            completion(outcome)
          }, mayFail: false
        ) { () throws(FileFailure) in }
      }
    ) { [self] () throws(FileFailure) -> PublishedFile in
      let file: Result<PublishedFile, FileFailure> = store.state.withLock { state in
        guard let entry = state.entries[url] else {
          return .failure(FileFailure(code: .inputOutput, message: "is gone"))
        }
        var path = plannedPath
        var number = 0
        while existing != .overwrite, existing != .skip, state.files[path] != nil {
          if existing == .fail {
            return .failure(FileFailure(code: .exists, message: "is there already"))
          }
          number += 1
          path = "\(plannedPath) (\(number))"
        }
        state.files[path] = Array(entry.content.prefix(Int(byteCount)))
        state.entries[url] = nil
        let file = PublishedFile(path: path, byteCount: byteCount, version: version)
        state.traces[url] = file
        return .success(file)
      }
      let published = try file.get()
      state.withLock { $0.isClosed = true }
      return published
    }
  }

  func close(_ disposition: PartialDisposition, completion: @escaping @Sendable () -> Void) {
    guard !isDead else { return }
    begin("close")
    let problem: String? = state.withLock { state in
      state.isClosed = true
      if state.writesInFlight > 0 { return "a close while bytes are on their way" }
      return state.isCheckpointing ? "a close during a checkpoint" : nil
    }
    if let problem { store.note(problem) }
    store.run({ (_: FileOutcome<Void>) in completion() }, mayFail: false) {
      [self] () throws(FileFailure) in
      store.state.withLock { state in
        if disposition == .keep, state.entries[url]?.journal != nil {
          state.entries[url]?.isLocked = false
        } else {
          state.entries[url] = nil
        }
      }
    }
  }
}

extension FakeStore {
  /// The digest of some bytes.
  static func digest(_ algorithm: DigestAlgorithm, of bytes: ArraySlice<UInt8>) -> Digest {
    let hasher = SystemCrypto().makeHasher(algorithm)
    // The slice lives through the call.
    unsafe bytes.withUnsafeBytes { unsafe hasher.update($0) }
    return hasher.finish()
  }
}
