public import Dispatch
public import HaulHTTP
internal import HaulSystem
public import HaulTransfer
internal import Synchronization

/// The download of one file, without a list and a database: start, pause, go on, stop.
///
/// The bytes are kept beside the file while it is on its way, with a journal. Whoever makes a download for
/// the same address and place later goes on from there, also after the process was killed.
///
/// ```swift
/// let download = try FileDownload("https://example.org/film.mp4", to: "/films/film.mp4")
/// download.start { print($0.fraction ?? 0) }
/// let file = try await download.result()
/// ```
///
/// All calls return at once, may come from any thread, and take effect in the order of the calls.
public final class FileDownload: Sendable {
  /// Hears where a download stands.
  public typealias Observer = @Sendable (FileDownloadSnapshot) -> Void

  private struct State {
    var machine = FileDownloadMachine()
    var running: (any RunningDownload)?
    var snapshot = FileDownloadSnapshot()
    var meter = RateMeter()
    var owner: (queue: DispatchQueue, observer: Observer)?
    /// Counts the owners: who was replaced hears nothing more.
    var ownership: UInt64 = 0
    /// The ownership in which a call of the observer is on its way; it brings what is newest by then.
    var telling: UInt64?
    var streams: [UInt64: AsyncStream<FileDownloadSnapshot>.Continuation] = [:]
    var nextStream: UInt64 = 0
  }

  /// Seconds between two looks at the progress.
  private static let interval = 0.1

  /// What is fetched, and where it goes.
  public let request: TransferRequest
  private let engine: any Downloading
  private let clock: any Clock
  private let queue = DispatchQueue(label: "haul.file-download")
  private let state = Mutex(State())

  /// Makes a download that has not started.
  ///
  /// - Parameters:
  ///   - address: The address of the file, `http` or `https`.
  ///   - path: Where it goes: the path of the file, or that of a folder with `/` at its end, in which it
  ///     gets the name that the server suggests.
  ///   - engine: What fetches it.
  ///   - change: Sets what else the request has: digest, mirrors, header fields, connections.
  /// - Throws: `AddressError` when the address cannot be read.
  public convenience init(
    _ address: String, to path: String, engine: any Downloading = DownloadEngine.shared,
    _ change: (inout TransferRequest) -> Void = { _ in }
  ) throws(AddressError) {
    let end = path.lastIndex(of: "/")
    let folder = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let name = end.map { String(path[path.index(after: $0)...]) } ?? path
    var request = TransferRequest(
      url: try HTTPURL(parsing: address),
      destination: Destination(folder: folder, name: name.isEmpty ? nil : name))
    request.segments = .adaptive
    change(&request)
    self.init(request, engine: engine)
  }

  /// Makes a download of a request.
  public convenience init(
    _ request: TransferRequest, engine: any Downloading = DownloadEngine.shared
  ) {
    self.init(request, engine: engine, clock: SystemClock())
  }

  init(_ request: TransferRequest, engine: any Downloading, clock: any Clock) {
    self.request = request
    self.engine = engine
    self.clock = clock
  }

  deinit {
    state.withLock { $0.running }?.stop()
  }

  /// What is on disk already, without asking the server; nil when there is nothing.
  ///
  /// - Throws: `TransferFailure` when the disk fails, or when the file is being fetched (`in-use`): then
  ///   `snapshot` says more.
  public func stored() async throws(TransferFailure) -> StoredBytes? {
    try await engine.stored(request)
  }

  /// Where it stands now.
  public var snapshot: FileDownloadSnapshot {
    let now = clock.now
    return state.withLock { look(&$0, now) }
  }

  /// Starts it, or goes on; one that finished stays so.
  ///
  /// The observer takes the place of an earlier one, which hears nothing more: on a serial queue nothing of
  /// it runs once this call has returned there. It hears the current state first, then each change, at most
  /// about ten times a second, and the end last; nil keeps the earlier observer.
  ///
  /// - Parameters:
  ///   - queue: Where the observer is called; nil for a serial queue of the download.
  ///   - observer: Hears where it stands.
  public func start(on queue: DispatchQueue? = nil, _ observer: Observer? = nil) {
    perform { state in
      if let observer {
        state.owner = (queue ?? self.queue, observer)
        state.ownership += 1
      }
      return state.machine.start()
    }
  }

  /// Pauses it; what is there is kept, and `start` goes on from there.
  public func pause() { perform { $0.machine.pause() } }

  /// Ends it; what is there is kept, and `result` throws `interrupted`. `start` goes on all the same.
  public func stop() { perform { $0.machine.stop() } }

