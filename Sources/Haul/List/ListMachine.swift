internal import HaulRecords
internal import HaulTransfer

/// The list of downloads: who is in it, what each one does, and whose turn it is. No threads, no clock,
/// no disk: it is told what happens, and says what is to be done.
struct ListMachine: Sendable {
  /// One download, as far as it is kept in memory.
  struct Entry: Sendable {
    var id: DownloadID
    var position: Int64
    var received: Int64
    var total: Int64?
    /// The most bytes that were there when an attempt ended: only more of them are progress.
    var most: Int64
    var origin: OriginKey
    var key: UInt64
    var priority: Int16
    var item: ItemMachine

    init(_ summary: DownloadSummary) {
      id = summary.id
      position = summary.position
      received = summary.received
      total = summary.total
      most = summary.received
      origin = summary.origin
      key = summary.key
      priority = summary.priority
      item = ItemMachine(state: summary.state, attempt: summary.attempt)
    }

    var rank: QueueRank { QueueRank(priority: priority, position: position, id: id) }

    /// Notes how many bytes are there. A length that is not told is the one that was known, unless there
    /// are more bytes than that.
    mutating func note(received: Int64, total: Int64?) {
      self.received = max(0, received)
      self.total = (total ?? self.total).flatMap { $0 < self.received ? nil : $0 }
    }

    var summary: DownloadSummary {
      DownloadSummary(
        id: id, position: position, received: received, origin: origin, key: key,
        total: total, state: item.state, priority: priority, attempt: item.attempt)
    }
  }

  /// When one that waits out a failure is tried again.
  struct Due: Sendable, Hashable, Comparable {
    var at: Instant
    var id: DownloadID

    static func < (one: Due, other: Due) -> Bool {
      one.at != other.at ? one.at < other.at : one.id < other.id
    }
  }

  var entries: [Entry] = []
  private(set) var index: [DownloadID: Int] = [:]
  private var keys = KeyIndex()
  var queue = QueueMachine()
  private(set) var totals = ListTotals()
  /// When those that wait out a failure go on; nil for those that wait for room.
  private(set) var holds: [DownloadID: Instant?] = [:]
  /// Those that wait for room on their disk.
  private(set) var roomless: Set<DownloadID> = []
  private var dues = BinaryHeap<Due>()
  /// The ids in the order of the list, until somebody comes in between.
  var order: [DownloadID]?

  /// Makes the list of what was stored. What ran when it was stored waits again.
  init(_ summaries: [DownloadSummary], limits: QueueLimits) {
    queue.limits = limits
    entries = summaries.map(Entry.init)
    index.reserveCapacity(entries.count)
    keys.reserveCapacity(entries.count)
    var readyCount = 0
    for (place, entry) in entries.enumerated() {
      index[entry.id] = place
      keys.insert(entry.key, entry.id)
      totals.add(entry.summary)
      if entry.item.isReady { readyCount += 1 }
    }
    let ready = entries.lazy.filter(\.item.isReady).map { (rank: $0.rank, origin: $0.origin) }
    queue.fill(ready, count: readyCount)
  }

  var count: Int { entries.count }
  var limits: QueueLimits { queue.limits }

  /// When `wake` is to be called next; nil while nobody waits for a time.
  mutating func nextDue() -> Instant? {
    while let due = dues.first {
      if holds[due.id] == .some(due.at) { return due.at }
      dues.popFirst()
    }
    return nil
  }

  /// The downloads that most likely ask for the same thing.
  func ids(key: UInt64) -> [DownloadID] { keys.ids(key) }

  func entry(_ id: DownloadID) -> Entry? { index[id].map { entries[$0] } }

  /// Why one waits; nil when it does not.
  func reason(_ id: DownloadID) -> WaitReason? {
    guard let entry = entry(id), entry.item.state == .waiting else { return nil }
    return switch entry.item.hold {
    case .none: queue.reason(id)
    case .network: .network
    case .retry: .retry
    case .disk: .disk
    }
  }
}

// MARK: - What happens

extension ListMachine {
  /// Takes in downloads that are stored already, and whose ids are new.
  mutating func insert(_ summaries: [DownloadSummary], _ moment: ListMoment) -> [ListAction] {
    var actions: [ListAction] = []
    for summary in summaries where index[summary.id] == nil {
      let entry = Entry(summary)
      if let last = order?.last.flatMap({ self.entry($0) }), last.rankInList > entry.rankInList {
        order = nil
      }
      order?.append(entry.id)
      index[entry.id] = entries.count
      entries.append(entry)
      keys.insert(entry.key, entry.id)
      totals.add(entry.summary)
      if entry.item.isReady { queue.add(entry.rank, origin: entry.origin) }
      actions.append(.changed(entry.id))
    }
    return actions + giveTurns(moment)
  }

