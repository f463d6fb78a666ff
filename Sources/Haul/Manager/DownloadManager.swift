internal import Dispatch
internal import HaulRecords
internal import HaulTransfer
internal import Synchronization

/// A list of downloads that survives the program: three at a time, paused, resumed and moved, watched by
/// whoever wants to see them.
///
/// ```swift
/// let id = try await DownloadManager.shared.add(DownloadRequest("https://example.org/film.mp4"))
/// for await film in DownloadManager.shared.snapshots(of: id) { print(film.fraction ?? 0) }
/// ```
///
/// **Order.** Everything that is asked for, from whichever thread, takes effect one after another in the
/// order of the calls; none of them waits for a download, and all may be called from within observers.
///
/// **Durability.** `add` returns when the downloads survive a power cut. All other changes are stored
/// before anybody hears that they are over, and survive the end of the process.
///
/// **Opening.** The list is read with the first call, away from the caller's thread; `open` does it when
/// it suits, and says what was found.
public final class DownloadManager: Sendable {
  /// The manager of the whole app, with the default configuration.
  public static let shared = DownloadManager()

  private struct Inbox {
    var jobs: [ManagerJob] = []
    var isDraining = false
    var isClosed = false
    /// When the alarm rings that is set.
    var alarm: Instant?
    /// Those who wait until it is closed.
    var closing: [CheckedContinuation<Void, Never>] = []
    var nextWatcher: UInt64 = 1
  }

  let configuration: DownloadConfiguration
  private let queue = DispatchQueue(label: "haul.manager")
  private let inbox = Mutex(Inbox())
  /// Nil until the list is opened, and after it was closed; only used on the queue.
  private let core = Mutex<ManagerCore?>(nil)
  /// Long looks through the list, which nobody else waits for.
  let checkQueue = DispatchQueue(label: "haul.manager.check")
  let rows = RowBindings()
  let engine: any Downloading
  /// The limit over all that the manager's own engine fetches.
  let rateLimiter: RateLimiter

  /// Makes a manager; nothing is opened yet.
  public init(_ configuration: DownloadConfiguration = DownloadConfiguration()) {
    self.configuration = configuration
    rateLimiter = RateLimiter(
      bytesPerSecond: configuration.settings.rateLimit, clock: configuration.clock)
    engine = configuration.engine ?? DownloadEngine(limiter: rateLimiter)
  }

  deinit {
    guard let core = core.withLock({ $0 }) else { return }
    core.board.end()
    for attempt in core.attempts.values { attempt.running.stop() }
  }

  /// Opens the list, if that was not done yet, and goes on with what it holds.
  ///
  /// - Returns: What was found when it was opened.
  /// - Throws: `inUse` when another process has it, and what befalls the database or the secrets. Nothing
  ///   was changed then, and the next call tries again.
  @discardableResult
  public func open() async throws(DownloadManagerFailure) -> OpeningReport {
    try await ask { core, _ in core.report }
  }

  /// Stops what runs, keeps what it has, and gives up the list, so that another manager can open it. What
  /// ran goes on when the list is opened again. Later calls fail (`closed`).
  public func close() async {
    await withCheckedContinuation { done in
      let isClosed = inbox.withLock { inbox in
        if !inbox.isClosed { inbox.closing.append(done) }
        return inbox.isClosed
      }
      if isClosed { return done.resume() }
      post { core, moment in
        core.isClosing = true
        return core.keeper.list.setLimits(core.limits(), moment)
      }
    }
  }
}

extension DownloadManager {
  /// Puts something in line; it may be called from anywhere.
  func enqueue(_ job: ManagerJob) {
    let (isFirst, isClosed) = inbox.withLock { inbox in
      if inbox.isClosed { return (false, true) }
      inbox.jobs.append(job)
      defer { inbox.isDraining = true }
      return (!inbox.isDraining, false)
    }
    if isClosed {
      job.dropped?()
      job.done?(.closed)
    }
    if isFirst { queue.async { self.drain() } }
  }

  /// Puts something in line that nobody waits for.
  func post(
    _ body: @escaping @Sendable (inout ManagerCore, ListMoment) -> [ListAction],
    dropped: (@Sendable () -> Void)? = nil
  ) {
    enqueue(ManagerJob(body: body, dropped: dropped))
  }

