/// A slot of a journal: a head with length and checksum, then a record.
enum SlotCodec {
  static let headSize = 16
  private static let magic: UInt32 = 0x544F_4C53

  static func encoded(
    _ record: JournalRecord, _ checksum: (ArraySlice<UInt8>) -> UInt64
  ) -> [UInt8] {
    let payload = record.encoded(limit: JournalLayout.slotSize - headSize)
    var writer = ByteWriter()
    writer.append(magic)
    writer.append(UInt32(payload.count))
    // The length is checked by itself: another length gives another checksum.
    writer.append(checksum(payload[...]))
    writer.append(raw: payload)
    return writer.bytes
  }

  /// Nil for a slot that is empty, torn, damaged, or says anything impossible.
  static func decoded(
    _ bytes: [UInt8], _ checksum: (ArraySlice<UInt8>) -> UInt64
  ) -> JournalRecord? {
    var reader = ByteReader(bytes[...])
    guard reader.number(UInt32.self) == magic, let count = reader.number(UInt32.self),
      let sum = reader.number(UInt64.self), let payload = reader.take(Int(count)),
      checksum(payload) == sum
    else { return nil }
    return JournalRecord(payload: payload)
  }
}
