import HaulRecords

/// Reads what can be read of a damaged database, without changing it.
struct RowHarvest {
  /// How far reading some rows came.
  private enum Reach {
    /// To their end.
    case end
    /// To the damage.
    case damage
    /// To where the one who takes the records wanted no more.
    case stop
  }

  private let connection: Connection
  private var seenRows: Set<Int64> = []
  private var seenIDs: Set<DownloadID> = []
  /// What could not be read.
  private(set) var lost: [UnreadableRecord] = []

  init(_ connection: Connection) {
    self.connection = connection
  }

  /// Shows each record that can be read, once, until the body returns false.
  ///
  /// First the table is read from both of its ends up to the damage. What lies between is looked for by
  /// the rows that the indexes know.
  ///
  /// - Throws: What is no damage, such as `locked`.
  mutating func run(_ body: (DownloadRecord) -> Bool) throws(DatabaseFailure) {
    for direction in [Self.upwards, Self.downwards] {
      guard try scan(direction, [], body) == .damage else { return }
    }
    for index in Self.indexes {
      for (row, id) in try rows(of: index) where seenRows.insert(row).inserted {
        switch try scan(Self.single, [.integer(row)], body) {
        case .end: break
        case .stop: return
        case .damage:
          lost.append(
            UnreadableRecord(
              name: id?.description ?? "row \(row)", id: id,
              reason: "the file is damaged where it lies"))
        }
      }
    }
    guard seenRows.isEmpty else { return }
    lost.append(
      UnreadableRecord(name: "the whole list", id: nil, reason: "nothing of it can be read"))
  }

  private static let select = "SELECT \(RecordRow.columns), row FROM downloads NOT INDEXED"
  private static let upwards = select + " ORDER BY row"
  private static let downwards = select + " ORDER BY row DESC"
  private static let single = select + " WHERE row = ?1"
  private static let indexes = [
    "SELECT row, id FROM downloads INDEXED BY downloads_by_id ORDER BY id",
    "SELECT row, id FROM downloads INDEXED BY downloads_by_id ORDER BY id DESC",
    "SELECT row, id FROM downloads INDEXED BY downloads_by_position ORDER BY position, id",
    "SELECT row, id FROM downloads INDEXED BY downloads_by_position ORDER BY position DESC, id DESC",
  ]

  /// Shows the records of some rows.
  private mutating func scan(
    _ sql: String, _ values: [SQLValue], _ body: (DownloadRecord) -> Bool
  ) throws(DatabaseFailure) -> Reach {
    var isWanted = true
    do throws(DatabaseFailure) {
      try connection.each(sql, values) { row in
        // Reading downwards ends in the same damage; a row above it is met once all the same, unless
        // the pages lead in a circle.
        guard let number = row.integer(RecordRow.columnCount),
          seenRows.insert(number).inserted || !values.isEmpty
        else {
          return true
        }
        isWanted = take(row, body)
        return isWanted
      }
    } catch {
      guard error.code == .corrupt else { throw error }
      return .damage
    }
    return isWanted ? .end : .stop
  }

  private mutating func take(_ row: Statement, _ body: (DownloadRecord) -> Bool) -> Bool {
    do throws(RecordError) {
      let record = try RecordRow.record(row)
      guard seenIDs.insert(record.id).inserted else {
        throw RecordError("another record has its id")
      }
      return body(record)
    } catch {
      lost.append(RecordRow.unreadable(row, error))
      return true
    }
  }

  /// The rows that an index knows, up to its own damage.
  private func rows(of index: String) throws(DatabaseFailure) -> [(row: Int64, id: DownloadID?)] {
    var rows: [(row: Int64, id: DownloadID?)] = []
    do throws(DatabaseFailure) {
      try connection.each(index) { row in
        if let number = row.integer(0) {
          let id = row.integer(1).flatMap { DownloadID(rawValue: UInt64(bitPattern: $0)) }
          rows.append((number, id))
        }
        return true
      }
    } catch {
      guard error.code == .corrupt else { throw error }
    }
    return rows
  }
}
