internal import HaulHTTP
public import HaulTransfer
internal import Synchronization

/// A store without a disk: parts lie in memory, and their jobs are done on a virtual clock, in a
/// random order within the rules of the seam.
///
/// It outlives transfers, so that one can be stopped and continued by another, or die in between.
/// Moves that the seam does not allow are noted in `violations`.
public final class FakeStore: PartialFileStore {
  /// What goes wrong on the disk.
  public struct Faults: Sendable {
    /// The chance that a write fails.
    public var write = 0.0
    /// The chance that another job fails.
    public var job = 0.0
    /// The chance that a small file is not kept in one go.
    public var declines = 0.3
    /// The longest time that a job takes, in seconds.
    public var slowest = 0.02
    /// The kind of failure.
    public var code = FileFailure.Code.diskFull
    /// The bytes that are told to be free; nothing else hangs on them.
    public var freeBytes: Int64 = 1 << 40

    /// Makes a disk that does everything, quickly.
    public init() {}
  }

  /// What lies on the disk for one source.
  struct Entry: Sendable {
    var folder: String
    var name: String
    var content: [UInt8] = []
    /// Bytes that differ from what was written.
    var damaged = IntervalSet()
    /// What the last checkpoint said; nil without a journal.
    var journal: (version: FileVersion, claims: IntervalSet)?
    var isLocked = false
  }

  struct State {
    var entries: [String: Entry] = [:]
    var files: [String: [UInt8]] = [:]
    /// Published, with the journal still there.
    var traces: [String: PublishedFile] = [:]
    var violations: [String] = []
    var faults = Faults()
    var life = 0
  }

  let clock: VirtualClock
  let random: SeededRandom
  let state = Mutex(State())

  /// Makes an empty disk.
  public init(clock: VirtualClock, random: SeededRandom, faults: Faults = Faults()) {
    self.clock = clock
    self.random = random
    state.withLock { $0.faults = faults }
  }

  /// What goes wrong from now on.
  public var faults: Faults {
    get { state.withLock { $0.faults } }
    set { state.withLock { $0.faults = newValue } }
  }

  /// What its user did against the rules.
  public var violations: [String] { state.withLock { $0.violations } }
  /// The published files by their paths.
  public var files: [String: [UInt8]] { state.withLock { $0.files } }
  /// How many parts lie on the disk.
  public var partCount: Int { state.withLock { $0.entries.count } }
  /// The bytes that the journals claim, by the URL of their source.
  public var claims: [String: IntervalSet] {
    state.withLock { $0.entries.compactMapValues { $0.journal?.claims } }
  }

  /// Puts a file under a final name.
  public func put(_ bytes: [UInt8], at path: String) {
    state.withLock { $0.files[path] = bytes }
  }

  /// The process dies: locks are gone, what was written since the last checkpoint is rubbish, and
  /// nothing more is heard of jobs.
  public func crash() {
    state.withLock { state in
      state.life += 1
      for (url, entry) in state.entries {
        var entry = entry
        entry.isLocked = false
        let claimed = entry.journal?.claims ?? IntervalSet()
        for range in claimed.missing(upTo: Int64(entry.content.count)).intervals {
          for index in Int(range.lowerBound)..<Int(range.upperBound) where random.next() % 2 == 0 {
            entry.content[index] = ~entry.content[index]
          }
        }
        state.entries[url] = entry
      }
    }
  }

  /// Damages bytes that journals claim, in some parts that nobody has open.
  public func damage(chance: Double) {
    state.withLock { state in
      for (url, entry) in state.entries where !entry.isLocked && !entry.content.isEmpty {
        guard random.unit() < chance else { continue }
        let index = Int(random.next() % UInt64(entry.content.count))
        state.entries[url]?.content[index] ^= 0x55
        state.entries[url]?.damaged.insert(Int64(index)..<Int64(index + 1))
      }
    }
  }

  /// As on a disk.
  public var gathersSmallFiles: Bool { true }

