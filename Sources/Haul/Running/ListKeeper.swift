internal import HaulRecords
internal import HaulTransfer

/// Keeps a list and its database in step: first everything is stored, then the rest is done.
///
/// What cannot be stored is kept, in its order, and tried again. Until then nothing is told as over that is
/// not stored as over, and nothing is deleted; downloads run on.
struct ListKeeper: Sendable {
  var list: ListMachine
  let database: any RecordDatabase
  /// Changes that could not be stored yet.
  private(set) var unsaved: [RecordChange] = []
  /// What is to be done once they are.
  private var held: [ListAction] = []
  /// Why changes could not be stored; nil when all are.
  private(set) var failure: DatabaseFailure?
  /// Whether something is not stored yet.
  var isUnsaved: Bool { !unsaved.isEmpty }
  /// When that is tried again; nil while all is stored. A database that is held by somebody else costs a
  /// quarter of a second each time.
  private(set) var savesAgainAt: Instant?
  /// Seconds between two tries to store what could not be stored.
  static let pause = 1.0
  /// What could never be stored, to be told.
  var dropped: [String] = []
  private(set) var commits = 0
  private(set) var failedCommits = 0

  init(_ list: ListMachine, database: any RecordDatabase) {
    self.list = list
    self.database = database
  }

  /// Stores what is to be stored; returns what may be done now, in order.
  mutating func take(_ actions: [ListAction], _ now: Instant) -> [ListAction] {
    var ready: [ListAction] = []
    var later: [ListAction] = []
    for action in actions {
      switch action {
      case .store(let change): unsaved.append(change)
      // Neither claims anything that a crash would make wrong.
      case .run, .stop, .changed: ready.append(action)
      case .discard, .removed, .ended: later.append(action)
      }
    }
    held += later
    return ready + save(now)
  }

  /// Tries to store what is not stored yet; returns what may be done now.
  private mutating func save(_ now: Instant) -> [ListAction] {
    if !unsaved.isEmpty {
      if let at = savesAgainAt, now < at {
        if unsaved.count > 4096 { unsaved = Self.shortened(unsaved) }
        return []
      }
      do throws(DatabaseFailure) {
        try commit(unsaved, .ordered)
        unsaved = []
      } catch  where error.code == .invalid {
        dropInvalid()
      } catch {
        unsaved = Self.shortened(unsaved)
      }
    }
    guard unsaved.isEmpty else {
      savesAgainAt = now.advanced(seconds: Self.pause)
      return []
    }
    savesAgainAt = nil
    defer { held = [] }
    return held
  }

  /// Stores changes that must survive a power cut, and all before them.
  ///
  /// - Throws: What befalls the database. None of these changes is stored then, nor kept.
  mutating func saveNow(_ changes: [RecordChange]) throws(DatabaseFailure) {
    try commit(unsaved + changes, .durable)
    unsaved = []
  }

  /// A change that will never fit must not keep all others from being stored; it is left out.
  private mutating func dropInvalid() {
    var rest = unsaved[...]
    unsaved = []
    while let change = rest.popFirst() {
      do throws(DatabaseFailure) { try commit([change], .ordered) } catch {
        if error.code == .invalid { dropped.append(error.message) } else { unsaved.append(change) }
      }
    }
  }

  private mutating func commit(
    _ changes: [RecordChange], _ durability: Durability
  ) throws(DatabaseFailure) {
    do throws(DatabaseFailure) {
      try database.commit(changes, durability)
      commits += 1
      failure = nil
    } catch {
      failedCommits += 1
      failure = error
      throw error
    }
  }

  /// The same changes without those that later ones make needless, so that a database that fails for hours
  /// costs no memory for each change.
  static func shortened(_ changes: [RecordChange]) -> [RecordChange] {
    var seen: Set<ChangeKind> = []
    var removed: Set<DownloadID> = []
    var kept: [RecordChange] = []
    var progress: [RecordChange] = []
    var attempts: [DownloadID: UInt32] = [:]
    for change in changes.reversed() where !removed.contains(change.id) {
      guard seen.insert(ChangeKind(change)).inserted else { continue }
      switch change {
      // It counts for the attempt that is the last one now: that goes on from these bytes.
      case .progress(let id, let attempt, let received, let total):
        progress.append(
          .progress(
            id, attempt: attempts[id] ?? attempt, received: received, total: total))
      case .state(let id, _, let attempt, _, _):
        attempts[id] = attempt
        kept.append(change)
      case .remove:
        removed.insert(change.id)
        kept.append(change)
      default: kept.append(change)
      }
    }
    return kept.reversed() + progress.reversed()
  }

  /// What a change sets.
  private struct ChangeKind: Hashable {
    var id: DownloadID
    var kind: Int

    init(_ change: RecordChange) {
      id = change.id
      kind =
        switch change {
        case .insert: 0
        case .replace: 1
        case .state: 2
        case .progress: 3
        case .position: 4
        case .priority: 5
        case .remove: 6
        }
    }
  }
}
