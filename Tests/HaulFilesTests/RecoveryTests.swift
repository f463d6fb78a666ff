import Glibc
import HaulHTTP
import HaulSystem
import HaulTestKit
import HaulTransfer
import Synchronization
import Testing

@testable import HaulFiles

/// What a later run makes of what an earlier one left (CASES R16 to R23), on a simulated disk.
@Suite struct RecoveryTests {
  let disk = SimulatedDisk()
  let bytes = content(2 << 20 | 5000)
  var total: Int64 { Int64(bytes.count) }
  let part = "file.bin.haul-part"
  let journal = "file.bin.haul-journal"

  /// Leaves a part with everything written and claimed.
  private func leave(isDurable: Bool = true) throws -> Bench {
    let bench = Bench(disk, folder: "/d", isDurable: isDurable)
    let file = try bench.make("file.bin", version(bytes.count))
    try file.write(bytes[...], at: 0)
    try file.checkpoint(version(bytes.count))
    file.close(.keep)
    return bench
  }

  @Test func aDamagedBlockIsFoundAndForgotten() throws {
    let bench = try leave()
    disk.damage(part, in: "/d", at: 1 << 20 | 17)
    let file = try bench.resume()
    #expect(try file.verifyStored() == IntervalSet([1 << 20..<2 << 20]))
    #expect(file.stored == IntervalSet([0..<1 << 20, 2 << 20..<total]))
    // It is not complete, whatever the caller believes.
    #expect(throws: FileFailure.self) {
      try file.publish(byteCount: total, version: version(bytes.count))
    }
    try file.write(bytes[1 << 20..<2 << 20], at: 1 << 20)
    _ = try file.publish(byteCount: total, version: version(bytes.count))
    #expect(same(disk.content("file.bin", in: "/d"), bytes[...]))
  }

  @Test func nothingIsPublishedBeforeItWasVerified() throws {
    let bench = try leave()
    let file = try bench.resume()
    #expect(throws: FileFailure.self) {
      try file.publish(byteCount: total, version: version(bytes.count))
    }
    #expect(disk.content("file.bin", in: "/d") == nil)
  }

  @Test func aPartThatIsTooShortIsTrustedOnlyUpToItsEnd() throws {
    let bench = try leave()
    let short = Array(try #require(disk.content(part, in: "/d")).prefix(1 << 20 | 100))
    disk.put(short, as: part, in: "/d")
    let file = try bench.resume()
    #expect(file.stored == IntervalSet([0..<1 << 20]))
    #expect(try file.verifyStored().isEmpty)
  }

  @Test func aJournalWithoutItsPartIsRemoved() throws {
    let bench = try leave()
    try disk.openFolder("/d", create: false).remove(part)
    guard case .nothing = try bench.find() else { throw TestFailure("something was found") }
    #expect(disk.names(in: "/d") == [])
  }

  @Test(arguments: [0, 1, 4095, 4096, 5000, 70_000])
  func aJournalThatIsCutOffClaimsNothingWrong(count: Int) throws {
    let bench = try leave()
    let cut = Array(try #require(disk.content(journal, in: "/d")).prefix(count))
    disk.put(cut, as: journal, in: "/d")
    switch try bench.find() {
    case .part(let file):
      let differing = try file.verifyStored()
      // Without their checksums the whole blocks are fetched again.
      #expect(differing == IntervalSet(count > 4096 ? [0..<2 << 20] : []))
      #expect(file.stored == IntervalSet(count > 4096 ? [2 << 20..<total] : []))
    case .nothing:
      // The next part starts from zero under the same name.
      let file = try bench.make("file.bin", version(bytes.count))
      #expect(file.stem == "file.bin" && file.stored.isEmpty)
    case .published, .existing, .likely: throw TestFailure("nothing was published")
    }
  }

  @Test func aJournalOfZerosIsIgnored() throws {
    let bench = try leave()
    disk.put(Array(repeating: 0, count: 140_000), as: journal, in: "/d")
    guard case .nothing = try bench.find() else { throw TestFailure("something was found") }
    let file = try bench.make("file.bin", version(bytes.count))
    #expect(file.stem == "file.bin" && file.stored.isEmpty)
  }

  @Test func withoutSyncsAJournalIsBelievedOnlyInItsBoot() throws {
    let bench = try leave(isDurable: false)
    disk.kill()
    let again = Bench(disk, folder: "/d", isDurable: false)
    #expect(try again.resume().stored == IntervalSet([0..<total]))
    disk.crash(seed: 5)
    let rebooted = Bench(disk, folder: "/d", isDurable: false)
    if case .part(let file) = try rebooted.find() {
      #expect(file.stored.isEmpty && file.version == FileVersion())
    }
    _ = bench
  }

  @Test func withoutSyncsNothingIsSynced() throws {
    disk.fail(.sync, nth: 1, errno: EIO)
    disk.fail(.syncFolder, nth: 1, errno: EIO)
    let bench = try leave(isDurable: false)
    let file = try bench.resume()
    _ = try file.verifyStored()
    _ = try file.publish(byteCount: total, version: version(bytes.count))
    #expect(disk.names(in: "/d") == ["file.bin"])
  }

  @Test func aFailedSyncIsNotTriedAgain() throws {
    let bench = try leave()
    let file = try bench.resume()
    _ = try file.verifyStored()
    // The bytes change on disk, so that a checkpoint that claims them is found out.
    try file.write(content(1 << 20, seed: 9)[...], at: 0)
    disk.fail(.sync, nth: 1, errno: EIO)
    #expect(throws: FileFailure.self) { try file.checkpoint(version(bytes.count)) }
    // The disk would report success now, with the data lost.
    #expect(throws: FileFailure.self) { try file.checkpoint(version(bytes.count)) }
    #expect(throws: FileFailure.self) {
      try file.publish(byteCount: total, version: version(bytes.count))
    }
    file.close(.keep)
    disk.crash(seed: 1)
    let after = try Bench(disk, folder: "/d").resume()
    _ = try after.verifyStored()
    for range in after.stored.intervals {
      let slice = bytes[Int(range.lowerBound)..<Int(range.upperBound)]
      #expect(same(try after.read(range), slice))
    }
  }

  @Test func aFullDiskInTheMiddleKeepsWhatIsThere() throws {
    disk.capacity = 30 << 20
    let bench = Bench(disk, folder: "/d")
    let file = try bench.make("file.bin", FileVersion(validator: .entityTag("\"a\"")))
    try file.write(bytes[..<(1 << 20)], at: 0)
    try file.checkpoint(version(bytes.count))
    disk.capacity = 2 << 20
    let failure = #expect(throws: FileFailure.self) {
      try file.write(bytes[(1 << 20)...], at: 1 << 20)
    }
    #expect(failure?.code == .diskFull)
    disk.capacity = 30 << 20
    try file.write(bytes[(1 << 20)...], at: 1 << 20)
    try file.checkpoint(version(bytes.count))
    _ = try file.publish(byteCount: total, version: version(bytes.count))
    #expect(same(disk.content("file.bin", in: "/d"), bytes[...]))
  }

  @Test(arguments: [
    (0, "0 bytes"), (1023, "1023 bytes"), (1024, "1 KiB"), (1_970_176, "1.9 MiB"),
    (1_048_575, "1 MiB"), (1 << 30, "1 GiB"), (Int64.max, "8 EiB"),
  ])
  func sizesAreToldInUnits(_ bytes: Int64, _ text: String) {
    #expect(SizeText.of(bytes) == text)
  }

  @Test func spaceIsCheckedFirstBesideWhatOthersNeed() throws {
    disk.capacity = 30 << 20
    let bench = Bench(disk, folder: "/d")
    let failure = #expect(throws: FileFailure.self) {
      try bench.make("big.bin", version(23 << 20))
    }
    #expect(failure?.code == .diskFull)
    // It said “needs 24117248 more bytes, with a reserve”, and 31457280 were free.
    let says = "needs 23 MiB more, and 30 MiB are free, of which 8 MiB stay free"
    #expect(failure?.message.contains(says) == true, "\(failure?.message ?? "")")
    #expect(disk.names(in: "/d") == [])
    // A disk that cannot reserve: the promise alone keeps the second one out.
    disk.fail(.reserve, nth: 1, errno: EOPNOTSUPP)
    let ledger = SpaceLedger()
    #expect(ledger.admit(1, device: 1, byteCount: 10 << 20, free: 20 << 20))
    #expect(!ledger.admit(2, device: 1, byteCount: 10 << 20, free: 20 << 20))
    #expect(ledger.admit(2, device: 2, byteCount: 10 << 20, free: 20 << 20))
    ledger.update(1, remaining: 1 << 20)
    #expect(ledger.admit(3, device: 1, byteCount: 10 << 20, free: 20 << 20))
    #expect(!ledger.admit(4, device: 1, byteCount: .max, free: .max - 1))
    ledger.release(1)
  }

  @Test func aFinishedFileThatWasChangedIsNotTakenForOurs() throws {
    let bench = try leave()
    let file = try bench.resume()
    _ = try file.verifyStored()
    disk.fail(.remove, nth: 1, errno: EIO)
    _ = try file.publish(byteCount: total, version: version(bytes.count))
    #expect(disk.names(in: "/d") == ["file.bin", journal])
    disk.damage("file.bin", in: "/d", at: 77)
    guard case .nothing = try bench.find() else { throw TestFailure("it was taken for ours") }
    #expect(disk.names(in: "/d") == ["file.bin"])
  }

  @Test func aFinishedFileIsRecognised() throws {
    let bench = try leave()
    let file = try bench.resume()
    _ = try file.verifyStored()
    disk.fail(.remove, nth: 1, errno: EIO)
    _ = try file.publish(byteCount: total, version: version(bytes.count))
    guard case .published(let found) = try bench.find() else { throw TestFailure("unknown") }
    #expect(found.path == "/d/file.bin" && found.byteCount == total)
    #expect(found.version == version(bytes.count))
    #expect(disk.names(in: "/d") == ["file.bin"])
  }

  @Test func aFolderThatVanishedIsANamedFailure() throws {
    let bench = try leave()
    let file = try bench.resume()
    _ = try file.verifyStored()
    disk.removeFolder("/d")
    let failure = #expect(throws: FileFailure.self) {
      try file.publish(byteCount: total, version: version(bytes.count))
    }
    #expect(failure?.code == .folderMissing)
  }

  @Test func aPartWithNothingClaimedLeavesNothing() throws {
    let bench = Bench(disk, folder: "/d")
    let file = try bench.make("file.bin", version(bytes.count))
    try file.checkpoint(version(bytes.count))
    file.close(.keep)
    #expect(disk.names(in: "/d") == [])
  }

  @Test func aBadFileIsKeptOnlyWhenAsked() throws {
    var bench = try leave()
    try bench.resume().close(.bad)
    #expect(disk.names(in: "/d") == [])
    bench.destination.keepsBadFile = true
    let file = try bench.make("file.bin", version(bytes.count))
    try file.write(bytes[...], at: 0)
    try file.checkpoint(version(bytes.count))
    file.close(.bad)
    #expect(disk.names(in: "/d") == ["file.bin.haul-bad"])
  }

  @Test func blocksOfManyPiecesAreHashedAsAWhole() throws {
    let bench = Bench(disk, folder: "/d")
    let file = try bench.make("file.bin", version(bytes.count))
    // Backwards, so that no run follows another.
    for start in stride(from: 15, through: 0, by: -1) {
      let offset = start * 65_536
      try file.write(bytes[offset..<offset + 65_536], at: Int64(offset))
    }
    try file.checkpoint(version(bytes.count))
    file.close(.keep)
    let again = try bench.resume()
    #expect(again.stored == IntervalSet([0..<1 << 20]))
    #expect(again.state.withLock { $0.claims.fragments.isEmpty })
    #expect(try again.verifyStored().isEmpty)
  }

  @Test func bytesThatAreWrittenTwiceAreClaimedOnce() throws {
    let bench = Bench(disk, folder: "/d")
    let file = try bench.make("file.bin", version(bytes.count))
    try file.write(bytes[..<400_000], at: 0, piece: 100_000)
    try file.write(bytes[300_000..<600_000], at: 300_000, piece: 100_000)
    try file.checkpoint(version(bytes.count))
    file.close(.keep)
    let again = try bench.resume()
    #expect(try again.verifyStored().isEmpty)
    #expect(!again.stored.isEmpty)
  }
}
