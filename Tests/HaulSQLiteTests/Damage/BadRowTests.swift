import HaulHTTP
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

  /// A flipped bit in an address once made another address of it, and another file was fetched.
  @Test(arguments: [UInt8(1), 0x20])
  func noFlippedByteOfAnAddressIsBelieved(_ bit: UInt8) throws {
    let place = try Place()
    let records = try place.fill(3)
    let bad = records[1]
    let whole = try #require(place.folder.read("list"))
    let text = Array(bad.url.textWithoutUser.utf8)
    let starts = whole.indices.filter { whole[$0...].starts(with: text) }
    try #require(starts.count == 1)
    for index in starts[0]..<starts[0] + text.count {
      var bytes = whole
      bytes[index] ^= bit
      let story = "byte \(index - starts[0]) of \(text.count)"
      try place.folder.write(bytes, to: "list")
      let database = try place.reopen()
      #expect(try database.summaries().items == records.map(\.summary), "\(story)")
      let listing = try database.records(records.map(\.id))
      #expect(listing.items == [records[0], records[2]], "\(story)")
      #expect(listing.unreadable.map(\.id) == [bad.id], "\(story)")
      let reason = try #require(listing.unreadable.first?.reason)
      #expect(reason.contains("checksum") || reason.contains("address"), "\(story): \(reason)")
      place.close()
      #expect(place.folder.read("list") == bytes, "\(story)")
    }
  }

  /// What no narrow change touches is under the checksum, and what one touches is not in its way.
  @Test func everyLastingColumnIsUnderTheChecksum() throws {
    let lasting = [
      "origin = origin + 1", "key = key + 1", "added = added + 1", "base = 'other'",
      "folder = 'other'", "file = 'other'", "name = 'other'", "wanted_name = 'other'",
      "url = url || 'x'", "options = '{\"version\":1,\"connections\":2}'",
      "checksum = checksum + 1",
    ]
    let place = try Place()
    let record = try place.fill(1)[0]
    let whole = try #require(place.folder.read("list"))
    for change in lasting {
      try place.folder.write(whole, to: "list")
      var connection: Connection? = try place.connection()
      try connection?.run("UPDATE downloads SET \(change)")
      connection = nil
      let listing = try place.reopen().records([record.id])
      #expect(listing.items == [], "\(change)")
      #expect(listing.unreadable.first?.reason.contains("checksum") == true, "\(change)")
      place.close()
    }
    try place.folder.write(whole, to: "list")
    let database = try place.reopen()
    try database.commit(
      [
        .state(
          record.id, .failed, attempt: 3, failure: RecordFailure(code: "a", message: "b"), at: 7),
        .progress(record.id, attempt: 3, received: 1, total: 2), .position(record.id, 8),
        .priority(record.id, 9),
      ], .ordered)
    #expect(try database.records([record.id]).unreadable == [])
  }

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
