import HaulSystem

extension RecordRow {
  /// The columns that stay as they are when a state, progress, a position or a priority is set: those
  /// changes need not know the rest of their row.
  private static let lastingColumns: [Int32] = [0, 7, 8, 9, 12, 13, 14, 15, 16, 17, 20]

  /// The checksum of what lasts of a row, as the signed number that is stored (docs/FORMATS.md). It is
  /// against damage, not against malice; a value that is missing agrees with none.
  static func checksum(_ value: (Int32) -> SQLValue?) -> Int64? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(512)
    for column in lastingColumns {
      guard let value = value(column) else { return nil }
      value.append(to: &bytes)
    }
    let checksum = SystemCrypto().makeChecksum()
    // The buffer lives through the call.
    unsafe bytes.withUnsafeBytes { unsafe checksum.update($0) }
    return Int64(bitPattern: checksum.value)
  }
}

extension SQLValue {
  /// Adds the value with its kind and, for a text, its length, so that no two rows give the same bytes.
  fileprivate func append(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes.append(0)
    case .integer(let number):
      bytes.append(1)
      Self.append(number, to: &bytes)
    case .text(let text):
      bytes.append(2)
      Self.append(Int64(text.utf8.count), to: &bytes)
      bytes.append(contentsOf: text.utf8)
    }
  }

  private static func append(_ number: Int64, to bytes: inout [UInt8]) {
    for shift in stride(from: 0, to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> Int64(shift)))
    }
  }
}