  /// The owner asks something of some downloads, in this order.
  mutating func take(
    _ command: ItemMachine.Command, _ ids: some Sequence<DownloadID>, _ moment: ListMoment
  ) -> [ListAction] {
    var actions: [ListAction] = []
    for id in ids { actions += change(id, moment) { $0.take(command) } }
    return actions + giveTurns(moment)
  }

  /// All bytes of an attempt are there and are checked, or are on their way again.
  mutating func verifies(
    _ id: DownloadID, attempt: UInt32, _ isVerifying: Bool, _ moment: ListMoment
  ) -> [ListAction] {
    change(id, moment) {
      $0.verifies(isVerifying, attempt: attempt)
      return []
    }
  }

  /// An attempt is over; it has brought so many bytes, all that are there counted.
  mutating func ended(
    _ id: DownloadID, attempt: UInt32, _ end: ItemMachine.End, failure: RecordFailure?,
    received: Int64, total: Int64?, _ moment: ListMoment
  ) -> [ListAction] {
    guard let item = entry(id)?.item, item.isRunning, item.attempt == attempt else { return [] }
    // A file that is there is as long as it is.
    _ = note(id, attempt: attempt, received: received, total: end == .finished ? received : total)
    guard let place = index[id] else { return [] }
    let last = entries[place]
    entries[place].most = max(last.most, last.received)
    // Stored in any case: what was noted while the attempt ran need not have been.
    let news = RecordChange.progress(
      id, attempt: attempt, received: last.received, total: last.total)
    let actions = change(id, failure: failure, moment) {
      $0.ended(attempt: attempt, end, broughtBytes: last.received > last.most)
    }
    return [.store(news)] + actions + giveTurns(moment)
  }

  /// How far an attempt is; false when that is no news.
  mutating func note(_ id: DownloadID, attempt: UInt32, received: Int64, total: Int64?) -> Bool {
    guard let place = index[id], entries[place].item.isRunning,
      entries[place].item.attempt == attempt
    else { return false }
    var entry = entries[place]
    entry.note(received: received, total: total)
    guard entry.received != entries[place].received || entry.total != entries[place].total else {
      return false
    }
    totals.remove(entries[place].summary)
    totals.add(entry.summary)
    entries[place] = entry
    return true
  }

  /// Time has passed: those that waited long enough go on.
  mutating func wake(_ moment: ListMoment) -> [ListAction] {
    var actions: [ListAction] = []
    while let due = nextDue(), due <= moment.now, let id = dues.popFirst()?.id {
      actions += release(id, moment)
    }
    return actions + giveTurns(moment)
  }

  /// There is room again for one that waited for it.
  mutating func room(_ id: DownloadID, _ moment: ListMoment) -> [ListAction] {
    guard entry(id)?.item.hold == .disk else { return [] }
    return release(id, moment) + giveTurns(moment)
  }

  /// How many may run is changed; it takes effect at once.
  mutating func setLimits(_ limits: QueueLimits, _ moment: ListMoment) -> [ListAction] {
    let before = queue.limits
    guard limits != before else { return [] }
    queue.limits = limits
    var actions: [ListAction] = []
    for id in queue.excess(isStopping: { entry($0)?.item.wish != nil }) {
      actions += change(id, moment) { $0.giveWay() }
    }
    if limits.isOnline, !before.isOnline {
      for id in holds.keys.sorted() where entry(id)?.item.hold == .network {
        actions += release(id, moment)
      }
    }
    return actions + giveTurns(moment)
  }

  /// What lies on disk of one that does not run is more, or less, than was stored.
  mutating func reconcile(
    _ id: DownloadID, received: Int64, total: Int64?, _ moment: ListMoment
  ) -> [ListAction] {
    guard let place = index[id], !entries[place].item.isRunning else { return [] }
    let before = entries[place]
    entries[place].note(received: received, total: total)
    let after = entries[place]
    guard after.received != before.received || after.total != before.total else { return [] }
    totals.remove(before.summary)
    totals.add(after.summary)
    return [
      .store(
        .progress(
          id, attempt: after.item.attempt, received: after.received, total: after.total)),
      .changed(id),
    ]
  }

  /// What is asked for is another thing now: an attempt that runs begins anew.
  mutating func replaced(
    _ id: DownloadID, origin: OriginKey, key: UInt64, _ moment: ListMoment
  ) -> [ListAction] {
    guard let place = index[id] else { return [] }
    keys.remove(entries[place].key, id)
    keys.insert(key, id)
    entries[place].key = key
    if entries[place].item.isReady { queue.remove(id) }
    entries[place].origin = origin
    if entries[place].item.isReady { queue.add(entries[place].rank, origin: origin) }
    return change(id, moment, tells: true) { $0.giveWay() } + giveTurns(moment)
  }
}

