import Glibc
import HaulHTTP
import HaulSystem
import HaulTestKit
import HaulTransfer
import Testing

@testable import HaulFiles

/// A journal is bytes from outside: whatever they are, it claims less, and never something wrong.
@Suite struct JournalTests {
  static let record: JournalRecord = {
    var record = JournalRecord(
      version: FileVersion(
        total: 5 << 20, validator: .entityTag("\"abc\""), lastModified: 1_700_000_000,
        digests: [Digest(algorithm: .md5, bytes: Array(repeating: 7, count: 16))].compactMap(
          \.self),
        isCombined: true))
    record.sequence = 41
    record.bootID = Array("boot".utf8)
    record.note = PublishingNote(name: "file.bin", device: 1, inode: 99, byteCount: 5 << 20)
    record.whole = [0..<(2 << 20), (3 << 20)..<(4 << 20)]
    record.fragments = [
      BlockFragment(offset: 2 << 20, length: 1000, checksum: 1),
      BlockFragment(offset: 4 << 20 | 5, length: 77, checksum: .max),
    ]
    return record
  }()

  private func checksum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    SystemCrypto().checksum(of: bytes)
  }

  @Test func aRecordComesBackAsItWasWritten() {
    let payload = Self.record.encoded(limit: 60_000)
    #expect(JournalRecord(payload: payload[...]) == Self.record)
  }

  @Test func everyChangedByteOfASlotVoidsIt() {
    let slot = SlotCodec.encoded(Self.record, checksum)
    for index in slot.indices {
      for change: UInt8 in [1, 0x80, 0xFF] {
        var damaged = slot
        damaged[index] ^= change
        #expect(SlotCodec.decoded(damaged, checksum) == nil, "byte \(index) by \(change)")
      }
    }
    for count in 0..<slot.count {
      #expect(SlotCodec.decoded(Array(slot[..<count]), checksum) == nil)
    }
  }

  @Test func everyChangedByteOfAHeaderMakesItUnreadable() throws {
    let header = JournalHeader(
      sourceDigest: Array(repeating: 3, count: 32), redactedURL: "https://example.org/ä",
      requestedName: "ä.bin")
    let page = header.encoded(checksum)
    #expect(page.count == 4096)
    #expect(JournalHeader(page, checksum) == header)
    for index in page.indices {
      var damaged = page
      damaged[index] ^= 0x10
      #expect(JournalHeader(damaged, checksum) == nil, "byte \(index)")
    }
  }

  @Test func aPayloadWithAnyByteChangedNeverTraps() {
    // Behind a checksum that fits, as a forger would write it.
    let payload = Self.record.encoded(limit: 60_000)
    for index in payload.indices {
      for change in 1...255 as ClosedRange<UInt8> {
        var forged = payload
        forged[index] ^= change
        guard let record = JournalRecord(payload: forged[...]) else { continue }
        let claims = ClaimMap(
          whole: record.whole, fragments: record.fragments, byteCount: 5 << 20)
        let isWithin = claims.intervals.intervals.allSatisfy {
          $0.lowerBound >= 0 && $0.upperBound <= 5 << 20
        }
        #expect(isWithin, "byte \(index) by \(change)")
      }
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func randomBytesNeverTrap(seed: UInt64) {
    for round in 0..<100 as Range<UInt64> {
      let bytes = content(Int((seed * 100 + round) % 400), seed: seed &* 1000 &+ round)
      _ = JournalRecord(payload: bytes[...])
      _ = SlotCodec.decoded(bytes, checksum)
      _ = SlotCodec.decoded([0x53, 0x4C, 0x4F, 0x54] + bytes, checksum)
    }
  }

  @Test func claimsThatDoNotFitAreLeftOut() throws {
    var record = Self.record
    record.version.total = nil
    record.note = nil
    record.whole = (0..<3000).map { Int64($0 * 2) << 20..<Int64($0 * 2 + 1) << 20 }
    record.fragments = (0..<3000).map {
      BlockFragment(offset: Int64($0 * 2 + 1) << 20, length: 1, checksum: 0)
    }
    let slot = SlotCodec.encoded(record, checksum)
    #expect(slot.count <= JournalLayout.slotSize)
    let found = try #require(SlotCodec.decoded(slot, checksum))
    #expect(found.whole.count == 3000)
    #expect(found.fragments.count < 3000 && !found.fragments.isEmpty)
    #expect(record.fragments.starts(with: found.fragments))
  }

  @Test func aValidatorThatIsTooLongCountsAsNone() {
    var record = Self.record
    record.version.validator = .entityTag(String(repeating: "x", count: 2049))
    let payload = record.encoded(limit: 60_000)
    #expect(JournalRecord(payload: payload[...])?.version.validator == nil)
    #expect(JournalRecord(payload: payload[...])?.whole == record.whole)
  }

  @Test func aTornSlotLeavesTheOneBefore() throws {
    let disk = SimulatedDisk()
    let folder = try disk.openFolder("/d", create: true)
    let header = JournalHeader(
      sourceDigest: Array(repeating: 3, count: 32), redactedURL: "u", requestedName: "n")
    var journal = try Journal.create("j", in: folder, header: header, crypto: SystemCrypto())
    for total in 1...5 as ClosedRange<Int64> {
      try journal.write(JournalRecord(version: FileVersion(total: total)), entries: [:])
    }
    // The fifth record lies in the first slot.
    disk.damage("j", in: "/d", at: 4096 + 20)
    let opened = try #require(try Journal.open("j", in: folder, crypto: SystemCrypto()))
    #expect(opened.record.version.total == 4)
    var next = opened
    try next.write(JournalRecord(version: FileVersion(total: 6)), entries: [:])
    #expect(try Journal.open("j", in: folder, crypto: SystemCrypto())?.record.version.total == 6)
  }

  /// Every byte of a journal on disk is damaged in turn: what is claimed is still right.
  @Test func noDamageOfAJournalMakesItClaimAWrongByte() throws {
    let disk = SimulatedDisk()
    let bytes = content(1 << 20 | 3000)
    let bench = Bench(disk, folder: "/d")
    do {
      let part = try bench.make("file.bin", version(bytes.count))
      try part.write(bytes[...], at: 0, piece: 300_000)
      try part.checkpoint(version(bytes.count))
      part.close(.keep)
    }
    let size = try #require(disk.content("file.bin.haul-journal", in: "/d")).count
    let slots = 4096..<4096 + 300
    let interesting = Array(0..<200) + Array(slots) + Array(135_168..<size)
    for offset in interesting {
      disk.damage("file.bin.haul-journal", in: "/d", at: offset)
      if case .part(let part) = try bench.find() {
        _ = try part.verifyStored()
        for range in part.stored.intervals {
          let slice = bytes[Int(range.lowerBound)..<Int(range.upperBound)]
          let isRight = same(try part.read(range), slice)
          #expect(isRight, "byte \(offset) of the journal")
        }
        // Released without closing, which would remove what claims nothing.
      }
      disk.damage("file.bin.haul-journal", in: "/d", at: offset)
    }
    #expect(try bench.resume().stored == IntervalSet([0..<Int64(bytes.count)]))
  }

  /// On a full disk a journal got a name and no byte, and was left.
  @Test func oneThatCannotBeWrittenIsNotLeft() throws {
    let disk = SimulatedDisk()
    let full = HookedDisk(disk) { (call, name) throws(DiskError) in
      guard call == .write, name.hasSuffix(".haul-journal") else { return }
      throw DiskError(call: "pwrite", path: name, errno: ENOSPC)
    }
    let bench = Bench(full, folder: "/d")
    let part = try bench.make("a.bin", version(100))
    try part.write([UInt8](repeating: 1, count: 50)[...], at: 0)
    let failure = #expect(throws: FileFailure.self) { try part.checkpoint(version(100)) }
    #expect(failure?.code == .diskFull)
    part.close(.keep)
    #expect(try full.openFolder("/d", create: false).names() == [])
  }
}
