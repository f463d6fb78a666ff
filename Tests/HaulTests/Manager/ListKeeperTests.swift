import HaulHTTP
import HaulRecords
import HaulTestKit
import HaulTransfer
import Testing

@testable import Haul

/// What is stored of a list whose database fails.
@Suite struct ListKeeperTests {
  private let database = MemoryDatabase()
  private let ids = (1...3).compactMap { DownloadID(rawValue: $0) }

  private func record(_ id: DownloadID) throws -> DownloadRecord {
    DownloadRecord(
      id: id, url: try HTTPURL(parsing: "https://example.org/\(id)"), folder: .downloads)
  }

  /// A change that never fits held up all behind it for ever.
  @Test func whatNeverFitsIsLeftOut() throws {
    try database.commit([.insert(try record(ids[0]))], .durable)
    var keeper = ListKeeper(
      ListMachine([], limits: QueueLimits()), database: FaultyDatabase(database))
    let done = keeper.take(
      [
        .store(.replace(try record(ids[1]))), .store(.priority(ids[0], 5)),
        .ended(ids[0], attempt: 1, .finished),
      ], Instant(nanoseconds: 0))
    #expect(done == [.ended(ids[0], attempt: 1, .finished)])
    #expect(keeper.dropped.count == 1 && !keeper.isUnsaved)
    #expect(database.records([ids[0]]).items.first?.priority == 5)
  }

  /// What later changes make needless is not kept, and what is kept gives the same records.
  @Test func whatIsKeptGivesTheSame() throws {
    let random = SeededRandom(seed: 3)
    func draw(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
    for _ in 0..<200 {
      let whole = MemoryDatabase()
      let short = MemoryDatabase()
      for id in ids {
        for database in [whole, short] { try database.commit([.insert(try record(id))], .durable) }
      }
      var attempt: UInt32 = 0
      var removed: Set<DownloadID> = []
      let changes = (0..<30).compactMap { _ -> RecordChange? in
        let id = ids[draw(3)]
        guard !removed.contains(id) else { return nil }
        attempt += UInt32(draw(2))
        switch draw(6) {
        case 0:
          return .state(id, .downloading, attempt: attempt, failure: nil, at: Int64(draw(9)))
        case 1: return .progress(id, attempt: attempt, received: Int64(draw(99)), total: 100)
        case 2: return .position(id, Int64(draw(9)))
        case 3: return .priority(id, Int16(draw(9)))
        case 4 where draw(9) == 0:
          removed.insert(id)
          return .remove(id)
        default: return nil
        }
      }
      try whole.commit(changes, .durable)
      let shortened = ListKeeper.shortened(changes)
      #expect(shortened.count <= 5 * 3)
      try short.commit(shortened, .durable)
      for (one, other) in zip(whole.records(ids).items, short.records(ids).items) {
        #expect(one.state == other.state && one.attempt == other.attempt)
        #expect(one.position == other.position && one.priority == other.priority)
      }
      #expect(whole.records(ids).items.count == short.records(ids).items.count)
    }
  }
}
