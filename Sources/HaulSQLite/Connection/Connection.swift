import CSQLite
import HaulRecords

/// One connection with a database, used by one thread at a time.
///
/// Unchecked, as the compiler does not see it: those that outlive a call are used only under the lock of
/// the `Mutex` that holds them, and all others by the thread that made them.
@safe final class Connection: @unchecked Sendable {
  /// What a connection may do.
  enum Access {
    /// Read and change.
    case readWrite
    /// Read only; closing it does not write what the log holds into the database either.
    case readOnly
  }

  // Opened by `init` and closed by `deinit`; never handed out.
  private let handle: OpaquePointer
  private let path: String
  private var statements: [String: Statement] = [:]
  /// Set for ever by a sync that failed: the kernel may have dropped what it should have written.
  private(set) var hasFailedSync = false

  /// Opens a database that exists.
  init(_ path: String, _ access: Access, busyMilliseconds: Int32) throws(DatabaseFailure) {
    self.path = path
    var opened: OpaquePointer?
    let mode = access == .readWrite ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
    // The path is a C string during the call; a handle is given also where it fails.
    let code = unsafe sqlite3_open_v2(path, &opened, mode | SQLITE_OPEN_NOMUTEX, nil)
    guard let opened = unsafe opened else {
      throw DatabaseFailure(sqlite: code, system: 0, detail: "no memory", path: path)
    }
    unsafe handle = opened
    _ = unsafe sqlite3_extended_result_codes(handle, 1)
    guard code == SQLITE_OK else { throw failure(code) }
    _ = unsafe sqlite3_busy_timeout(handle, busyMilliseconds)
  }

  deinit {
    for statement in statements.values { statement.finalize() }
    // All statements are gone, so it closes at once.
    _ = unsafe sqlite3_close_v2(handle)
  }

  /// Runs constant text of one or more statements without parameters.
  func execute(_ sql: StaticString) throws(DatabaseFailure) {
    // The text is constant and ends with a zero.
    let code = unsafe sqlite3_exec(handle, String(describing: sql), nil, nil, nil)
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// Runs a statement that has no rows to tell.
  ///
  /// - Returns: How many rows it changed.
  @discardableResult
  func run(_ sql: String, _ values: [SQLValue] = []) throws(DatabaseFailure) -> Int {
    try each(sql, values) { _ in true }
    return unsafe Int(sqlite3_changes(handle))
  }

  /// Runs a statement and shows each row, until the body returns false.
  ///
  /// The statement stays prepared. Its text is a constant of this module, or put together of such
  /// constants: whatever comes from outside is bound.
  func each(
    _ sql: String, _ values: [SQLValue] = [],
    _ body: (Statement) throws(DatabaseFailure) -> Bool
  ) throws(DatabaseFailure) {
    let statement = try prepared(sql)
    defer { statement.reset() }
    var code = statement.bind(values)
    guard code == SQLITE_OK else { throw failure(code) }
    while true {
      code = statement.step()
      if code == SQLITE_DONE { return }
      guard code == SQLITE_ROW else { throw failure(code) }
      guard try body(statement) else { return }
    }
  }

  /// The number in the first column of the first row.
  func number(_ sql: String, _ values: [SQLValue] = []) throws(DatabaseFailure) -> Int64 {
    var result: Int64?
    try each(sql, values) { row in
      result = row.integer(0)
      return false
    }
    return result ?? 0
  }

  /// Runs the body in a transaction: all of it counts, or, when it throws, nothing.
  func transaction<Value>(
    writing: Bool, _ body: () throws(DatabaseFailure) -> Value
  ) throws(DatabaseFailure) -> Value {
    // At once, so that whoever has to wait waits here and not in the middle.
    if writing { try execute("BEGIN IMMEDIATE") } else { try execute("BEGIN") }
    do throws(DatabaseFailure) {
      let value = try body()
      try execute("COMMIT")
      return value
    } catch {
      // Some failures have ended the transaction already.
      if unsafe sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
      throw error
    }
  }

  /// The rows changed since the connection was opened.
  var totalChanges: Int { unsafe Int(sqlite3_total_changes(handle)) }

  /// Brings the log into the database, both durably, as far as readers allow.
  func checkpoint() throws(DatabaseFailure) {
    let code = unsafe sqlite3_wal_checkpoint_v2(
      handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    guard code == SQLITE_OK else { throw failure(code) }
  }

  private func prepared(_ sql: String) throws(DatabaseFailure) -> Statement {
    if let statement = statements[sql] { return statement }
    var made: OpaquePointer?
    // The text is a C string during the call.
    let code = unsafe sqlite3_prepare_v3(
      handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &made, nil)
    guard code == SQLITE_OK, let made = unsafe made else { throw failure(code) }
    let statement = unsafe Statement(made)
    statements[sql] = statement
    return statement
  }

  private func failure(_ code: Int32) -> DatabaseFailure {
    if [SQLITE_IOERR | (4 << 8), SQLITE_IOERR | (5 << 8)].contains(code) { hasFailedSync = true }
    // The message stays until the next call on this connection; it is copied.
    let detail = unsafe sqlite3_errmsg(handle).map { unsafe String(cString: $0) } ?? ""
    let system = unsafe sqlite3_system_errno(handle)
    return DatabaseFailure(sqlite: code, system: system, detail: detail, path: path)
  }
}
