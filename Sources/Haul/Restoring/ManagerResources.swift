internal import HaulSQLite

/// What is given up when a list is closed: first the database, then the lock on its folder.
struct ManagerResources: Sendable {
  var database: SQLiteDatabase?
  var folder: StateFolder?

  func close() { database?.close() }
}
