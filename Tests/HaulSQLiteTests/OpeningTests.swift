import Glibc
import HaulRecords
import HaulTestKit
import Testing

@testable import HaulSQLite

/// What is no list of this program is refused, and stays as it is.
@Suite struct OpeningTests {
  let place: Place

  init() throws { place = try Place() }

  private func refuses(
    _ code: DatabaseFailure.Code, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let before = place.contents()
    #expect(place.failure() == code, sourceLocation: sourceLocation)
    #expect(place.contents() == before, sourceLocation: sourceLocation)
  }

  @Test(arguments: ["x", "SQLite format 3\0", String(repeating: "no database ", count: 2000)])
  func aFileThatIsNoDatabase(_ text: String) throws {
    try place.folder.write(Array(text.utf8), to: "list")
    refuses(.foreign)
  }

  @Test(arguments: ["PRAGMA application_id = 7", "PRAGMA application_id = 0"])
  func aDatabaseOfAnotherProgram(_ marking: String) throws {
    try place.folder.write([], to: "list")
    var connection: Connection? = try place.connection()
    try connection?.run("CREATE TABLE notes (text)")
    try connection?.run(marking)
    connection = nil
    refuses(.foreign)
  }

  @Test(arguments: [false, true])
  func aDatabaseOfANewerVersion(isInLog: Bool) throws {
    try place.fill(3)
    let connection = try place.connection()
    try connection.run("PRAGMA user_version = 2")
    // While the connection is open, the version stands in the log alone.
    if !isInLog { try connection.checkpoint() }
    refuses(.newerVersion)
    withExtendedLifetime(connection) {}
  }

  /// Opening once moved the log of a newer list into its file when it gave up.
  @Test func aLogThatIsLeftOfANewerVersionStays() throws {
    try place.fill(3)
    let connection = try place.connection()
    try connection.run("PRAGMA user_version = 2")
    let (list, log) = (place.folder.read("list"), place.folder.read("list-wal"))
    let other = try Place()
    try other.folder.write(try #require(list), to: "list")
    try other.folder.write(try #require(log), to: "list-wal")
    #expect(other.failure() == .newerVersion)
    #expect(other.folder.read("list") == list)
    #expect(other.folder.read("list-wal") == log)
    withExtendedLifetime(connection) {}
  }

  @Test func aTruncatedDatabase() throws {
    try place.fill(2000)
    let whole = try #require(place.folder.read("list"))
    // A list that ends within its first page is none; one that ends later is damaged.
    for (count, code) in [
      (50, DatabaseFailure.Code.foreign), (4096, .corrupt), (whole.count / 2, .corrupt),
      (whole.count - 4096, .corrupt),
    ] {
      try place.folder.write(Array(whole[..<count]), to: "list")
      refuses(code)
    }
  }

  @Test func aLogWithoutItsDatabase() throws {
    let database = try place.reopen()
    try database.commit([.insert(try RecordSample(seed: 1).any())], .ordered)
    let log = try #require(place.folder.read("list-wal"))
    place.close()
    for isEmpty in [false, true] {
      try place.folder.remove("list")
      if isEmpty { try place.folder.write([], to: "list") }
      try place.folder.write(log, to: "list-wal")
      refuses(.corrupt)
    }
  }

  @Test func aMissingTableIsDamage() throws {
    try place.fill(1)
    var connection: Connection? = try place.connection()
    try connection?.run("DROP TABLE downloads")
    connection = nil
    refuses(.corrupt)
  }

  @Test func aListThatIsLockedIsNamedAndCanBeOpenedLater() throws {
    let record = try place.fill(1)[0]
    let database = try place.reopen()
    let other = try place.connection()
    try other.execute("BEGIN IMMEDIATE")
    let failure = #expect(throws: DatabaseFailure.self) {
      try database.commit([.remove(record.id)], .durable)
    }
    #expect(failure?.code == .locked)
    #expect(try database.summaries().items == [record.summary])
    #expect(place.failure() == .locked)
    try other.execute("COMMIT")
    _ = try place.reopen()
  }

  @Test func aFolderThatIsNoneIsNamed() throws {
    try place.folder.write([1], to: "file")
    let failure = #expect(throws: DatabaseFailure.self) {
      try SQLiteDatabase(path: place.folder.path("file/list"))
    }
    #expect(failure?.code == .failed)
    #expect(failure?.message.contains("file/list") == true)
    try place.folder.makeFolder("list")
    #expect(place.failure() == .failed || place.failure() == .foreign)
  }

  @Test func aLinkIsNotFollowed() throws {
    try place.folder.makeLink("list", to: "elsewhere")
    #expect(place.failure() != nil)
    #expect(place.folder.names() == ["list"])
  }

  /// Steps are tried on a list of the version before.
  @Test func stepsRunOneAfterTheOtherAndAllOrNone() throws {
    let record = try place.fill(1)[0]
    let connection = try place.connection()
    let good = ["ALTER TABLE downloads ADD COLUMN note TEXT", "PRAGMA user_version = 2"]
    let bad = [
      "CREATE TABLE extra (a)", "INSERT INTO nowhere VALUES (1)", "PRAGMA user_version = 3",
    ]
    #expect(throws: DatabaseFailure.self) {
      try Schema.migrate(connection, path: place.path, by: Schema.migrations + [good, bad])
    }
    #expect(try connection.number("PRAGMA user_version") == 2)
    #expect(
      try connection.number("SELECT count(*) FROM sqlite_schema WHERE name = 'extra'") == 0)
    #expect(
      try connection.number("SELECT id FROM downloads WHERE note IS NULL") == record.id.signed)
    refuses(.newerVersion)
  }
}
