internal import HaulRecords

/// Decides whose turn it is among those that wait, and who has to give way.
///
/// Adding, removing and choosing take logarithmic time, also where one server is waited for by a hundred
/// thousand: those whose server has no place free are set apart until one is.
struct QueueMachine: Sendable {
  private struct Member: Sendable {
    var rank: QueueRank
    var origin: OriginKey
  }

  var limits = QueueLimits() {
    didSet { if limits.perHost != oldValue.perHost { unparkAll() } }
  }

  private var waiting: [DownloadID: Member] = [:]
  /// Those that may be next. Entries of some who left, or changed their rank, are among them.
  private var ready = BinaryHeap<QueueRank>()
  /// Those whose server had no place free, by server.
  private var parked: [OriginKey: BinaryHeap<QueueRank>] = [:]
  private var running: [DownloadID: Member] = [:]
  private var runningAt: [OriginKey: Int] = [:]

  var runningCount: Int { running.count }
  var waitingCount: Int { waiting.count }

  /// Puts one into the queue, or changes its rank there.
  mutating func add(_ rank: QueueRank, origin: OriginKey) {
    if let there = waiting[rank.id], there.rank == rank, there.origin == origin { return }
    waiting[rank.id] = Member(rank: rank, origin: origin)
    ready.insert(rank)
    tidy()
  }

  /// Takes over many at once, when there are none yet.
  mutating func fill(_ members: [(rank: QueueRank, origin: OriginKey)]) {
    waiting.reserveCapacity(members.count)
    for member in members {
      waiting[member.rank.id] = Member(rank: member.rank, origin: member.origin)
    }
    ready = BinaryHeap(members.map(\.rank))
  }

  /// Takes one out of the queue.
  mutating func remove(_ id: DownloadID) {
    guard let member = waiting.removeValue(forKey: id) else { return }
    // It may have been the one that was to take the free place of its server.
    if hasPlace(at: member.origin) { unpark(member.origin) }
    tidy()
  }

  /// Whose turn it is; it has a place from now on. Nil while nobody can have one.
  mutating func next() -> DownloadID? {
    guard limits.isOpen, limits.isOnline, running.count < limits.parallel else { return nil }
    while let rank = ready.popFirst() {
      // Somebody may be in twice with the same rank; only the first time counts.
      guard let member = waiting[rank.id], member.rank == rank else { continue }
      guard hasPlace(at: member.origin) else {
        parked[member.origin, default: BinaryHeap()].insert(rank)
        continue
      }
      waiting[rank.id] = nil
      running[rank.id] = member
      runningAt[member.origin, default: 0] += 1
      return rank.id
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

  /// One that waited for a server may be next.
  private mutating func unpark(_ origin: OriginKey) {
    while var heap = parked.removeValue(forKey: origin) {
      guard let rank = heap.popFirst() else { return }
      if heap.first != nil { parked[origin] = heap }
      guard waiting[rank.id]?.rank == rank else { continue }
      ready.insert(rank)
      return
    }
  }

  private mutating func unparkAll() {
    for heap in parked.values {
      for rank in heap.elements where waiting[rank.id]?.rank == rank { ready.insert(rank) }
    }
    parked = [:]
  }

  /// Makes the heaps anew when most of their entries are of no use any more.
  private mutating func tidy() {
    let used = ready.count + parked.values.reduce(0) { $0 + $1.count }
    guard used > 64, used > 4 * waiting.count else { return }
    parked = [:]
    ready = BinaryHeap(waiting.values.map(\.rank))
  }
}