// MARK: - What follows

extension ListMachine {
  private mutating func release(_ id: DownloadID, _ moment: ListMoment) -> [ListAction] {
    change(id, moment) {
      $0.release()
      return []
    }
  }

  private mutating func giveTurns(_ moment: ListMoment) -> [ListAction] {
    var actions: [ListAction] = []
    while let id = queue.next() { actions += change(id, moment) { $0.begin() } }
    return actions
  }

  /// Changes one, and brings all that depends on it into line.
  private mutating func change(
    _ id: DownloadID, failure: RecordFailure? = nil, _ moment: ListMoment, tells: Bool = false,
    _ body: (inout ItemMachine) -> [ItemMachine.Action]
  ) -> [ListAction] {
    guard let place = index[id] else { return [] }
    let before = entries[place]
    let steps = body(&entries[place].item)
    let after = entries[place].item
    guard after != before.item || !steps.isEmpty || tells else { return [] }
    align(before, after, moment)
    var actions: [ListAction] = []
    if steps.contains(.discard) { entries[place].most = 0 }
    if steps.contains(.discard), before.received > 0 {
      entries[place].received = 0
      actions.append(
        .store(.progress(id, attempt: after.attempt, received: 0, total: before.total)))
    }
    totals.remove(before.summary)
    // At once, so that it does not come back with the process.
    if after.isLeaving, !before.item.isLeaving { actions.append(.store(.remove(id))) }
    if after.isRemoved {
      actions.append(.store(.remove(id)))
      forget(place)
    } else {
      totals.add(entries[place].summary)
      if after.state != before.item.state || after.attempt != before.item.attempt
        || failure != nil
      {
        actions.append(
          .store(
            .state(
              id, after.state, attempt: after.attempt,
              failure: after.state == .failed || after.hold != .none ? failure : nil,
              at: moment.time)))
      }
    }
    // Of one that never began there is nothing on disk.
    let hasBytes = before.item.attempt > 0 || before.received > 0
    actions += steps.filter { $0 != .discard || hasBytes }.map { action(for: $0, id) }
    if !after.isRemoved { actions.append(.changed(id)) }
    return actions
  }

  /// Queue and pauses follow the state of one.
  private mutating func align(_ before: Entry, _ after: ItemMachine, _ moment: ListMoment) {
    let id = before.id
    if before.item.isRunning, !after.isRunning { queue.giveBack(id) }
    if after.isReady, !before.item.isReady { queue.add(before.rank, origin: before.origin) }
    if before.item.isReady, !after.isReady, !after.isRunning { queue.remove(id) }
    if after.hold != .disk { roomless.remove(id) }
    switch after.hold {
    case .none: holds[id] = nil
    case .disk:
      holds[id] = .some(nil)
      roomless.insert(id)
    case .network, .retry:
      guard after.hold != before.item.hold || after.attempt != before.item.attempt else { return }
      let at = moment.now.advanced(
        seconds: Self.pause(after.hold, failures: after.failures, jitter: moment.jitter))
      holds[id] = at
      dues.insert(Due(at: at, id: id))
    }
  }

  /// Seconds until the next try: twice as many each time, and at most five minutes.
  static func pause(_ hold: ItemMachine.Hold, failures: UInt8, jitter: Double) -> Double {
    let first = hold == .network ? 5.0 : 10.0
    let doublings = Double(min(max(failures, 1) - 1, 10))
    var pause = first
    for _ in 0..<Int(doublings) { pause *= 2 }
    return min(pause, 300) * (0.75 + 0.5 * min(max(jitter, 0), 1))
  }

  private func action(for step: ItemMachine.Action, _ id: DownloadID) -> ListAction {
    switch step {
    case .run(let attempt): .run(id, attempt: attempt)
    case .stop(let attempt): .stop(id, attempt: attempt)
    case .discard: .discard(id)
    case .removed(let withFile): .removed(id, withFile: withFile)
    case .announce(let attempt, let end): .ended(id, attempt: attempt, end)
    }
  }

  /// The last one takes the place of one that has left.
  private mutating func forget(_ place: Int) {
    let id = entries[place].id
    holds[id] = nil
    roomless.remove(id)
    index[id] = nil
    keys.remove(entries[place].key, id)
    let last = entries.removeLast()
    if last.id != id {
      entries[place] = last
      index[last.id] = place
    }
    order = nil
  }
}

extension ListMachine.Entry {
  /// Where it stands in the list.
  var rankInList: QueueRank { QueueRank(priority: 0, position: position, id: id) }
}
