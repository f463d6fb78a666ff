internal import HaulHTTP
internal import HaulRecords
internal import HaulSystem
internal import HaulTransfer

/// What is told of the list.
extension ManagerCore {
  /// Tells everybody what is new of what they watch.
  mutating func tellNews(_ now: Instant) {
    board.toldAt = now
    for id in board.items.keys {
      let isRunning = attempts[id] != nil
      guard isRunning || board.dirty.contains(id) else { continue }
      if isRunning { look(id, now) }
      if let snapshot = snapshot(id, now) { board.tell(snapshot) } else { board.isMissing(id) }
    }
    guard !board.pages.isEmpty, board.isListDirty || !attempts.isEmpty else { return }
    board.listIsTold()
    // Many may watch the same.
    var pages: [RecordQuery: DownloadPage] = [:]
    for (number, watcher) in board.pages {
      guard let page = try? pages[watcher.query] ?? page(watcher.query, now) else { continue }
      pages[watcher.query] = page
      board.tell(number, page, keeper.list.totals)
    }
  }

  /// Looks how far an attempt is; true when that is news.
  @discardableResult
  mutating func look(_ id: DownloadID, _ now: Instant) -> Bool {
    // In place, so that nothing is copied.
    attempts[id]?.look(now)
    guard let attempt = attempts[id], let progress = attempt.progress else { return false }
    return keeper.list.note(
      id, attempt: attempt.number, received: progress.received, total: progress.total)
  }

  /// One download as it is now; nil when it is not in the list, or cannot be read.
  func snapshot(_ id: DownloadID, _ now: Instant) -> DownloadSnapshot? {
    guard keeper.list.entry(id) != nil else { return nil }
    let record = attempts[id]?.record ?? records([id]).first
    return record.map { snapshot(of: $0, now) }
  }

  func snapshot(of record: DownloadRecord, _ now: Instant) -> DownloadSnapshot {
    let record = current(record)
    let entry = keeper.list.entry(record.id)
    let attempt = attempts[record.id]
    let isWaitingOut = entry.map { $0.item.hold != .none } ?? false
    let due = keeper.list.holds[record.id] ?? nil
    let texts = attempt?.texts ?? Attempt.Texts(record)
    var snapshot = DownloadSnapshot(
      id: record.id, url: texts.url, name: texts.name,
      path: attempt?.path ?? record.file.flatMap { world.bases.path(of: $0) },
      state: record.state, reason: keeper.list.reason(record.id),
      secondsToRetry: due.map { max(0, $0.seconds(since: now)) },
      received: record.received, total: record.total, rate: attempt?.meter.rate,
      connections: attempt?.progress?.connections ?? 0, priority: record.priority,
      attempt: record.attempt, added: record.added, finished: record.finished)
    if record.state == .failed || isWaitingOut {
      snapshot.failure = failures[record.id] ?? record.failure
    } else if case .waiting(let failure) = attempt?.progress?.state {
      snapshot.failure = RecordFailure(failure)
    }
    return snapshot
  }

  /// A part of the list as it is now.
  ///
  /// - Throws: What befalls the database.
  mutating func page(
    _ query: RecordQuery, _ now: Instant
  ) throws(DatabaseFailure) -> DownloadPage {
    var page = DownloadPage()
    let listing: RecordListing<DownloadRecord>
    if query.sort == .position, query.search.isEmpty {
      // The list knows its order, and states that are newer than those stored.
      let (ids, total) = keeper.list.page(query)
      listing = try records(shown: ids)
      page.total = total
    } else {
      let stored = try keeper.database.page(query)
      listing = stored.listing
      page.total = stored.total
    }
    page.items = listing.items.map { snapshot(of: latest($0), now) }
    page.unreadable = listing.unreadable
    return page
  }

  /// Records by their ids, also of those that are leaving and not stored any more.
  private func records(
    shown ids: [DownloadID]
  ) throws(DatabaseFailure) -> RecordListing<DownloadRecord> {
    var listing = try keeper.database.records(ids)
    guard listing.items.count + listing.unreadable.count < ids.count else { return listing }
    var items = listing.items[...]
    listing.items = ids.compactMap { id in
      items.first?.id == id ? items.popFirst() : attempts[id]?.record
    }
    return listing
  }
}
