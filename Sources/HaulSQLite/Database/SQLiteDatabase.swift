public import HaulRecords
public import HaulSystem
import Synchronization

/// The list of downloads in a file of SQLite, with its write-ahead log.
///
///     let database = try SQLiteDatabase(path: "/var/lib/haul/downloads.sqlite")
///     try database.commit([.insert(record)], .durable)
///     let list = try database.summaries().items
///
/// One connection writes and one reads, each under a lock of its own, so that neither waits for the
/// other. The files have mode 0600. The database is closed with the last reference to it, or by `close`.
public final class SQLiteDatabase: RecordDatabase {
  /// How long a call waits for another program before it fails as `locked`, in milliseconds.
  static let busyMilliseconds: Int32 = 250

  struct Writer {
    var connection: Connection?
    /// What commits survive on this connection now.
    var durability: Durability?
    /// Whether there are commits that a power cut may take.
    var hasUnsynced = false
  }

  let path: String
  let writer: Mutex<Writer>
  let reader: Mutex<Connection?>

  /// Opens a database; it is made, with its folder, when it is missing. A salvage that a crash
  /// interrupted is completed.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - disk: The disk on which the file is looked at and made; SQLite itself uses the real one.
  /// - Throws: `corrupt`, `newerVersion` and `foreign`, each without having changed anything; `locked`
  ///   when another program has it to itself; `readOnly`, `notPermitted`, `diskFull`.
  public init(path: String, disk: any Disk = PosixDisk()) throws(DatabaseFailure) {
    let file = try DatabaseFile(path, disk: disk)
    // SQLite says only that it cannot open something, where it cannot make its files.
    try file.onDisk { () throws(DiskError) in try file.folder.checkWritable() }
    try file.finishSalvage()
    if try file.inspect() {
      try Self.probe(file.path)
    } else {
      try file.make()
    }
    try file.protect()
    self.path = file.path
    let connection = try Connection(
      file.path, .readWrite, busyMilliseconds: Self.busyMilliseconds)
    try connection.execute(Self.settings)
    try Schema.migrate(connection, path: file.path)
    try connection.useLog(path: file.path)
    let other = try Connection(file.path, .readWrite, busyMilliseconds: Self.busyMilliseconds)
    try other.execute(Self.settings)
    try other.execute("PRAGMA query_only = ON")
    writer = Mutex(Writer(connection: connection))
    reader = Mutex(other)
  }

  /// Closes the database once the calls that run are over; later ones fail. It may be closed twice.
  public func close() {
    reader.withLock { $0 = nil }
    writer.withLock { $0.connection = nil }
  }

  /// Reads the version and the tables by a connection that changes nothing, not even when it is closed:
  /// one that may write would bring the log into a file that is damaged or not for this program.
  private static func probe(_ path: String) throws(DatabaseFailure) {
    let connection = try Connection(path, .readOnly, busyMilliseconds: busyMilliseconds)
    let version = try connection.number("PRAGMA user_version")
    guard version <= Schema.version else { throw DatabaseFailure(.newerVersion, path) }
    guard version == Schema.version else { return }
    let tables = try connection.number(
      "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'downloads'")
    guard tables == 1 else { throw DatabaseFailure(.corrupt, path, detail: "its table is missing") }
    _ = try connection.number("SELECT row FROM downloads LIMIT 1")
  }

  /// The log is cut to 16 MiB after it was longer. Cells of pages are looked at before they are
  /// believed, and what the file itself defines is not trusted to call functions.
  private static let settings: StaticString = """
    PRAGMA foreign_keys = ON;
    PRAGMA trusted_schema = OFF;
    PRAGMA cell_size_check = ON;
    PRAGMA cache_size = -2048;
    PRAGMA journal_size_limit = 16777216;
    """

  /// What calls get after `close`.
  var isClosed: DatabaseFailure {
    DatabaseFailure(
      code: .failed,
      message: "The list of downloads \u{201C}\(path)\u{201D} was closed. Open it again.")
  }
}
