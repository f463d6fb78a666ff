public import HaulRecords
import Synchronization

extension SQLiteDatabase {
  /// Makes changes, in their order, all or none, in one transaction.
  ///
  /// A durable commit syncs the log before it returns. An ordered one leaves that to the system; frames
  /// of the log carry checksums that build on each other, so that a power cut leaves a first part of
  /// the commits.
  ///
  /// - Throws: `invalid` when one of them does not fit, `locked` when another program writes for more
  ///   than a quarter of a second, `diskFull`, `readOnly`, `corrupt`. Nothing was changed then. After a
  ///   sync that failed every further commit fails, until the database is opened anew.
  public func commit(
    _ changes: [RecordChange], _ durability: Durability
  ) throws(DatabaseFailure) {
    guard !changes.isEmpty else { return }
    try writer.withLock { writer throws(DatabaseFailure) in
      guard let connection = writer.connection else { throw isClosed }
      guard !connection.hasFailedSync else {
        throw DatabaseFailure(
          code: .failed,
          message:
            "The disk could not write the list of downloads \u{201C}\(path)\u{201D}. Check the "
            + "disk, then start the program again.")
      }
      // Inside a transaction it could not be changed.
      if writer.durability != durability {
        switch durability {
        case .durable: try connection.execute("PRAGMA synchronous = FULL")
        case .ordered: try connection.execute("PRAGMA synchronous = NORMAL")
        }
        writer.durability = durability
      }
      let before = connection.totalChanges
      try connection.transaction(writing: true) { () throws(DatabaseFailure) in
        for change in changes {
          try change.check()
          try connection.apply(change)
        }
      }
      let isEmpty = connection.totalChanges == before
      switch durability {
      case .ordered: writer.hasUnsynced = writer.hasUnsynced || !isEmpty
      case .durable:
        // A transaction that changed nothing writes and syncs nothing.
        if isEmpty, writer.hasUnsynced { try connection.checkpoint() }
        writer.hasUnsynced = false
      }
    }
  }
}

extension Connection {
  /// Makes one change; a transaction is open.
  func apply(_ change: RecordChange) throws(DatabaseFailure) {
    switch change {
    case .insert(let record): try insert(record)
    case .replace(let record):
      let count = try run(RecordRow.replace, try Self.values(record))
      guard count == 1 else { throw .isMissing(record.id) }
    case .state(let id, let state, let attempt, let failure, let time):
      try run(
        """
        UPDATE downloads SET state = ?2, attempt = ?3, failure_code = ?4, failure_message = ?5,
          updated = ?6, finished = CASE WHEN ?2 = 'finished' THEN ?6 END
        WHERE id = ?1
        """,
        [
          .integer(id.signed), .text(state.rawValue), .integer(Int64(attempt)),
          .text(ifAny: failure?.code), .text(ifAny: failure?.message), .integer(time),
        ])
    case .progress(let id, let attempt, let received, let total):
      try run(
        "UPDATE downloads SET received = ?3, total = ?4 WHERE id = ?1 AND attempt = ?2",
        [
          .integer(id.signed), .integer(Int64(attempt)), .integer(received),
          .integer(ifAny: total),
        ])
    case .position(let id, let position):
      try run(
        "UPDATE downloads SET position = ?2 WHERE id = ?1",
        [.integer(id.signed), .integer(position)])
    case .priority(let id, let priority):
      try run(
        "UPDATE downloads SET priority = ?2 WHERE id = ?1",
        [.integer(id.signed), .integer(Int64(priority))])
    case .remove(let id):
      try run("DELETE FROM downloads WHERE id = ?1", [.integer(id.signed)])
    }
  }

  /// Adds a record, unless there is one of its id.
  func insert(_ record: DownloadRecord) throws(DatabaseFailure) {
    let count = try run(RecordRow.insert + " ON CONFLICT (id) DO NOTHING", try Self.values(record))
    guard count == 1 else { throw .isThere(record.id) }
  }

  private static func values(_ record: DownloadRecord) throws(DatabaseFailure) -> [SQLValue] {
    do {
      return try RecordRow.values(record)
    } catch {
      throw .invalid(record.id, error.reason)
    }
  }
}
