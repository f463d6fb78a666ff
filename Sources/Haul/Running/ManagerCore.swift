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
  /// Looks through the folders; nil before somebody wanted that.
  var restoring: Task<RestoreReport, Never>?
  /// Whether everything is to stop.
  var isClosing = false
  let world: ManagerWorld
  var settings: DownloadSettings
  var attempts: [DownloadID: Attempt] = [:]
  /// Attempts whose end is not stored yet.
  var over: [AttemptKey: Attempt] = [:]
  /// Limits of single downloads, which hold for their next attempts, too.
  var limiters: [DownloadID: RateLimiter] = [:]
  /// How many jobs on the disk are on their way, by the sources whose files, parts or notes they touch.
  var busy: [String: Int] = [:]
  /// Attempts that begin once their source is free.
  var deferred: [(id: DownloadID, attempt: UInt32)] = []
  /// What is still to be removed from disk of those that left, or gave their bytes up.
  var leaving: [DownloadID: Leaving] = [:]
  /// Failures that could not be stored yet.
  var failures: [DownloadID: RecordFailure] = [:]
  /// Whether it was told that changes cannot be stored.
  var isStorageFailing = false
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
    /// Whether another one in the list goes on with what was received.
    var isShared = false
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
      let ready = keeper.take(next, moment.now)
      tellOfStorage()
      for message in keeper.dropped { note(.error, nil, message) }
      keeper.dropped = []
      next = []
      for action in ready { carryOut(action, moment, &effects, &next) }
      removeSecrets(ready)
      // Nothing is held back any more that needs it, but for those that are to stop yet.
      if !keeper.isUnsaved, !leaving.isEmpty {
        leaving = leaving.filter { keeper.list.entry($0.key)?.item.isLeaving == true }
      }
      next += beginDeferred(moment, &effects)
    } while !next.isEmpty
    if !keeper.isUnsaved { failures = [:] }
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
      if let left = leaving[id], let request = left.request, !left.isShared {
        effects.append(.discard(request))
      }
    case .removed(let id, let withFile): removed(id, withFile: withFile, &effects)
    case .changed(let id): board.changed(id)
    case .ended(let id, let attempt, let end): ended(id, attempt, end, &effects)
    }
  }

  /// A job on the disk is over; somebody else may begin there.
  mutating func tidied(_ source: String) {
    let count = (busy[source] ?? 1) - 1
    busy[source] = count > 0 ? count : nil
  }

  private mutating func removed(
    _ id: DownloadID, withFile: Bool, _ effects: inout [ManagerEffect]
  ) {
    if withFile, let path = leaving[id]?.path, let request = leaving[id]?.request {
      effects.append(.removeFile(request, path: path))
    }
    limiters[id] = nil
    failures[id] = nil
    board.removed(id)
  }

  /// Each change of the secrets may be one of the disk, and so they go together.
  private mutating func removeSecrets(_ actions: [ListAction]) {
    do throws(SecretFailure) {
      var ids: [DownloadID] = []
      for case .removed(let id, _) in actions {
        if try world.secrets.secrets(of: id) != nil { ids.append(id) }
      }
      if !ids.isEmpty { try world.secrets.remove(ids) }
    } catch {
      // They harm nobody, and go when the list is opened.
      note(.warning, nil, "Secrets could not be removed: \(error.message)")
    }
  }

  /// Records by their ids; those that cannot be read are left out.
  func records(_ ids: [DownloadID]) -> [DownloadRecord] {
    ((try? keeper.database.records(ids).items) ?? []).map { latest($0) }
  }

  /// A record with what its attempts found out and is not stored yet, such as the name of the file.
  func latest(_ record: DownloadRecord) -> DownloadRecord {
    if let attempt = attempts[record.id] { return attempt.record }
    guard !over.isEmpty else { return record }
    let last = over.filter { $0.key.id == record.id }.max { $0.key.number < $1.key.number }
    return last?.value.record ?? record
  }

  mutating func note(_ level: DownloadLogEntry.Level, _ id: DownloadID?, _ message: String) {
    logged.append(DownloadLogEntry(level: level, id: id, message: message))
  }

  private mutating func tellOfStorage() {
    guard keeper.isUnsaved != isStorageFailing else { return }
    isStorageFailing = keeper.isUnsaved
    if isStorageFailing, let failure = keeper.failure {
      board.tell(.storageFailed(failure))
      note(.error, nil, failure.message)
    } else {
      board.tell(.storageRecovered)
    }
  }
}
