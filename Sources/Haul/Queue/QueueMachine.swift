internal import HaulRecords

/// Decides whose turn it is among those that wait, and who has to give way.
///
/// Adding, removing and choosing take logarithmic time, also where one server is waited for by a hundred
/// thousand: those whose server has no place free are set apart until one is.
struct QueueMachine: Sendable {
  /// One that waits; a list may have a million of them.
  private struct Waiter: Sendable {
    var origin: OriginKey
    /// Of all entries of this one in the heaps, only that with this number counts.
    var ticket: UInt32
  }

  /// One that runs.
  private struct Runner: Sendable {
    var rank: QueueRank
    var origin: OriginKey
  }

  /// That somebody waits, at one rank. It is of no use any more once its owner has another ticket.
  private struct Entry: Sendable, Comparable {
    var rank: QueueRank
    var ticket: UInt32

    static func < (one: Entry, other: Entry) -> Bool { one.rank < other.rank }
  }

  var limits = QueueLimits() {
    didSet { if limits.perHost != oldValue.perHost { unparkAll() } }
  }

  private var waiting: [DownloadID: Waiter] = [:]
  /// Those that may be next, with entries that are of no use any more. Before anybody who is set apart,
  /// as many are here as its server has places free: whoever gives one back, or goes without taking one,
  /// sends the next one here.
  private var ready = BinaryHeap<Entry>()
  /// Those whose server had no place free, by server.
  private var parked: [OriginKey: BinaryHeap<Entry>] = [:]
  private var parkedCount = 0
  private var lastTicket: UInt32 = 0
  private var running: [DownloadID: Runner] = [:]
  private var runningAt: [OriginKey: Int] = [:]

  var runningCount: Int { running.count }
  var waitingCount: Int { waiting.count }
  /// The entries of all heaps, with those that are of no use any more.
  var entryCount: Int { ready.count + parkedCount }

  /// Puts one into the queue, or changes its rank there.
  mutating func add(_ rank: QueueRank, origin: OriginKey) {
    let before = waiting[rank.id]
    ready.insert(enlist(rank, origin))
    if let before { leaves(before.origin) }
    tidy()
  }

  /// Takes over many at once, when there are none yet.
  mutating func fill(
    _ members: some Collection<(rank: QueueRank, origin: OriginKey)>, count: Int
  ) {
    waiting.reserveCapacity(count)
    ready = BinaryHeap(members.map { enlist($0.rank, $0.origin) })
  }

  /// Takes one out of the queue.
  mutating func remove(_ id: DownloadID) {
    guard let member = waiting.removeValue(forKey: id) else { return }
    leaves(member.origin)
    tidy()
  }

  /// Whose turn it is; it has a place from now on. Nil while nobody can have one.
  mutating func next() -> DownloadID? {
    guard limits.isOpen, limits.isOnline, running.count < limits.parallel else { return nil }
    while let entry = ready.popFirst() {
      guard let origin = origin(of: entry) else { continue }
      guard hasPlace(at: origin) else {
        parked[origin, default: BinaryHeap()].insert(entry)
        parkedCount += 1
        continue
      }
      waiting[entry.rank.id] = nil
      running[entry.rank.id] = Runner(rank: entry.rank, origin: origin)
      runningAt[origin, default: 0] += 1
      return entry.rank.id
    }
    return nil
  }

  /// Who ran gives its place back.
  mutating func giveBack(_ id: DownloadID) {
    guard let member = running.removeValue(forKey: id) else { return }
    let count = (runningAt[member.origin] ?? 1) - 1
    runningAt[member.origin] = count > 0 ? count : nil
    unpark(member.origin)
  }

  /// Changes the rank of one that runs.
  mutating func rerank(_ rank: QueueRank) { running[rank.id]?.rank = rank }

  /// Who runs and may not any more, because limits were lowered: the last in rank first. Those that are
  /// being stopped already make room by themselves.
  func excess(isStopping: (DownloadID) -> Bool) -> [DownloadID] {
    guard limits.isOpen, limits.isOnline else { return running.keys.sorted() }
    guard running.count > limits.parallel || limits.perHost != nil else { return [] }
    var places = limits.parallel
    var placesAt: [OriginKey: Int] = [:]
    var result: [DownloadID] = []
    for member in running.values.sorted(by: { $0.rank < $1.rank })
    where !isStopping(member.rank.id) {
      let used = placesAt[member.origin, default: 0]
      if places > 0, used < limits.perHost ?? .max {
        places -= 1
        placesAt[member.origin] = used + 1
      } else {
        result.append(member.rank.id)
      }
    }
    return result.reversed()
  }

  /// Why one that stands in the queue does not run.
  func reason(_ id: DownloadID) -> WaitReason {
    if !limits.isOnline { return .network }
    if !limits.isOpen { return .schedule }
    guard running.count < limits.parallel, let member = waiting[id], !hasPlace(at: member.origin)
    else { return .queue }
    return .host
  }

  private func hasPlace(at origin: OriginKey) -> Bool {
    runningAt[origin, default: 0] < limits.perHost ?? .max
  }

  private mutating func enlist(_ rank: QueueRank, _ origin: OriginKey) -> Entry {
    lastTicket &+= 1
    waiting[rank.id] = Waiter(origin: origin, ticket: lastTicket)
    return Entry(rank: rank, ticket: lastTicket)
  }

  /// The server that an entry waits for; nil when it is of no use any more.
  private func origin(of entry: Entry) -> OriginKey? {
    waiting[entry.rank.id].flatMap { $0.ticket == entry.ticket ? $0.origin : nil }
  }

  /// One left its place among those that wait for a server, and may have been to take a free one there.
  private mutating func leaves(_ origin: OriginKey) {
    if hasPlace(at: origin) { unpark(origin) }
  }

  /// One that waited for a server may be next.
  private mutating func unpark(_ origin: OriginKey) {
    // Taken out while it changes, so that it is not copied.
    guard var heap = parked.removeValue(forKey: origin) else { return }
    while let entry = heap.popFirst() {
      parkedCount -= 1
      guard self.origin(of: entry) != nil else { continue }
      ready.insert(entry)
      break
    }
    if heap.count > 0 { parked[origin] = heap }
  }

  private mutating func unparkAll() {
    for heap in parked.values {
      for entry in heap.elements where origin(of: entry) != nil { ready.insert(entry) }
    }
    parked = [:]
    parkedCount = 0
  }

  /// Makes the heaps anew when most of their entries are of no use any more.
  private mutating func tidy() {
    guard entryCount > 64, entryCount > 4 * waiting.count else { return }
    let all = ready.elements + parked.values.flatMap(\.elements)
    parked = [:]
    parkedCount = 0
    ready = BinaryHeap(all.filter { origin(of: $0) != nil })
  }
}
