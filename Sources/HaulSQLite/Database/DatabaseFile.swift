import HaulRecords
import HaulSystem

/// The files of one database: `NAME`, SQLite's `NAME-wal` and `NAME-shm`, and what stands beside them
/// for a moment.
struct DatabaseFile {
  /// What SQLite keeps beside a database that is in use.
  static let companions = ["-wal", "-shm"]
  static let permissions: UInt32 = 0o600
  private static let headerSize = 100

  let folder: any DiskFolder
  let name: String

  /// Finds the database of a path; its folder is made when it is missing.
  ///
  /// - Throws: What the disk says of the folder or of the name.
  init(_ path: String, disk: any Disk) throws(DatabaseFailure) {
    // By bytes: a slash with a combining mark behind it is another character to Swift.
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let parent = slash.map { String(path[...$0]) } ?? "."
    name = slash.map { String(Substring(path.utf8[$0...].dropFirst())) } ?? path
    do throws(DiskError) {
      folder = try disk.openFolder(parent, create: true)
      // Fails for a name that is none, such as an empty one.
      _ = try folder.status(name)
    } catch {
      throw DatabaseFailure(error, path: path)
    }
  }

  /// The path for SQLite and for messages. It never begins with `file:`, which SQLite may take for the
  /// beginning of an address.
  var path: String { place(name) }

  func place(_ name: String) -> String {
    let parent = folder.path.hasSuffix("/") ? folder.path : folder.path + "/"
    return (parent.hasPrefix("/") || parent.hasPrefix("./") ? parent : "./" + parent) + name
  }

  /// The name of a database that is being made, and of one that was saved from a damaged one.
  var draft: String { name + ".new" }
  var saved: String { name + ".saved" }

  /// Looks at the file, and touches nothing.
  ///
  /// - Returns: False when there is no database yet.
  /// - Throws: `foreign`, `newerVersion`, or `corrupt`.
  func inspect() throws(DatabaseFailure) -> Bool {
    let status = try onDisk { () throws(DiskError) in try folder.status(name) }
    let log = try onDisk { () throws(DiskError) in try folder.status(name + "-wal") }
    let isEmpty = status.map { $0.kind == .regular && $0.byteCount == 0 } ?? true
    if isEmpty {
      // SQLite would drop the log of an empty file, and take it for that of a new one.
      guard log.map({ $0.byteCount == 0 }) ?? true else {
        throw DatabaseFailure(.corrupt, path, detail: "its log is there, and the list is not")
      }
      return false
    }
    let header = try onDisk { () throws(DiskError) in
      try folder.open(name, .read).bytes(at: 0, count: Self.headerSize)
    }
    // Of the format of SQLite: the title, the owner's version at 60, the application at 68.
    guard header.count == Self.headerSize, header.starts(with: "SQLite format 3\0".utf8),
      Self.number(header, at: 68) == Schema.applicationID
    else { throw DatabaseFailure(.foreign, path) }
    guard Int64(Self.number(header, at: 60)) <= Schema.version else {
      throw DatabaseFailure(.newerVersion, path)
    }
    return true
  }

  /// Sees to it that nobody but the owner can read the database, whatever the umask is. SQLite gives the
  /// files beside it the same permissions when it makes them.
  func protect() throws(DatabaseFailure) {
    try onDisk { () throws(DiskError) in
      for name in [name] + Self.companions.map({ name + $0 }) {
        guard let status = try folder.status(name), status.kind == .regular,
          status.permissions & 0o077 != 0
        else { continue }
        try folder.open(name, .read).setPermissions(Self.permissions)
      }
    }
  }

  /// Makes a database under the name of the draft; whoever wants it renames it.
  ///
  /// - Parameter fill: Gets the connection to the new database, which is closed afterwards.
  /// - Throws: What befalls the new database, and what `fill` throws.
  func makeDraft(
    fill: (Connection) throws(DatabaseFailure) -> Void = { _ in }
  ) throws(DatabaseFailure) {
    try onDisk { () throws(DiskError) in
      for end in ["", "-journal"] + Self.companions { try folder.remove(draft + end) }
      let file = try folder.open(draft, .createNew(permissions: Self.permissions))
      try file.setPermissions(Self.permissions)
    }
    try Self.fill(place(draft), fill)
    try onDisk { () throws(DiskError) in try folder.open(draft, .read).sync() }
  }

  private static func fill(
    _ path: String, _ fill: (Connection) throws(DatabaseFailure) -> Void
  ) throws(DatabaseFailure) {
    // Closed at the end, which brings everything into the one file.
    let connection = try Connection(path, .readWrite, busyMilliseconds: 0)
    try connection.execute(Schema.marking)
    try connection.useLog(path: path)
    try Schema.migrate(connection, path: path)
    try fill(connection)
  }

  /// Makes the database when there is none. A crash leaves none or a whole one.
  func make() throws(DatabaseFailure) {
    try makeDraft()
    try onDisk { () throws(DiskError) in
      // An empty file may stand there.
      let isThere = try folder.status(name) != nil
      try folder.rename(draft, to: name, replacing: isThere)
      try folder.sync()
    }
  }

  /// Calls the disk, and says of which database it was when that fails.
  func onDisk<Value>(
    _ body: () throws(DiskError) -> Value
  ) throws(DatabaseFailure) -> Value {
    do {
      return try body()
    } catch {
      throw DatabaseFailure(error, path: path)
    }
  }

  private static func number(_ bytes: [UInt8], at offset: Int) -> UInt32 {
    bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }
}

extension Connection {
  /// Turns the write-ahead log on; the database keeps that.
  ///
  /// - Throws: `failed` where the file system cannot carry it, and what befalls the database.
  func useLog(path: String) throws(DatabaseFailure) {
    var mode: String?
    try each("PRAGMA journal_mode = WAL") { row in
      mode = row.text(0)
      return false
    }
    guard mode == "wal" else {
      throw DatabaseFailure(
        code: .failed,
        message:
          "The file system of \u{201C}\(path)\u{201D} has no shared memory, which the list of "
          + "downloads needs. Choose a folder on a local disk.")
    }
  }
}