  /// Where it stands from now on: the current state first, then changes, the newest only for a reader who
  /// is slow. The sequence ends with the end of the download.
  public var snapshots: AsyncStream<FileDownloadSnapshot> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: FileDownloadSnapshot.self, bufferingPolicy: .bufferingNewest(1))
    let now = clock.now
    let id = state.withLock { state in
      let id = state.nextStream
      state.nextStream += 1
      let snapshot = look(&state, now)
      continuation.yield(snapshot)
      if snapshot.isOver { continuation.finish() } else { state.streams[id] = continuation }
      return id
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.streams.removeValue(forKey: id) }
    }
    return stream
  }

  /// Waits for the end.
  ///
  /// - Throws: `TransferFailure`; its code is `interrupted` when the owner stopped it.
  @discardableResult
  public func result() async throws(TransferFailure) -> FileDownloadSnapshot {
    var last = snapshot
    for await snapshot in snapshots { last = snapshot }
    switch last.state {
    case .finished: return last
    case .failed(let failure): throw failure
    default:
      throw TransferFailure(
        code: .interrupted, message: "\(request.url) was stopped; what was received is kept")
    }
  }
}

extension FileDownload {
  private func perform(_ input: (inout State) -> [FileDownloadMachine.Action]) {
    let now = clock.now
    let (runs, stops) = state.withLock { state in
      var runs: [any RunningDownload] = []
      var stops: [any RunningDownload] = []
      for action in input(&state) {
        switch action {
        case .run(let attempt):
          let running = makeAttempt(attempt)
          state.running = running
          state.meter.reset()
          runs.append(running)
        case .stop: if let running = state.running { stops.append(running) }
        case .tell: tell(&state, now)
        }
      }
      return (runs, stops)
    }
    // Outside the lock: they may call back at once.
    for running in runs {
      running.start()
      watch(running)
    }
    for running in stops { running.stop() }
  }

  private func makeAttempt(_ attempt: UInt64) -> any RunningDownload {
    engine.download(request) { [weak self] event in
      guard case .ended(let result) = event else { return }
      self?.perform { $0.machine.ended(attempt, result) }
    }
  }

  /// Tells of progress for as long as an attempt is the current one.
  private func watch(_ running: any RunningDownload) {
    clock.schedule(at: clock.now.advanced(seconds: Self.interval)) { [weak self, weak running] in
      guard let self, let running else { return }
      let now = clock.now
      let goesOn = state.withLock { state in
        guard state.running === running else { return false }
        switch state.machine.phase {
        case .running, .stopping: break
        case .idle, .paused, .stopped, .finished, .failed: return false
        }
        let before = state.snapshot
        if look(&state, now) != before { tell(&state, now) }
        return true
      }
      if goesOn { watch(running) }
    }
  }

  /// Takes over where the running attempt stands.
  private func look(_ state: inout State, _ now: Instant) -> FileDownloadSnapshot {
    var snapshot = state.snapshot
    switch state.machine.phase {
    case .idle: break
    case .running, .stopping:
      guard let progress = state.running?.progress else { break }
      take(progress, &snapshot)
      state.meter.note(progress.received, at: now.seconds(since: Instant(nanoseconds: 0)))
      snapshot.rate = state.meter.rate
    case .paused: end(.paused, state.running?.progress, &snapshot)
    case .stopped: end(.stopped, state.running?.progress, &snapshot)
    case .failed(let failure): end(.failed(failure), state.running?.progress, &snapshot)
    case .finished(let path, let byteCount):
      end(.finished, nil, &snapshot)
      snapshot.path = path
      if byteCount > 0 || snapshot.total == nil { snapshot.total = byteCount }
      snapshot.received = snapshot.total ?? byteCount
    }
    state.snapshot = snapshot
    return snapshot
  }

  private func end(
    _ end: FileDownloadSnapshot.State, _ progress: TransferProgress?,
    _ snapshot: inout FileDownloadSnapshot
  ) {
    if let progress { take(progress, &snapshot) }
    snapshot.state = end
    snapshot.rate = nil
  }

  private func take(_ progress: TransferProgress, _ snapshot: inout FileDownloadSnapshot) {
    snapshot.received = progress.received
    snapshot.total = progress.total ?? snapshot.total
    snapshot.path = progress.path ?? snapshot.path
    snapshot.state =
      switch progress.state {
      case .connecting: .connecting
      case .receiving, .ended: .downloading
      case .waiting(let failure): .waiting(failure)
      case .waitingForHost, .waitingForPlace: .waiting(nil)
      case .verifying: .verifying
      }
  }

  private func tell(_ state: inout State, _ now: Instant) {
    let snapshot = look(&state, now)
    for stream in state.streams.values { stream.yield(snapshot) }
    if snapshot.isOver {
      for stream in state.streams.values {
        // It would take the lock once more.
        stream.onTermination = nil
        stream.finish()
      }
      state.streams = [:]
    }
    let ownership = state.ownership
    guard let owner = state.owner, state.telling != ownership else { return }
    state.telling = ownership
    // It keeps the download until then, so that the end is heard.
    owner.queue.async { [self] in
      let newest = self.state.withLock { state -> FileDownloadSnapshot? in
        // An owner who was replaced meanwhile hears nothing more.
        guard state.ownership == ownership else { return nil }
        state.telling = nil
        return state.snapshot
      }
      if let newest { owner.observer(newest) }
    }
  }
}
