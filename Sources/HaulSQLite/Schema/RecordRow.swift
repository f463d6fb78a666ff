import HaulHTTP
import HaulRecords

/// How a record becomes a row and a row a record.
enum RecordRow {
  /// The columns of a whole record, in the order in which they are bound and read.
  static let columns = """
    id, position, priority, state, attempt, received, total, origin, key, added, updated, finished, \
    base, folder, file, name, wanted_name, url, failure_code, failure_message, options, checksum
    """
  /// The columns of a summary: the first ones of a record.
  static let summaryColumns = "id, position, priority, state, attempt, received, total, origin, key"

  /// The column of a row behind those of a record.
  static let columnCount: Int32 = 22

  private static let parameters = (1...columnCount).map { "?\($0)" }.joined(separator: ", ")

  static let insert = """
    INSERT INTO downloads (\(columns))
    VALUES (\(parameters))
    """

  static let replace = """
    UPDATE downloads SET (\(columns))
      = (\(parameters))
    WHERE id = ?1
    """

  /// What is bound for a record.
  static func values(_ record: DownloadRecord) throws(RecordError) -> [SQLValue] {
    var values: [SQLValue] = [
      .integer(record.id.signed), .integer(record.position), .integer(Int64(record.priority)),
      .text(record.state.rawValue), .integer(Int64(record.attempt)), .integer(record.received),
      .integer(ifAny: record.total), .integer(Int64(bitPattern: record.origin.rawValue)),
      .integer(Int64(bitPattern: record.key)), .integer(record.added), .integer(record.updated),
      .integer(ifAny: record.finished), .text(record.folder.base), .text(record.folder.relative),
      .text(ifAny: record.file?.relative), .text(record.name), .text(ifAny: record.wantedName),
      .text(record.url.textWithoutUser), .text(ifAny: record.failure?.code),
      .text(ifAny: record.failure?.message), .text(ifAny: try record.options.encoded()),
    ]
    values.append(.integer(ifAny: checksum { values[Int($0)] }))
    return values
  }

  /// Reads a summary from a row that begins with its columns.
  static func summary(_ row: Statement) throws(RecordError) -> DownloadSummary {
    let received = try row.required(5, "count of received bytes")
    let total = try row.optional(6, "total")
    try DownloadSummary.check(received: received, total: total)
    guard let state = row.text(3).flatMap(DownloadState.init(rawValue:)) else {
      throw RecordError("its state is unknown")
    }
    guard let id = id(row) else { throw RecordError("its id is missing") }
    guard let priority = Int16(exactly: try row.required(2, "priority")) else {
      throw RecordError("its priority is out of range")
    }
    guard let attempt = UInt32(exactly: try row.required(4, "attempt")) else {
      throw RecordError("its attempt is out of range")
    }
    return DownloadSummary(
      id: id, position: try row.required(1, "position"), received: received,
      origin: OriginKey(rawValue: UInt64(bitPattern: try row.required(7, "origin"))),
      key: UInt64(bitPattern: try row.required(8, "key")), total: total, state: state,
      priority: priority, attempt: attempt)
  }

  /// Reads a record from a row of its columns.
  static func record(_ row: Statement) throws(RecordError) -> DownloadRecord {
    let summary = try summary(row)
    guard let text = row.text(17), let url = try? HTTPURL(parsing: text), url == url.withoutUser
    else { throw RecordError("its address cannot be read") }
    guard let base = row.text(12), let folder = row.text(13) else {
      throw RecordError("its folder cannot be read")
    }
    var record = DownloadRecord(
      id: summary.id, url: url, folder: try RecordPath(base: base, relative: folder))
    record.position = summary.position
    record.priority = summary.priority
    record.state = summary.state
    record.attempt = summary.attempt
    record.received = summary.received
    record.total = summary.total
    record.added = try row.required(9, "time of adding")
    record.updated = try row.required(10, "time of change")
    record.finished = try row.optional(11, "time of finishing")
    if let file = try row.optionalText(14, "file") {
      record.file = try RecordPath(base: base, relative: file)
    }
    record.wantedName = try row.optionalText(16, "name")
    if let code = try row.optionalText(18, "failure") {
      let message = try row.optionalText(19, "failure") ?? ""
      record.failure = RecordFailure(code: code, message: message)
    }
    record.options = try DownloadOptions(decoding: try row.optionalText(20, "options"))
    try record.check()
    // Last, so that what is no value at all is told as that.
    guard try row.required(21, "checksum") == checksum(row.value) else {
      throw RecordError("it is damaged: its checksum does not agree with it")
    }
    return record
  }

  /// The id in the first column, or nil when there is none.
  static func id(_ row: Statement) -> DownloadID? {
    row.integer(0).flatMap { DownloadID(rawValue: UInt64(bitPattern: $0)) }
  }

  /// What is told of a row that cannot be read.
  static func unreadable(_ row: Statement, _ error: RecordError) -> UnreadableRecord {
    let id = id(row)
    return UnreadableRecord(
      name: id?.description ?? "a download without an id", id: id, reason: error.reason)
  }
}

extension Statement {
  fileprivate func required(_ column: Int32, _ name: String) throws(RecordError) -> Int64 {
    guard let number = integer(column) else { throw RecordError("its \(name) is no number") }
    return number
  }

  fileprivate func optional(_ column: Int32, _ name: String) throws(RecordError) -> Int64? {
    isNull(column) ? nil : try required(column, name)
  }

  fileprivate func optionalText(_ column: Int32, _ name: String) throws(RecordError) -> String? {
    if isNull(column) { return nil }
    guard let text = text(column) else { throw RecordError("its \(name) cannot be read as text") }
    return text
  }
}
