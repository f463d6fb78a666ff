import HaulRecords
import HaulTestKit
import Testing

@testable import HaulSQLite

/// One record that cannot be read never hides the others, and stays as it is.
@Suite struct BadRowTests {
  /// What is done to one row, and whether its narrow part tells.
  static let damages: [(set: String, isNarrow: Bool)] = [
    ("state = 'sleeping'", true), ("received = -1", true), ("total = -1", true),
    ("received = 5, total = 4", true), ("priority = 70000", true), ("attempt = -1", true),
    ("attempt = 4294967296", true), ("id = 0", true), ("url = 'nowhere'", false),
    ("url = 'https://me:secret@a.example/'", false), ("base = '../etc'", false),
    ("folder = '/etc'", false), ("file = '../x'", false), ("options = '{'", false),
    ("options = '{\"version\":2}'", false), ("url = CAST(x'FFFE' AS TEXT)", false),
    ("wanted_name = CAST(x'61006200' AS TEXT)", false),
  ]

  @Test(arguments: damages.indices)
  func theOthersAreListed(_ index: Int) throws {
    let damage = Self.damages[index]
    let place = try Place()
    let records = try place.fill(5)
    let bad = records[2]
    var connection: Connection? = try place.connection()
    try connection?.run(
      "UPDATE downloads SET \(damage.set) WHERE id = ?1", [.integer(bad.id.signed)])
    connection = nil
    let before = place.contents()

    let database = try place.reopen()
    let good = records.filter { $0.id != bad.id }
    let summaries = try database.summaries()
    #expect(summaries.items.filter { $0.id != bad.id } == good.map(\.summary))
    #expect(summaries.unreadable.count == (damage.isNarrow ? 1 : 0))
    let listing = try database.records(records.map(\.id))
    #expect(listing.items == good)
    let page = try database.page(RecordQuery())
    #expect(page.total == 5 && page.listing.items == good)
    let unreadable = try #require(page.listing.unreadable.first)
    #expect(page.listing.unreadable.count == 1)
    #expect(!unreadable.reason.isEmpty && !unreadable.reason.contains("secret"))
    if unreadable.id != nil {
      #expect(unreadable.name == bad.id.description && listing.unreadable == [unreadable])
    }
    #expect(try database.check().count == 1)
    place.close()
    #expect(place.contents() == before)

    // Commits go on beside it, and it can be removed.
    let again = try place.reopen()
    try again.commit([.position(good[0].id, 9), .remove(bad.id)], .durable)
    if unreadable.id != nil { #expect(try again.check() == []) }
  }
}
