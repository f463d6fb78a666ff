internal import HaulRecords
internal import HaulTransfer

/// All that a manager knows, and what it does next: the list and its database, the attempts that run, and
/// who watches. It is told what happens, one after another, and says what is to be done; it starts no
/// threads and waits for nothing but the database.
struct ManagerCore: Sendable {
  /// Seconds between two looks at everything that runs, for the database.
  static let storing = 1.0
  /// Seconds between two news for those who watch.
  static let telling = 0.1
  /// Seconds between two looks for room on a full disk.
  static let lookingForRoom = 5.0
  /// Seconds between two looks at the calendar, which may jump.
  static let lookingAtSchedule = 15.0

  var keeper: ListKeeper
  /// What was found when the list was opened.
  let report: OpeningReport
  let resources: ManagerResources
  /// Whether everything is to stop.
  var isClosing = false
  let world: ManagerWorld
  var settings: DownloadSettings
  var attempts: [DownloadID: Attempt] = [:]
  /// Attempts whose end is not stored yet.
  var over: [AttemptKey: Attempt] = [:]
  /// Limits of single downloads, which hold for their next attempts, too.
  var limiters: [DownloadID: RateLimiter] = [:]
  /// The downloads whose bytes are being given up, by their sources.
  var discarding: [String: Int] = [:]
  /// Attempts that begin once their source is free.
  var deferred: [(id: DownloadID, attempt: UInt32)] = []
  /// What is still to be removed from disk of those that left, or gave their bytes up.
  var leaving: [DownloadID: Leaving] = [:]
  /// Failures that could not be stored yet.
  var failures: [DownloadID: RecordFailure] = [:]
  var board = WatchBoard()
  var metrics = DownloadMetrics()
  /// What is to be logged, outside of all locks.
  var logged: [DownloadLogEntry] = []
  /// What is to be done first.
  var restored: [ListAction] = []
  var storedAt: Instant
  var roomAt: Instant
  var scheduleAt: Instant

  struct AttemptKey: Hashable {
    var id: DownloadID
    var number: UInt32
  }

  /// What lies on disk of a download that leaves the list.
  struct Leaving: Sendable {
    var request: TransferRequest?
    var path: String?
  }

  init(
    _ keeper: ListKeeper, _ world: ManagerWorld, _ settings: DownloadSettings,
    report: OpeningReport = OpeningReport(), resources: ManagerResources = ManagerResources()
  ) {
    self.keeper = keeper
    self.world = world
    self.settings = settings
    self.report = report
    self.resources = resources
    let now = world.clock.now
    storedAt = now
    roomAt = now
    scheduleAt = now
  }

  /// Stores what is to be stored, then does the rest, and all that follows from it.
  mutating func perform(_ actions: [ListAction], _ moment: ListMoment) -> [ManagerEffect] {
    var effects: [ManagerEffect] = []
    var next = actions
    repeat {
      remember(next)
      let wasFailing = keeper.failure
      let ready = keeper.take(next, moment.now)
      if !keeper.isUnsaved { failures = [:] }
      tellOfStorage(wasFailing)
      next = []
      for action in ready { carryOut(action, moment, &effects, &next) }
      next += beginDeferred(moment, &effects)
    } while !next.isEmpty
    return effects
  }

  private mutating func carryOut(
    _ action: ListAction, _ moment: ListMoment, _ effects: inout [ManagerEffect],
    _ next: inout [ListAction]
  ) {
    switch action {
    case .store: break
    case .run(let id, let attempt): next += run(id, attempt, moment, &effects)
    case .stop(let id, let attempt): next += stop(id, attempt, moment, &effects)
    case .discard(let id):
      guard let request = leaving[id]?.request else { return }
      discarding[request.sourceKey, default: 0] += 1
      effects.append(.discard(request))
      if keeper.list.entry(id) != nil { leaving[id] = nil }
    case .removed(let id, let withFile): removed(id, withFile: withFile, &effects)
    case .changed(let id): board.changed(id)
    case .ended(let id, let attempt, let end): ended(id, attempt, end, &effects)
    }
  }

  private mutating func removed(
    _ id: DownloadID, withFile: Bool, _ effects: inout [ManagerEffect]
  ) {
    if withFile, let path = leaving[id]?.path { effects.append(.removeFile(id, path: path)) }
    leaving[id] = nil
    limiters[id] = nil
    failures[id] = nil
    do throws(SecretFailure) {
      if try world.secrets.secrets(of: id) != nil { try world.secrets.remove([id]) }
    } catch {
      // They harm nobody, and go when the list is opened.
      note(.warning, id, "Its secrets could not be removed: \(error.message)")
    }
    board.removed(id)
  }

  /// What lies on disk has to be known before the record is gone.
  private mutating func remember(_ actions: [ListAction]) {
    var ids: [DownloadID] = []
    for action in actions {
      switch action {
      case .discard(let id): ids.append(id)
      case .removed(let id, let withFile): if withFile { ids.append(id) }
      default: break
      }
    }
    ids.removeAll { leaving[$0] != nil }
    guard !ids.isEmpty else { return }
    for record in records(ids) {
      leaving[record.id] = Leaving(
        request: try? record.request(nil, bases: world.bases, limiter: nil),
        path: record.file.flatMap { world.bases.path(of: $0) })
    }
  }

  /// Records by their ids; those that cannot be read are left out.
  func records(_ ids: [DownloadID]) -> [DownloadRecord] {
    ((try? keeper.database.records(ids).items) ?? []).map { attempts[$0.id]?.record ?? $0 }
  }

  mutating func note(_ level: DownloadLogEntry.Level, _ id: DownloadID?, _ message: String) {
    logged.append(DownloadLogEntry(level: level, id: id, message: message))
  }

  private mutating func tellOfStorage(_ before: DatabaseFailure?) {
    guard before != keeper.failure else { return }
    if let failure = keeper.failure {
      if before == nil { board.tell(.storageFailed(failure)) }
      note(.error, nil, failure.message)
    } else {
      board.tell(.storageRecovered)
    }
  }
}
