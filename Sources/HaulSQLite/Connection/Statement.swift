import CSQLite

/// A prepared statement. It is used under the lock of its connection, and ends with it.
@safe final class Statement {
  // Made by `Connection`, which finalizes it once, after its last use.
  private let handle: OpaquePointer

  init(_ handle: OpaquePointer) {
    unsafe self.handle = handle
  }

  /// Binds the parameters from the first on; those without a value become null, and values without a
  /// parameter are left out.
  ///
  /// - Returns: A result code of SQLite.
  func bind(_ values: [SQLValue]) -> Int32 {
    _ = unsafe sqlite3_clear_bindings(handle)
    let count = unsafe Int(sqlite3_bind_parameter_count(handle))
    for (index, value) in values.prefix(count).enumerated() {
      let code = bind(value, at: Int32(index + 1))
      if code != SQLITE_OK { return code }
    }
    return SQLITE_OK
  }

  private func bind(_ value: SQLValue, at index: Int32) -> Int32 {
    switch value {
    case .null: return unsafe sqlite3_bind_null(handle, index)
    case .integer(let number): return unsafe sqlite3_bind_int64(handle, index, number)
    case .text(var text):
      // The value -1 tells SQLite to copy the bytes before the call returns, so they need to live
      // no longer.
      let copying = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
      return text.withUTF8 { bytes in
        // An empty string may have no address, which would bind null.
        guard let start = bytes.baseAddress else {
          return unsafe sqlite3_bind_text(handle, index, "", 0, copying)
        }
        return unsafe start.withMemoryRebound(to: CChar.self, capacity: bytes.count) { start in
          unsafe sqlite3_bind_text64(
            handle, index, start, UInt64(bytes.count), copying, UInt8(SQLITE_UTF8))
        }
      }
    }
  }

  /// Runs to the next row: `SQLITE_ROW`, `SQLITE_DONE`, or a code of failure.
  func step() -> Int32 { unsafe sqlite3_step(handle) }

  /// Ends the run and lets go of what was read.
  func reset() { _ = unsafe sqlite3_reset(handle) }

  /// Releases the statement; it may not be used afterwards.
  func finalize() { _ = unsafe sqlite3_finalize(handle) }

  /// The number in a column of the row, or nil when something else is there.
  func integer(_ column: Int32) -> Int64? {
    guard unsafe sqlite3_column_type(handle, column) == SQLITE_INTEGER else { return nil }
    return unsafe sqlite3_column_int64(handle, column)
  }

  /// The text in a column of the row, or nil when something else is there, or no UTF-8.
  func text(_ column: Int32) -> String? {
    guard unsafe sqlite3_column_type(handle, column) == SQLITE_TEXT else { return nil }
    // The bytes stay until the next step; the count is asked for after the text, as it has to be.
    guard let start = unsafe sqlite3_column_text(handle, column) else { return nil }
    let count = unsafe Int(sqlite3_column_bytes(handle, column))
    return unsafe String(
      validating: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// What is in a column of the row, or nil when it is of no kind that is ever stored.
  func value(_ column: Int32) -> SQLValue? {
    if isNull(column) { return .null }
    return integer(column).map(SQLValue.integer) ?? text(column).map(SQLValue.text)
  }

  /// Whether nothing is in a column of the row.
  func isNull(_ column: Int32) -> Bool {
    unsafe sqlite3_column_type(handle, column) == SQLITE_NULL
  }
}
