import HaulHTTP
import HaulTransfer

/// Written before a part gets its final name, so that a crash around it is finished, not repeated.
struct PublishingNote: Sendable, Hashable {
  /// The final name.
  var name: String
  var device: UInt64
  var inode: UInt64
  var byteCount: Int64
}

/// What a journal says at one checkpoint; one slot holds one.
struct JournalRecord: Sendable, Hashable {
  /// Grows with each record; of two valid slots the one with the higher number counts.
  var sequence: UInt64 = 0
  var version = FileVersion()
  /// Whether the bytes were made durable before they were claimed.
  var isDurable = true
  /// The boot in which it was written; empty where that cannot be known.
  var bootID: [UInt8] = []
  var note: PublishingNote?
  /// Whole blocks, as byte positions.
  var whole: [Range<Int64>] = []
  var fragments: [BlockFragment] = []

  /// Whether its claims hold in the present boot.
  func isBelieved(bootID present: [UInt8]?) -> Bool {
    isDurable || (!bootID.isEmpty && bootID == present)
  }

  private struct Flags: OptionSet {
    let rawValue: UInt32
    static let durable = Flags(rawValue: 1)
    static let combined = Flags(rawValue: 2)
    static let joinedByOverlap = Flags(rawValue: 4)
    static let total = Flags(rawValue: 8)
    static let lastModified = Flags(rawValue: 16)
    static let entityTag = Flags(rawValue: 32)
    static let dateValidator = Flags(rawValue: 64)
    static let note = Flags(rawValue: 128)
    static let weakTag = Flags(rawValue: 256)
    static let all = Flags(rawValue: 511)
  }

  private static let maxValidator = 2048
  private static let maxDigests = 8

  private var flags: Flags {
    var flags: Flags = []
    if isDurable { flags.insert(.durable) }
    if version.isCombined { flags.insert(.combined) }
    if version.isJoinedByOverlap { flags.insert(.joinedByOverlap) }
    if version.total != nil { flags.insert(.total) }
    if version.lastModified != nil { flags.insert(.lastModified) }
    if note != nil { flags.insert(.note) }
    if let tag = version.weakTag, tag.utf8.count <= Self.maxValidator { flags.insert(.weakTag) }
    guard let validator = version.validator,
      validator.fieldValue.utf8.count <= Self.maxValidator
    else { return flags }
    switch validator {
    case .entityTag: flags.insert(.entityTag)
    case .lastModified: flags.insert(.dateValidator)
    }
    return flags
  }

  /// The payload of a slot. Claims that do not fit into `limit` bytes are left out.
  func encoded(limit: Int) -> [UInt8] {
    var writer = ByteWriter()
    let flags = flags
    writer.append(sequence)
    writer.append(flags.rawValue)
    writer.append(version.total ?? 0)
    writer.append(version.lastModified ?? 0)
    writer.append(short: bootID.prefix(64))
    let hasValidator = flags.contains(.entityTag) || flags.contains(.dateValidator)
    writer.append(short: Array(((hasValidator ? version.validator?.fieldValue : nil) ?? "").utf8))
    writer.append(short: Array(((flags.contains(.weakTag) ? version.weakTag : nil) ?? "").utf8))
    let digests = version.digests.prefix(Self.maxDigests)
    writer.append(UInt8(digests.count))
    for digest in digests {
      writer.append(digest.algorithm.formatNumber)
      writer.append(raw: digest.bytes)
    }
    if let note {
      writer.append(short: Array(note.name.utf8.prefix(1024)))
      writer.append(note.device)
      writer.append(note.inode)
      writer.append(note.byteCount)
    }
    let room = max(0, limit - writer.bytes.count - 8)
    let intervals = whole.prefix(room / 16)
    writer.append(UInt32(intervals.count))
    for interval in intervals {
      writer.append(interval.lowerBound)
      writer.append(interval.upperBound)
    }
    let kept = fragments.prefix((room - intervals.count * 16) / 20)
    writer.append(UInt32(kept.count))
    for fragment in kept {
      writer.append(fragment.offset)
      writer.append(UInt32(fragment.length))
      writer.append(fragment.checksum)
    }
    return writer.bytes
  }

  init(version: FileVersion = FileVersion()) {
    self.version = version
  }

