import HaulHTTP
import HaulSystem
import HaulTestKit
import HaulTransfer
import Testing

@testable import HaulFiles

/// Why the bytes of an earlier run are of no use. They used to be fetched again without a word.
@Suite struct LossTests {
  private let disk = SimulatedDisk()
  private let bytes = content(2 << 20 | 5000)
  private let part = "file.bin.haul-part"
  private let journal = "file.bin.haul-journal"

  private func leave(isDurable: Bool = true) throws -> Bench {
    let bench = Bench(disk, folder: "/d", isDurable: isDurable)
    let file = try bench.make("file.bin", version(bytes.count))
    try file.write(bytes[...], at: 0)
    try file.checkpoint(version(bytes.count))
    file.close(.keep)
    return bench
  }

  /// Why nothing is gone on from, wherever that turns out; and the part, which is empty.
  private func loss(_ bench: Bench) throws -> RestartReason? {
    let file: PartFile
    if case .part(let found) = try bench.find() {
      file = found
    } else {
      file = try bench.make("file.bin", version(bytes.count))
    }
    #expect(file.stem == "file.bin")
    defer { file.close(.discard) }
    return file.stored.isEmpty ? file.lossReason : nil
  }

  private func rewriteJournal(_ change: (inout [UInt8]) -> Void) throws {
    var bytes = try #require(disk.content(journal, in: "/d"))
    change(&bytes)
    disk.put(bytes, as: journal, in: "/d")
  }

  @Test func nothingIsLostOfWhatCanBeGoneOnFrom() throws {
    #expect(try loss(leave()) == nil)
  }

  @Test func nothingIsLostWhereNothingWas() throws {
    #expect(try loss(Bench(disk, folder: "/d")) == nil)
    disk.put([], as: part, in: "/d")
    #expect(try loss(Bench(disk, folder: "/d")) == nil)
  }

  @Test func aJournalIsMissing() throws {
    let bench = try leave()
    try disk.openFolder("/d", create: false).remove(journal)
    #expect(try loss(bench) == .journalMissing)
  }

  @Test(arguments: [0, 8, 40, 4095]) func theHeaderIsDamaged(_ index: Int) throws {
    let bench = try leave()
    try rewriteJournal { $0[index] ^= 0x10 }
    #expect(try loss(bench) == .journalDamaged)
  }

  @Test func allRecordsAreDamaged() throws {
    let bench = try leave()
    try rewriteJournal { journal in
      for index in 4096..<135_168 where journal[index] != 0 { journal[index] ^= 0xFF }
    }
    #expect(try loss(bench) == .journalDamaged)
  }

  /// What was torn is the record under way, and the one before it counts.
  @Test func oneRecordIsTorn() throws {
    let bench = try leave()
    let file = try bench.resume()
    try file.write(bytes[..<100], at: 0)
    try file.checkpoint(version(bytes.count))
    file.close(.keep)
    try rewriteJournal { $0[4096 + 20] ^= 0xFF }
    #expect(try loss(bench) == nil)
  }

  /// A journal that was voided for a restart claims nothing, and nothing of it is damaged.
  @Test func aRestartWasUnderWay() throws {
    let bench = try leave()
    try rewriteJournal { journal in
      for index in 4096..<4112 { journal[index] = 0 }
    }
    #expect(try loss(bench) == nil)
  }

  @Test func theJournalIsOfALaterVersion() throws {
    let bench = try leave()
    try rewriteJournal { journal in
      journal[8] = 2
      var writer = ByteWriter()
      writer.append(SystemCrypto().checksum(of: journal[..<4088]))
      journal.replaceSubrange(4088..<4096, with: writer.bytes)
    }
    #expect(try loss(bench) == .journalNewer)
  }

  @Test func theMachineWasStartedSince() throws {
    let bench = try leave(isDurable: false)
    let journalBefore = try #require(disk.content(journal, in: "/d"))
    let partBefore = try #require(disk.content(part, in: "/d"))
    disk.crash(seed: 5)
    disk.put(journalBefore, as: journal, in: "/d")
    disk.put(partBefore, as: part, in: "/d")
    #expect(try loss(Bench(disk, folder: "/d", isDurable: false)) == .notDurable)
    _ = bench
  }
}