  /// Looks for what an earlier run left of this source.
  public func find(
    _ source: SourceIdentity, at destination: Destination,
    completion: @escaping @Sendable (FileOutcome<FoundPartial>) -> Void
  ) {
    run(completion) { [self] () throws(FileFailure) -> FoundPartial in
      if let path = existing(destination) { return .existing(path: path) }
      return try takeLock(source, destination)
    }
  }

  private func existing(_ destination: Destination) -> String? {
    guard destination.existing == .skip, let digest = destination.digest,
      let name = destination.name ?? destination.likelyName
    else { return nil }
    let path = "\(destination.folder)/\(name)"
    guard let bytes = files[path], Self.digest(digest.algorithm, of: bytes[...]) == digest else {
      return nil
    }
    return path
  }

  private func takeLock(
    _ source: SourceIdentity, _ destination: Destination
  ) throws(FileFailure) -> FoundPartial {
    let found: Result<FakePart?, FileFailure> = state.withLock { state in
      guard let entry = state.entries[source.url] else { return .success(nil) }
      guard !entry.isLocked else {
        return .failure(FileFailure(code: .inUse, message: "is in use"))
      }
      guard let journal = entry.journal else {
        state.entries[source.url] = nil
        return .success(nil)
      }
      state.entries[source.url]?.isLocked = true
      return .success(
        FakePart(
          self, url: source.url, path: "\(entry.folder)/\(entry.name)",
          destination: destination, version: journal.version, stored: journal.claims,
          life: state.life))
    }
    if let part = try found.get() { return .part(part) }
    let trace = state.withLock { state in
      let trace = state.traces[source.url]
      let isThere = trace.map { state.files[$0.path] != nil } ?? false
      if !isThere || !destination.isRecorded { state.traces[source.url] = nil }
      return isThere ? trace : nil
    }
    return trace.map { .published($0) } ?? .nothing
  }

  /// Makes a part.
  public func create(
    _ source: SourceIdentity, at destination: Destination, suggestedName: String,
    version: FileVersion, mayAdopt: Bool,
    completion: @escaping @Sendable (FileOutcome<CreatedPartial>) -> Void
  ) {
    run(completion) { [self] () throws(FileFailure) -> CreatedPartial in
      let name = destination.name ?? suggestedName
      let path = "\(destination.folder)/\(name)"
      let part: FakePart? = state.withLock { state in
        if destination.existing == .skip, let there = state.files[path],
          version.total.map({ $0 == Int64(there.count) }) ?? false
        {
          return nil
        }
        if state.entries[source.url] != nil {
          state.violations.append("a second part of one source")
        }
        state.entries[source.url] = Entry(
          folder: destination.folder, name: name, isLocked: true)
        return FakePart(
          self, url: source.url, path: path, destination: destination, version: version,
          stored: IntervalSet(), life: state.life)
      }
      return part.map { .part($0) } ?? .skipped(path: path, by: .sizeAndTime)
    }
  }

  /// Does a job some time later; then tells, unless the process died meanwhile.
  func run<Value: Sendable>(
    _ completion: @escaping @Sendable (FileOutcome<Value>) -> Void, mayFail: Bool = true,
    _ body: @escaping @Sendable () throws(FileFailure) -> Value
  ) {
    let (life, faults) = state.withLock { ($0.life, $0.faults) }
    let fails = mayFail && random.unit() < faults.job
    clock.schedule(at: clock.now.advanced(seconds: random.unit() * faults.slowest)) { [self] in
      guard state.withLock({ $0.life }) == life else { return }
      if fails {
        completion(.failure(FileFailure(code: faults.code, message: "failed by the test")))
        return
      }
      do throws(FileFailure) {
        completion(.success(try body()))
      } catch {
        completion(.failure(error))
      }
    }
  }

  func note(_ violation: String) {
    state.withLock { $0.violations.append(violation) }
  }
}
