public import HaulRecords
import Synchronization

extension SQLiteDatabase {
  /// The narrow part of all records, in the order of the list.
  ///
  /// - Throws: `corrupt`, `locked` and what else befalls the database as a whole.
  public func summaries() throws(DatabaseFailure) -> RecordListing<DownloadSummary> {
    try reading { connection throws(DatabaseFailure) in
      var listing = RecordListing<DownloadSummary>()
      listing.items.reserveCapacity(
        Int(clamping: try connection.number("SELECT count(*) FROM downloads")))
      // The table is read from its beginning to its end and sorted afterwards: most lists are in their
      // order already, while the index would lead to one row after the other.
      try connection.each("SELECT \(RecordRow.summaryColumns) FROM downloads NOT INDEXED") { row in
        listing.add(row, RecordRow.summary)
        return true
      }
      listing.items.sort { ($0.position, $0.id) < ($1.position, $1.id) }
      return listing
    }
  }

  /// Records by their ids, in the order of the ids; those that are not there are left out.
  ///
  /// - Throws: What befalls the database as a whole.
  public func records(
    _ ids: [DownloadID]
  ) throws(DatabaseFailure) -> RecordListing<DownloadRecord> {
    try reading { connection throws(DatabaseFailure) in
      var listing = RecordListing<DownloadRecord>()
      for id in ids {
        try connection.each(
          "SELECT \(RecordRow.columns) FROM downloads WHERE id = ?1", [.integer(id.signed)]
        ) { row in
          listing.add(row, RecordRow.record)
          return true
        }
      }
      return listing
    }
  }

  /// A part of the list, and how many records there are of its kind, as they were at one moment.
  ///
  /// - Throws: What befalls the database as a whole.
  public func page(_ query: RecordQuery) throws(DatabaseFailure) -> RecordPage {
    let statements = PageStatements(query)
    return try reading { connection throws(DatabaseFailure) in
      var page = RecordPage()
      page.total = Int(
        clamping: try connection.number(statements.count, statements.conditionValues))
      try connection.each(statements.rows, statements.values) { row in
        page.listing.add(row, RecordRow.record)
        return true
      }
      return page
    }
  }

  /// Has SQLite look through the whole file (`PRAGMA integrity_check`), then reads every record.
  ///
  /// It has a connection of its own, so that nobody waits for it.
  ///
  /// - Throws: What keeps it from looking; damage is told.
  public func check() throws(DatabaseFailure) -> [String] {
    guard reader.withLock({ $0 != nil }) else { throw isClosed }
    let connection = try Connection(path, .readOnly, busyMilliseconds: Self.busyMilliseconds)
    var findings: [String] = []
    do throws(DatabaseFailure) {
      try connection.each("PRAGMA integrity_check") { row in
        if let text = row.text(0), text != "ok" { findings.append(text) }
        return true
      }
      try connection.each("SELECT \(RecordRow.columns) FROM downloads NOT INDEXED") { row in
        do throws(RecordError) {
          _ = try RecordRow.record(row)
        } catch {
          let record = RecordRow.unreadable(row, error)
          findings.append("The download \(record.name) cannot be read: \(record.reason).")
        }
        return true
      }
    } catch {
      guard error.code == .corrupt else { throw error }
      findings.append(error.message)
    }
    return findings
  }

  /// Reads at one moment: what is committed meanwhile is not seen.
  private func reading<Value: Sendable>(
    _ body: (Connection) throws(DatabaseFailure) -> Value
  ) throws(DatabaseFailure) -> Value {
    try reader.withLock { connection throws(DatabaseFailure) in
      guard let connection else { throw isClosed }
      return try connection.transaction(writing: false) { () throws(DatabaseFailure) in
        try body(connection)
      }
    }
  }
}

extension RecordListing {
  /// Adds what a row holds, or why it cannot be read.
  mutating func add(_ row: Statement, _ read: (Statement) throws(RecordError) -> Item) {
    do {
      items.append(try read(row))
    } catch {
      unreadable.append(RecordRow.unreadable(row, error))
    }
  }
}
