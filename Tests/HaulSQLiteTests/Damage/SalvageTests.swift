import HaulRecords
import HaulSystem
import HaulTestKit
import Synchronization
import Testing

@testable import HaulSQLite

/// A damaged list is set aside, and what can be read of it is saved.
@Suite struct SalvageTests {
  let place: Place

  init() throws { place = try Place() }

  private func salvage() throws(DatabaseFailure) -> Salvage {
    try SQLiteDatabase.salvage(path: place.path)
  }

  /// The pages that hold rows (13), or what an index knows of them (10), beyond the first page; the
  /// numbers are those of the format of SQLite.
  private func pages(_ kind: UInt8) throws -> [Int] {
    let bytes = try #require(place.folder.read("list"))
    return (1..<bytes.count / 4096).filter { bytes[$0 * 4096] == kind }
  }

  private func spoil(_ pages: [Int]) throws {
    try place.damage { bytes in
      for page in pages {
        for index in page * 4096..<page * 4096 + 200 { bytes[index] = 0xA5 }
      }
    }
  }

  /// The indexes lead to what lies between two damaged pages. Where they are damaged as well, what lies
  /// before the first and behind the last is still there.
  @Test func whatLiesOnBothSidesOfTheDamageIsSavedWithoutAnyIndex() throws {
    try place.fill(3000)
    let rows = try pages(13)
    try spoil(try pages(10) + [rows[rows.count / 3], rows[rows.count / 2]])
    let salvage = try salvage()
    #expect((2000..<2900).contains(salvage.saved), "\(salvage.saved)")
    let positions = try place.reopen().summaries().items.map(\.position)
    #expect(positions.first == 0 && positions.last == 2999)
  }

  @Test func whatIsNotOnADamagedPageIsSaved() throws {
    let records = try place.fill(3000)
    let pages = try pages(13)
    try spoil([pages[pages.count / 3], pages[pages.count / 2]])
    let before = try #require(place.folder.read("list"))
    #expect(
      #expect(throws: DatabaseFailure.self) { try place.reopen().summaries() }?.code == .corrupt)
    #expect(try place.reopen().check().isEmpty == false)
    place.close()
    #expect(place.folder.read("list") == before)

    let salvage = try salvage()
    #expect(salvage.setAside.hasSuffix("/list.damaged"))
    #expect(place.folder.read("list.damaged") == before)
    #expect(try place.permissions("list.damaged") == 0o600)
    #expect(try place.permissions("list") == 0o600)
    #expect(salvage.saved + salvage.lost.count == 3000)
    // A page of 4 KiB holds about 20 of them.
    #expect((1...120).contains(salvage.lost.count), "\(salvage.lost.count)")
    let database = try place.reopen()
    let summaries = try database.summaries().items
    #expect(summaries.count == salvage.saved)
    let lost = Set(salvage.lost.compactMap(\.id))
    #expect(lost.count == salvage.lost.count)
    #expect(summaries == records.filter { !lost.contains($0.id) }.map(\.summary))
    #expect(try database.check() == [])
  }

  /// Whatever a byte was, nothing traps, the file stays as it is, and the new list is sound.
  @Test func bytesAreFlippedEverywhere() throws {
    let seed = seed(of: "HAUL_RECORDS_SEED")
    let draws = RecordSample(seed: seed)
    let records = try place.fill(300)
    let whole = try #require(place.folder.read("list"))
    for round in 0..<40 {
      var bytes = whole
      for _ in 0..<30 { bytes[100 + draws.draw(bytes.count - 100)] ^= UInt8(1 + draws.draw(255)) }
      let other = try Place()
      try other.folder.write(bytes, to: "list")
      do throws(DatabaseFailure) {
        let database = try other.reopen()
        _ = try database.check()
        _ = try database.records(records.map(\.id))
        _ = try database.page(RecordQuery())
        _ = try database.summaries()
      } catch {
        let codes: [DatabaseFailure.Code] = [.corrupt, .failed, .newerVersion]
        #expect(codes.contains(error.code), "HAUL_RECORDS_SEED=\(seed), \(round): \(error)")
      }
      other.close()
      #expect(other.folder.read("list") == bytes, "HAUL_RECORDS_SEED=\(seed), \(round)")
      do throws(DatabaseFailure) {
        let salvage = try SQLiteDatabase.salvage(path: other.path)
        let database = try other.reopen()
        #expect(try database.summaries().items.count == salvage.saved)
        #expect(try database.check() == [])
      } catch {
        let codes: [DatabaseFailure.Code] = [.failed, .newerVersion, .foreign]
        #expect(codes.contains(error.code), "HAUL_RECORDS_SEED=\(seed), \(round): \(error)")
        #expect(other.folder.read("list") == bytes)
      }
    }
  }