  /// Asks for something that stores itself, or, with `waits`, waits until all that was asked for is stored.
  func call<Answer: Sendable>(
    waits: Bool = false, storesByItself: Bool = true,
    _ body:
      @escaping @Sendable (inout ManagerCore, ListMoment) throws(DownloadManagerFailure) ->
      (Answer, [ListAction])
  ) async throws(DownloadManagerFailure) -> Answer {
    let answer = Box<Result<Answer, DownloadManagerFailure>>()
    let failure = await withCheckedContinuation { done in
      enqueue(
        ManagerJob(
          body: { core, moment in
            do throws(DownloadManagerFailure) {
              let (value, actions) = try body(&core, moment)
              answer.set(.success(value))
              return actions
            } catch {
              answer.set(.failure(error))
              return []
            }
          }, storesByItself: storesByItself, done: { done.resume(returning: $0) }))
    }
    switch answer.value {
    case .success(let value):
      // What else could not be stored is no failure of this.
      if waits, let failure { throw failure }
      return value
    case .failure(let failure): throw failure
    case nil: throw failure ?? .closed
    }
  }

  /// Asks for something that changes nothing, and so fails only by itself.
  func ask<Answer: Sendable>(
    _ body:
      @escaping @Sendable (inout ManagerCore, ListMoment) throws(DownloadManagerFailure) -> Answer
  ) async throws(DownloadManagerFailure) -> Answer {
    try await call(storesByItself: false) { core, moment throws(DownloadManagerFailure) in
      (try body(&core, moment), [])
    }
  }

  /// A number for somebody who watches.
  func watcherNumber() -> UInt64 {
    inbox.withLock { inbox in
      defer { inbox.nextWatcher += 1 }
      return inbox.nextWatcher
    }
  }
}

extension DownloadManager {
  /// Does all that is in line; everything of one round is stored at once.
  private func drain() {
    while let jobs = nextJobs() {
      let moment = moment()
      let round = core.withLock { core in
        do throws(DownloadManagerFailure) {
          if core == nil { core = try makeCore(moment) }
        } catch {
          return ManagerRound(isDropped: true, failure: error, isOver: isClosing)
        }
        // In place: a copy would copy the whole list.
        return core?.round(jobs, moment) ?? ManagerRound()
      }
      for effect in round.effects { carryOut(effect) }
      for entry in round.logged { log(entry) }
      if let next = round.next { setAlarm(next) }
      if round.isDropped, let failure = round.failure {
        log(DownloadLogEntry(level: .error, id: nil, message: failure.message))
        for job in jobs { job.dropped?() }
      }
      for job in jobs { job.done?(round.failure) }
      if round.isOver { finishClosing() }
    }
  }

  private func nextJobs() -> [ManagerJob]? {
    inbox.withLock { inbox in
      guard !inbox.jobs.isEmpty else {
        inbox.isDraining = false
        return nil
      }
      defer { inbox.jobs = [] }
      return inbox.jobs
    }
  }

  private func moment() -> ListMoment {
    let clock = configuration.clock
    return ListMoment(
      now: clock.now, time: clock.unixTime &* 1000, jitter: Double.random(in: 0..<1))
  }

  private var isClosing: Bool { inbox.withLock { !$0.closing.isEmpty } }

  /// The database and the lock go with the core.
  private func finishClosing() {
    core.withLock { core in
      core?.board.end()
      core?.resources.close()
      core = nil
    }
    let (waiting, jobs) = inbox.withLock { inbox in
      inbox.isClosed = true
      defer { (inbox.closing, inbox.jobs) = ([], []) }
      return (inbox.closing, inbox.jobs)
    }
    for job in jobs {
      job.dropped?()
      job.done?(.closed)
    }
    for done in waiting { done.resume() }
  }

  /// Sees to it that what is due is done then.
  private func setAlarm(_ instant: Instant) {
    let isNews = inbox.withLock { inbox in
      if let alarm = inbox.alarm, alarm <= instant { return false }
      inbox.alarm = instant
      return true
    }
    guard isNews else { return }
    configuration.clock.schedule(at: instant) { [weak self] in
      guard let self else { return }
      inbox.withLock { if $0.alarm == instant { $0.alarm = nil } }
      post { _, _ in [] }
    }
  }

  private func log(_ entry: DownloadLogEntry) {
    if entry.level >= configuration.logLevel { configuration.log?(entry) }
  }
}
