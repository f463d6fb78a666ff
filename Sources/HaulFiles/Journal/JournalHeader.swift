/// Where things lie in a journal (docs/FORMATS.md).
enum JournalLayout {
  static let magic: [UInt8] = Array("HAULJRN\n".utf8)
  static let formatVersion: UInt32 = 1
  /// XXH3 with 64 bits and no seed.
  static let checksumAlgorithm: UInt32 = 1
  static let headerSize = 4096
  static let slotSize = 65536
  static let slotCount = 2
  static let tableOffset: Int64 = 135_168

  static func slotOffset(_ index: Int) -> Int64 {
    Int64(headerSize + index * slotSize)
  }

  /// Where the checksum of a block lies; nil for a block that no file can have.
  static func entryOffset(_ block: Int64) -> Int64? {
    guard block >= 0, block <= Int64.max / BlockLayout.size else { return nil }
    return tableOffset + block * 8
  }
}

/// The first page of a journal: whose part it speaks of.
struct JournalHeader: Sendable, Hashable {
  /// The SHA-256 of the full URL.
  var sourceDigest: [UInt8]
  /// The URL without its secrets; cut when it is too long for the page.
  var redactedURL: String
  /// The name that was asked for, before it was numbered.
  var requestedName: String

  private static let textSpace = JournalLayout.headerSize - 68

  func encoded(_ checksum: (ArraySlice<UInt8>) -> UInt64) -> [UInt8] {
    var writer = ByteWriter()
    writer.append(raw: JournalLayout.magic)
    writer.append(JournalLayout.formatVersion)
    writer.append(JournalLayout.checksumAlgorithm)
    writer.append(UInt32(BlockLayout.size))
    writer.append(raw: sourceDigest)
    let name = requestedName.utf8.prefix(1024)
    writer.append(short: name)
    writer.append(short: Self.cut(redactedURL, to: Self.textSpace - name.count))
    writer.pad(to: JournalLayout.headerSize - 8)
    writer.append(checksum(writer.bytes[...]))
    return writer.bytes
  }

  /// Nil for a page that is damaged, of another format, or no header at all.
  init?(_ page: [UInt8], _ checksum: (ArraySlice<UInt8>) -> UInt64) {
    guard page.count == JournalLayout.headerSize else { return nil }
    let end = page.count - 8
    var tail = ByteReader(page[end...])
    guard tail.number(UInt64.self) == checksum(page[..<end]) else { return nil }
    var reader = ByteReader(page[..<end])
    guard let magic = reader.take(8), Array(magic) == JournalLayout.magic,
      reader.number(UInt32.self) == JournalLayout.formatVersion,
      reader.number(UInt32.self) == JournalLayout.checksumAlgorithm,
      reader.number(UInt32.self) == UInt32(BlockLayout.size),
      let digest = reader.take(32), let name = reader.text(), let url = reader.text()
    else { return nil }
    sourceDigest = Array(digest)
    redactedURL = url
    requestedName = name
  }

  /// Whether a page is the sound header of a later version of the format.
  static func isOfLaterVersion(
    _ page: [UInt8], _ checksum: (ArraySlice<UInt8>) -> UInt64
  ) -> Bool {
    guard page.count == JournalLayout.headerSize else { return false }
    let end = page.count - 8
    var tail = ByteReader(page[end...])
    var reader = ByteReader(page[..<end])
    guard tail.number(UInt64.self) == checksum(page[..<end]),
      let magic = reader.take(8), Array(magic) == JournalLayout.magic,
      let version = reader.number(UInt32.self)
    else { return false }
    return version > JournalLayout.formatVersion
  }

  init(sourceDigest: [UInt8], redactedURL: String, requestedName: String) {
    self.sourceDigest = sourceDigest
    self.redactedURL = redactedURL
    self.requestedName = requestedName
  }

  /// The longest prefix of whole characters that fits.
  private static func cut(_ text: String, to count: Int) -> [UInt8] {
    guard text.utf8.count > count else { return Array(text.utf8) }
    var bytes = Array(text.utf8.prefix(max(0, count)))
    while !bytes.isEmpty, String(validating: bytes, as: UTF8.self) == nil { bytes.removeLast() }
    return bytes
  }
}
