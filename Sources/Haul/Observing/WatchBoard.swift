internal import HaulRecords
internal import HaulTransfer

/// Who watches what, and what there is to tell.
struct WatchBoard: Sendable {
  /// Somebody who watches one download.
  struct ItemWatcher: Sendable {
    var tell: @Sendable (DownloadSnapshot) -> Void
    /// The manager is closed.
    var end: @Sendable () -> Void = {}
    /// What was told last; nothing is told twice.
    var last: DownloadSnapshot?
  }

  /// Somebody who watches a part of the list.
  struct PageWatcher: Sendable {
    var query: RecordQuery
    var tell: @Sendable (DownloadPage, ListTotals) -> Void
    /// The manager is closed.
    var end: @Sendable () -> Void
    var last: DownloadPage?
    var lastTotals: ListTotals?
  }

  private struct Listener: Sendable {
    var tell: @Sendable (DownloadEvent) -> Void
    var end: @Sendable () -> Void
  }

  /// Named by numbers that grow, so that a late cancellation meets nobody else.
  private(set) var items: [DownloadID: [UInt64: ItemWatcher]] = [:]
  private(set) var pages: [UInt64: PageWatcher] = [:]
  private var listeners: [UInt64: Listener] = [:]
  private var nextNumber: UInt64 = 1
  /// Watched downloads that are not what they were.
  private(set) var dirty: Set<DownloadID> = []
  private(set) var isListDirty = false
  /// When something was told the last time.
  var toldAt: Instant?

  var isWatched: Bool { !items.isEmpty || !pages.isEmpty }
  var hasNews: Bool { !dirty.isEmpty || isListDirty && !pages.isEmpty }

  mutating func watch(_ id: DownloadID, _ number: UInt64, _ watcher: ItemWatcher) {
    items[id, default: [:]][number] = watcher
    dirty.insert(id)
  }

  mutating func watch(_ number: UInt64, _ watcher: PageWatcher) {
    pages[number] = watcher
    isListDirty = true
  }

  mutating func listen(
    _ number: UInt64, tell: @escaping @Sendable (DownloadEvent) -> Void,
    end: @escaping @Sendable () -> Void
  ) {
    listeners[number] = Listener(tell: tell, end: end)
  }

  /// The manager is closed: sequences end.
  func end() {
    for watcher in pages.values { watcher.end() }
    for watchers in items.values { for watcher in watchers.values { watcher.end() } }
    for listener in listeners.values { listener.end() }
  }

  mutating func leave(_ number: UInt64, _ id: DownloadID?) {
    if let id {
      items[id]?[number] = nil
      if items[id]?.isEmpty == true {
        items[id] = nil
        dirty.remove(id)
      }
    }
    pages[number] = nil
    listeners[number] = nil
  }

  /// A download is not what it was.
  mutating func changed(_ id: DownloadID) {
    if items[id] != nil { dirty.insert(id) }
    isListDirty = true
    tell(.changed(id))
  }

  /// A download is out of the list; those who watch it hear so, and nothing more.
  mutating func removed(_ id: DownloadID) {
    dirty.remove(id)
    isListDirty = true
    for watcher in items.removeValue(forKey: id)?.values.map({ $0 }) ?? [] {
      var last = watcher.last ?? DownloadSnapshot(unknown: id)
      last.isRemoved = true
      last.rate = nil
      last.reason = nil
      watcher.tell(last)
    }
    tell(.removed(id))
  }

  /// Something happened.
  mutating func tell(_ kind: DownloadEvent.Kind) {
    let event = DownloadEvent(number: nextNumber, kind: kind)
    nextNumber += 1
    for listener in listeners.values { listener.tell(event) }
  }

  /// Tells those who watch one download how it is now.
  mutating func tell(_ snapshot: DownloadSnapshot) {
    let id = snapshot.id
    dirty.remove(id)
    for (number, watcher) in items[id] ?? [:] where watcher.last != snapshot {
      items[id]?[number]?.last = snapshot
      watcher.tell(snapshot)
    }
  }

  /// A download that is watched is not in the list.
  mutating func isMissing(_ id: DownloadID) {
    dirty.remove(id)
    for watcher in items.removeValue(forKey: id)?.values.map({ $0 }) ?? [] {
      watcher.tell(DownloadSnapshot(unknown: id))
    }
  }

  mutating func tell(_ number: UInt64, _ page: DownloadPage, _ totals: ListTotals) {
    guard let watcher = pages[number], watcher.last != page || watcher.lastTotals != totals else {
      return
    }
    pages[number]?.last = page
    pages[number]?.lastTotals = totals
    watcher.tell(page, totals)
  }

  mutating func listIsTold() { isListDirty = false }
}

extension DownloadSnapshot {
  /// What is told of a download that is not in the list.
  init(unknown id: DownloadID) {
    self.id = id
    url = ""
    name = ""
    state = .none
    received = 0
    priority = 0
    attempt = 0
    added = 0
    isRemoved = true
  }
}
