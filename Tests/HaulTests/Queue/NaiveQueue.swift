import HaulRecords

@testable import Haul

/// The queue as its rules read: everybody is looked at anew each time.
struct NaiveQueue {
  struct Member {
    var rank: QueueRank
    var origin: OriginKey
  }

  var limits = QueueLimits()
  var waiting: [Member] = []
  var running: [Member] = []

  mutating func add(_ rank: QueueRank, _ origin: OriginKey) {
    remove(rank.id)
    waiting.append(Member(rank: rank, origin: origin))
  }

  mutating func remove(_ id: DownloadID) { waiting.removeAll { $0.rank.id == id } }

  mutating func giveBack(_ id: DownloadID) { running.removeAll { $0.rank.id == id } }

  func count(at origin: OriginKey) -> Int { running.count { $0.origin == origin } }

  func mayRun(_ member: Member) -> Bool {
    limits.isOpen && limits.isOnline && running.count < limits.parallel
      && count(at: member.origin) < limits.perHost ?? .max
  }

  mutating func next() -> DownloadID? {
    guard let member = waiting.filter(mayRun).min(by: { $0.rank < $1.rank }) else { return nil }
    remove(member.rank.id)
    running.append(member)
    return member.rank.id
  }

  /// Those that keep running are chosen one by one, the first in rank first.
  func excess(isStopping: (DownloadID) -> Bool) -> [DownloadID] {
    guard limits.isOpen, limits.isOnline else { return running.map(\.rank.id).sorted() }
    var kept: [Member] = []
    var excess: [DownloadID] = []
    for member in running.sorted(by: { $0.rank < $1.rank }) where !isStopping(member.rank.id) {
      let there = kept.count { $0.origin == member.origin }
      if kept.count < limits.parallel, there < limits.perHost ?? .max {
        kept.append(member)
      } else {
        excess.insert(member.rank.id, at: 0)
      }
    }
    return excess
  }

  func reason(_ id: DownloadID) -> WaitReason? {
    guard let member = waiting.first(where: { $0.rank.id == id }) else { return nil }
    if !limits.isOnline { return .network }
    if !limits.isOpen { return .schedule }
    if running.count >= limits.parallel { return .queue }
    return count(at: member.origin) >= limits.perHost ?? .max ? .host : .queue
  }
}
