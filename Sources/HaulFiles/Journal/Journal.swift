import HaulHTTP
import HaulSystem
import HaulTransfer

/// An open journal: a header, two slots that are written in turn, and a table of checksums.
///
/// A value with one owner at a time; calls block.
struct Journal: Sendable {
  let folder: any DiskFolder
  let name: String
  private let file: any DiskFile
  private let crypto: any Crypto
  private let inode: UInt64
  private(set) var header: JournalHeader
  /// The newest valid record, or an empty one.
  private(set) var record: JournalRecord
  /// The slot that the next record is written to: never the newest valid one.
  private var nextSlot: Int
  /// The highest number that any slot carried.
  private var sequence: UInt64
  /// Whether no record can be read although one was written.
  private(set) var isDamaged = false

  /// Whether a durable claim may lie in one of the slots.
  var mayHoldDurableClaims: Bool { sequence > 0 }

  /// Makes a journal in the place of whatever file has its name, with nothing claimed.
  static func create(
    _ name: String, in folder: any DiskFolder, header: JournalHeader, crypto: any Crypto
  ) throws(DiskError) -> Journal {
    try folder.remove(name)
    let file = try folder.open(name, .createNew(permissions: 0o600))
    do {
      let journal = Journal(
        folder: folder, name: name, file: file, crypto: crypto, inode: try file.status().inode,
        header: header, record: JournalRecord(), nextSlot: 0, sequence: 0)
      try journal.writeHeader()
      return journal
    } catch {
      // One that cannot be read vouches for nothing, and would only lie there.
      try? folder.remove(name)
      throw error
    }
  }

  /// Opens a journal; nil when nothing there can be read as one.
  ///
  /// With a `source`, also when it is another's: then its slots, which are many pages, stay unread.
  /// Throws only what says that the folder cannot be used.
  static func open(
    _ name: String, in folder: any DiskFolder, crypto: any Crypto, source: [UInt8]? = nil
  ) throws(DiskError) -> Journal? {
    let file: any DiskFile
    do {
      file = try folder.open(name, .update)
    } catch {
      return nil
    }
    guard let page = Self.bytes(of: file, at: 0, count: JournalLayout.headerSize),
      let header = JournalHeader(page, { checksum(of: $0, crypto) }),
      source == nil || header.sourceDigest == source
    else { return nil }
    var journal = Journal(
      folder: folder, name: name, file: file, crypto: crypto, inode: try file.status().inode,
      header: header, record: JournalRecord(), nextSlot: 0, sequence: 0)
    journal.readSlots()
    return journal
  }

  /// Why a file that `open` cannot read as a journal is none.
  static func reasonNotToRead(
    _ name: String, in folder: any DiskFolder, _ crypto: any Crypto
  ) -> RestartReason {
    guard let file = try? folder.open(name, .read),
      let page = Self.bytes(of: file, at: 0, count: JournalLayout.headerSize),
      JournalHeader.isOfLaterVersion(page, { checksum(of: $0, crypto) })
    else { return .journalDamaged }
    return .journalNewer
  }

  /// Writes the checksums of blocks, then the record into the older slot.
  mutating func write(
    _ record: JournalRecord, entries: [Int64: UInt64]
  ) throws(DiskError) {
    try writeEntries(entries)
    var record = record
    let (next, overflow) = sequence.addingReportingOverflow(1)
    guard !overflow else { throw DiskError(call: "pwrite", path: name, errno: 5) }
    record.sequence = next
    try write(SlotCodec.encoded(record) { Self.checksum(of: $0, crypto) }, at: nextSlot)
    sequence = next
    nextSlot = 1 - nextSlot
    self.record = record
  }

  /// Overwrites both slots, so that nothing is claimed any more.
  mutating func void() throws(DiskError) {
    let blank = [UInt8](repeating: 0, count: SlotCodec.headSize)
    for slot in 0..<JournalLayout.slotCount { try write(blank, at: slot) }
    record = JournalRecord()
  }

  /// Gives the journal to another source.
  mutating func rewriteHeader(_ header: JournalHeader) throws(DiskError) {
    self.header = header
    try writeHeader()
  }

  func sync() throws(DiskError) {
    try file.sync()
  }

  /// The checksums in the table, as far as it reaches.
  func checksums(_ blocks: Range<Int64>) throws(DiskError) -> [UInt64] {
    guard let start = JournalLayout.entryOffset(blocks.lowerBound) else { return [] }
    let count = Int(min(blocks.upperBound - blocks.lowerBound, 8192))
    guard let bytes = Self.bytes(of: file, at: start, count: count * 8, mayBeShort: true) else {
      return []
    }
    var reader = ByteReader(bytes[...])
    var result: [UInt64] = []
    while let value = reader.number(UInt64.self) { result.append(value) }
    return result
  }

  /// Removes the file, unless another one has its name by now.
  func remove() throws(DiskError) {
    guard let there = try folder.status(name), there.inode == inode else { return }
    try folder.remove(name)
  }

  private mutating func readSlots() {
    for index in 0..<JournalLayout.slotCount {
      guard
        let bytes = Self.bytes(
          of: file, at: JournalLayout.slotOffset(index), count: JournalLayout.slotSize,
          mayBeShort: true)
      else { continue }
      guard let found = SlotCodec.decoded(bytes, { Self.checksum(of: $0, crypto) }) else {
        // One that was never written, or that was voided, is blank.
        if bytes.prefix(SlotCodec.headSize).contains(where: { $0 != 0 }) { isDamaged = true }
        continue
      }
      guard found.sequence > sequence else { continue }
      sequence = found.sequence
      record = found
      nextSlot = 1 - index
    }
    // A record that was torn while it was written leaves the one before it.
    if sequence > 0 { isDamaged = false }
  }

  private func writeHeader() throws(DiskError) {
    try write(header.encoded { Self.checksum(of: $0, crypto) }, offset: 0)
  }

  private func writeEntries(_ entries: [Int64: UInt64]) throws(DiskError) {
    var run = ByteWriter()
    var start: Int64 = 0
    var next: Int64 = -1
    for block in entries.keys.sorted() {
      guard let checksum = entries[block], JournalLayout.entryOffset(block) != nil else { continue }
      if block != next, !run.bytes.isEmpty {
        try write(run.bytes, offset: JournalLayout.tableOffset + start * 8)
        run = ByteWriter()
      }
      if run.bytes.isEmpty { start = block }
      run.append(checksum)
      next = block + 1
    }
    if !run.bytes.isEmpty { try write(run.bytes, offset: JournalLayout.tableOffset + start * 8) }
  }

  private func write(_ bytes: [UInt8], at slot: Int) throws(DiskError) {
    try write(bytes, offset: JournalLayout.slotOffset(slot))
  }

  private func write(_ bytes: [UInt8], offset: Int64) throws(DiskError) {
    try file.write(bytes, at: offset)
  }

  /// The bytes at an offset; nil when they cannot be read, or are too few.
  private static func bytes(
    of file: any DiskFile, at offset: Int64, count: Int, mayBeShort: Bool = false
  ) -> [UInt8]? {
    guard let bytes = try? file.bytes(at: offset, count: count),
      mayBeShort || bytes.count == count
    else { return nil }
    return bytes
  }

  private static func checksum(of bytes: ArraySlice<UInt8>, _ crypto: any Crypto) -> UInt64 {
    crypto.checksum(of: bytes)
  }
}
