import CSQLite
import HaulRecords

/// The tables of the database, and how older ones become them.
enum Schema {
  /// `Haul` in ASCII; stands at offset 68 of the file and tells whose database it is.
  static let applicationID: UInt32 = 0x4861_756C
  /// Marks a new database as ours.
  static let marking: StaticString = "PRAGMA application_id = 0x4861756C"

  /// One step from a version to the next: its statements, of which the last one sets the new version.
  /// Steps that were once released are never changed.
  typealias Migration = [String]

  /// The step at index *n* leads from version *n* to *n* + 1.
  static let migrations: [Migration] = [
    // Since 3.37 tables can refuse values of another type.
    [sqlite3_libversion_number() >= 3_037_000 ? downloads + " STRICT" : downloads]
      + downloadIndexes + ["PRAGMA user_version = 1"]
  ]

  /// The version of the tables that this program reads and writes.
  static var version: Int64 { Int64(migrations.count) }

  /// Brings a database to the present version; each step and its number are one transaction.
  ///
  /// - Throws: `newerVersion` when it is beyond that, and what befalls the database.
  static func migrate(
    _ connection: Connection, path: String, by migrations: [Migration] = migrations
  ) throws(DatabaseFailure) {
    while true {
      // Read inside the transaction: another process may have migrated while this one waited.
      let isDone = try connection.transaction(writing: true) { () throws(DatabaseFailure) in
        let version = try connection.number("PRAGMA user_version")
        guard version <= migrations.count else { throw DatabaseFailure(.newerVersion, path) }
        guard version >= 0 else { throw DatabaseFailure(.corrupt, path, detail: "no such version") }
        guard version < migrations.count else { return true }
        for statement in migrations[Int(version)] { try connection.run(statement) }
        return false
      }
      if isDone { return }
    }
  }

  private static let downloads = """
    CREATE TABLE downloads (
      row INTEGER PRIMARY KEY,
      id INTEGER NOT NULL,
      position INTEGER NOT NULL,
      priority INTEGER NOT NULL,
      state TEXT NOT NULL,
      attempt INTEGER NOT NULL,
      received INTEGER NOT NULL,
      total INTEGER,
      origin INTEGER NOT NULL,
      key INTEGER NOT NULL,
      added INTEGER NOT NULL,
      updated INTEGER NOT NULL,
      finished INTEGER,
      base TEXT NOT NULL,
      folder TEXT NOT NULL,
      file TEXT,
      name TEXT NOT NULL,
      wanted_name TEXT,
      url TEXT NOT NULL,
      failure_code TEXT,
      failure_message TEXT,
      options TEXT,
      checksum INTEGER NOT NULL
    )
    """

  private static let downloadIndexes = [
    "CREATE UNIQUE INDEX downloads_by_id ON downloads (id)",
    "CREATE INDEX downloads_by_position ON downloads (position, id)",
    "CREATE INDEX downloads_by_state ON downloads (state, position, id)",
  ]
}