  /// Nil for a payload that says anything impossible.
  init?(payload: ArraySlice<UInt8>) {
    var reader = ByteReader(payload)
    guard let sequence = reader.number(UInt64.self),
      let rawFlags = reader.number(UInt32.self), rawFlags & ~Flags.all.rawValue == 0,
      let total = reader.number(Int64.self), total >= 0,
      let lastModified = reader.number(Int64.self),
      let boot = reader.short(), let validator = reader.text(), let weakTag = reader.text(),
      let digests = Self.digests(&reader)
    else { return nil }
    let flags = Flags(rawValue: rawFlags)
    self.sequence = sequence
    isDurable = flags.contains(.durable)
    bootID = Array(boot)
    version.total = flags.contains(.total) ? total : nil
    version.lastModified = flags.contains(.lastModified) ? lastModified : nil
    version.weakTag = flags.contains(.weakTag) ? weakTag : nil
    version.isCombined = flags.contains(.combined)
    version.isJoinedByOverlap = flags.contains(.joinedByOverlap)
    version.digests = digests
    if flags.contains(.entityTag) {
      version.validator = .entityTag(validator)
    } else if flags.contains(.dateValidator) {
      version.validator = .lastModified(validator)
    }
    if flags.contains(.note) {
      guard let note = Self.note(&reader) else { return nil }
      self.note = note
    }
    guard let whole = Self.intervals(&reader), let fragments = Self.fragments(&reader),
      reader.remaining == 0
    else { return nil }
    self.whole = whole
    self.fragments = fragments
    guard isConsistent else { return nil }
  }

  private static func digests(_ reader: inout ByteReader) -> [Digest]? {
    guard let count = reader.number(UInt8.self), count <= maxDigests else { return nil }
    var digests: [Digest] = []
    for _ in 0..<count {
      guard let number = reader.number(UInt8.self),
        let algorithm = DigestAlgorithm(formatNumber: number),
        let bytes = reader.take(algorithm.byteCount),
        let digest = Digest(algorithm: algorithm, bytes: Array(bytes))
      else { return nil }
      digests.append(digest)
    }
    return digests
  }

  private static func note(_ reader: inout ByteReader) -> PublishingNote? {
    guard let name = reader.text(), let device = reader.number(UInt64.self),
      let inode = reader.number(UInt64.self), let byteCount = reader.number(Int64.self),
      byteCount >= 0
    else { return nil }
    return PublishingNote(name: name, device: device, inode: inode, byteCount: byteCount)
  }

  private static func intervals(_ reader: inout ByteReader) -> [Range<Int64>]? {
    guard let count = reader.number(UInt32.self), Int(count) <= reader.remaining / 16 else {
      return nil
    }
    var intervals: [Range<Int64>] = []
    for _ in 0..<count {
      guard let lower = reader.number(Int64.self), let upper = reader.number(Int64.self),
        lower >= 0, lower < upper
      else { return nil }
      intervals.append(lower..<upper)
    }
    return intervals
  }

  private static func fragments(_ reader: inout ByteReader) -> [BlockFragment]? {
    guard let count = reader.number(UInt32.self), Int(count) <= reader.remaining / 20 else {
      return nil
    }
    var fragments: [BlockFragment] = []
    for _ in 0..<count {
      guard let offset = reader.number(Int64.self), let length = reader.number(UInt32.self),
        let checksum = reader.number(UInt64.self), offset >= 0, length > 0,
        Int64(length) <= BlockLayout.size - offset % BlockLayout.size,
        offset <= Int64.max - BlockLayout.size
      else { return nil }
      fragments.append(
        BlockFragment(offset: offset, length: Int64(length), checksum: checksum))
    }
    return fragments
  }

  /// Whether the claims are in order, apart from each other, and within the total.
  private var isConsistent: Bool {
    let total = version.total ?? .max
    var end: Int64 = 0
    for interval in whole {
      guard interval.lowerBound >= end, interval.upperBound <= total,
        interval.lowerBound % BlockLayout.size == 0, interval.upperBound % BlockLayout.size == 0
      else { return false }
      end = interval.upperBound
    }
    let blocks = IntervalSet(whole)
    end = 0
    for fragment in fragments {
      guard fragment.offset >= end, fragment.range.upperBound <= total,
        !blocks.contains(fragment.offset..<fragment.offset + 1)
      else { return false }
      end = fragment.range.upperBound
    }
    return true
  }
}

extension DigestAlgorithm {
  /// The number that stands for it in a journal.
  var formatNumber: UInt8 {
    switch self {
    case .sha256: 1
    case .sha512: 2
    case .sha1: 3
    case .md5: 4
    }
  }

  init?(formatNumber: UInt8) {
    guard let found = Self.allCases.first(where: { $0.formatNumber == formatNumber }) else {
      return nil
    }
    self = found
  }
}