  @Test func recordsThatCannotBeReadStayInTheOldOne() throws {
    let records = try place.fill(4)
    var connection: Connection? = try place.connection()
    try connection?.run("UPDATE downloads SET state = 'odd' WHERE position = 1")
    connection = nil
    let salvage = try salvage()
    #expect(salvage.saved == 3)
    #expect(salvage.lost.map(\.id) == [records[1].id])
    #expect(salvage.lost.map(\.reason) == ["its state is unknown"])
    #expect(try place.reopen().summaries().items.count == 3)
  }

  @Test func whatStandsInTheLogAloneIsSavedAsWell() throws {
    let database = try place.reopen()
    let record = try RecordSample(seed: 1).any()
    try database.commit([.insert(record)], .ordered)
    let files = place.contents()
    let other = try Place()
    for (name, bytes) in files { try other.folder.write(bytes, to: name) }
    let salvage = try SQLiteDatabase.salvage(path: other.path)
    #expect(salvage.saved == 1 && salvage.lost.isEmpty)
    #expect(other.folder.read("list.damaged") == files["list"])
    #expect(other.folder.read("list.damaged-wal") == files["list-wal"])
    #expect(try other.reopen().records([record.id]).items == [record])
  }

  @Test func earlierOnesAreNeverReplaced() throws {
    for number in 1...3 {
      try place.fill(number, seed: UInt64(number))
      let bytes = place.folder.read("list")
      let salvage = try salvage()
      let name = number == 1 ? "list.damaged" : "list.damaged-\(number)"
      #expect(salvage.setAside.hasSuffix("/" + name))
      #expect(place.folder.read(name) == bytes)
    }
    #expect(
      place.folder.names() == ["list", "list.damaged", "list.damaged-2", "list.damaged-3"])
  }

  @Test func aLogWithoutItsListIsSetAside() throws {
    try place.folder.write([1, 2, 3], to: "list-wal")
    let salvage = try salvage()
    #expect(salvage.saved == 0 && salvage.lost.count == 1)
    #expect(place.folder.read("list.damaged-wal") == [1, 2, 3])
    #expect(try place.reopen().summaries().items.isEmpty)
  }

  @Test func whatIsNotOursIsLeftAlone() throws {
    try place.folder.write(Array("no list of ours".utf8), to: "list")
    #expect(#expect(throws: DatabaseFailure.self) { try salvage() }?.code == .foreign)
    try place.folder.remove("list")
    #expect(#expect(throws: DatabaseFailure.self) { try salvage() }?.code == .failed)
    #expect(place.folder.names() == [])
  }

  /// The program may die at each step; afterwards the old list is there or the new one, and never none.
  @Test func aSalvageThatIsBrokenOffIsCompletedOrBegunAgain() throws {
    for step in 1... {
      let place = try Place()
      try place.fill(20)
      var connection: Connection? = try place.connection()
      try connection?.run("UPDATE downloads SET state = 'odd' WHERE position = 1")
      connection = nil
      let count = Counter(step)
      let disk = HookedDisk(PosixDisk()) { call, name throws(DiskError) in
        guard [.rename, .remove, .syncFolder].contains(call), count.isOver() else { return }
        throw DiskError(call: "rename", path: name, errno: 5)
      }
      let isDone = (try? SQLiteDatabase.salvage(path: place.path, disk: disk)) != nil
      let listing = try place.reopen().summaries()
      #expect(listing.items.count == 19, "step \(step)")
      #expect(listing.unreadable.count <= 1)
      #expect(!place.folder.names().contains("list.saved"))
      if isDone { return }
    }
  }
}

/// Counts calls; from one on all are over.
private final class Counter: Sendable {
  private let rest: Mutex<Int>
  init(_ count: Int) { rest = Mutex(count) }
  func isOver() -> Bool {
    rest.withLock { rest in
      rest -= 1
      return rest <= 0
    }
  }
}
