import HaulHTTP
import HaulSystem
import HaulTestKit
import HaulTransfer
import Testing

@testable import HaulFiles

/// What is there of a download goes with it, and nothing else does.
@Suite struct DiscardingTests {
  let folder = TemporaryFolder()
  let bytes = content(300_000)

  @Test func partAndJournalGo() throws {
    let bench = Bench(folder: folder.path)
    try bench.leave(bytes)
    let other = bench.of("https://other.example/x")
    try other.leave(bytes)
    try folder.put("mine.txt", [1])
    try bench.discard()
    #expect(
      folder.names
        == ["file (1).bin.haul-journal", "file (1).bin.haul-part", "mine.txt"])
    try bench.discard()
    _ = try other.resume()
  }

  @Test func nothingIsNoError() throws {
    try Bench(folder: folder.path).discard()
    try Bench(folder: folder.path + "/missing").discard()
    #expect(folder.names == [])
  }

  @Test func thePublishedFileStaysAndItsNoteGoes() throws {
    let bench = Bench.recorded(folder: folder.path)
    try bench.publish(bytes)
    try bench.discard()
    #expect(folder.names == ["file.bin"])
    #expect(folder.content("file.bin") == bytes)
  }

  @Test(arguments: [true, false])
  func oneThatIsFetchedIsLeft(_ hasJournal: Bool) throws {
    let bench = Bench(folder: folder.path).of("https://example.org/a", name: "a.bin")
    let part = try bench.make("a.bin", version(bytes.count))
    try part.write(bytes[...], at: 0)
    if hasJournal { try part.checkpoint(version(bytes.count)) }
    let names = folder.names
    #expect(failure { try bench.discard() } == .inUse)
    #expect(folder.names == names)
    _ = try part.publish(byteCount: Int64(bytes.count), version: version(bytes.count))
    #expect(folder.content("a.bin") == bytes)
  }

  /// Killed before its first checkpoint: only the owner's name says that it is his.
  @Test func aPartWithoutAJournalGoesWhenTheOwnerNamesIt() throws {
    try folder.put("a.bin.haul-part", bytes)
    try Bench(folder: folder.path).discard()
    #expect(folder.names == ["a.bin.haul-part"])
    try Bench(folder: folder.path).of("https://example.org/a", name: "a.bin").discard()
    #expect(folder.names == [])
  }

  /// The journal tells that the part is another's, or cannot tell.
  @Test func aPartOfAnotherSourceOfThatNameStays() throws {
    let bench = Bench(folder: folder.path).of("https://example.org/a", name: "a.bin")
    let other = Bench(folder: folder.path).of("https://example.org/b", name: "a.bin")
    try other.leave(bytes)
    let names = folder.names
    try bench.discard()
    #expect(folder.names == names)
    try folder.put("a.bin.haul-journal", [1, 2, 3])
    try bench.discard()
    #expect(folder.names == names)
    // Nor one that another source is fetching, which has no journal yet.
    try PosixDisk().openFolder(folder.path, create: false).remove("a.bin.haul-journal")
    let part = try other.make("a.bin", version(bytes.count))
    try bench.discard()
    #expect(folder.names == ["a.bin.haul-part"])
    part.close(.discard)
  }

  @Test func whatCannotBeRemovedIsTold() throws {
    let disk = HookedDisk(PosixDisk()) { call, _ throws(DiskError) in
      if call == .remove { throw DiskError(call: "unlink", path: "x", errno: 1) }
    }
    try Bench(folder: folder.path).leave(bytes)
    #expect(failure { try Bench(disk, folder: folder.path).discard() } == .notPermitted)
    _ = try Bench(folder: folder.path).resume()
  }

  /// The power fails in the middle: never a part without the journal that may vouch for it, nor a wrong one.
  @Test func aCrashInBetweenLeavesNothingWrong() throws {
    let bytes = content(20_000)
    for operation in 1...30 {
      for seed in 0..<4 as Range<UInt64> {
        let disk = SimulatedDisk()
        let bench = Bench(disk, folder: "/d")
        try bench.leave(bytes)
        disk.cutPower(atOperation: disk.operations + operation)
        try? bench.discard()
        disk.crash(seed: seed &* 31 &+ UInt64(operation))
        let next = Bench(disk, folder: "/d")
        if case .part(let part) = try next.find() {
          #expect(try part.verifyStored().isEmpty)
          part.close(.keep)
        }
        try next.discard()
        try next.publish(bytes)
        #expect(disk.names(in: "/d") == ["file.bin"])
        #expect(same(disk.content("file.bin", in: "/d"), bytes[...]))
      }
    }
  }

  // MARK: - Finished files

  @Test func aFinishedFileGoesDurably() throws {
    let disk = SimulatedDisk()
    let bench = Bench(disk, folder: "/d")
    try bench.publish(bytes)
    try bench.remove("/d/file.bin")
    for seed in 0..<8 as Range<UInt64> {
      disk.crash(seed: seed)
      #expect(disk.names(in: "/d") == [])
    }
    let next = Bench(disk, folder: "/d")
    try next.remove("/d/file.bin")
    try next.remove("/missing/file.bin")
  }

  @Test(arguments: Obstacle.allCases)
  func onlyAPlainFileIsRemoved(_ obstacle: Obstacle) throws {
    let name = obstacle.name(for: "a.bin")
    obstacle.put(at: folder.path + "/" + name)
    let code = failure { try Bench(folder: folder.path).remove(folder.path + "/" + name) }
    #expect(code == (obstacle == .file ? nil : .unsafeTarget))
    #expect(folder.names == (obstacle == .file ? [] : [name]))
  }

  @Test(arguments: ["", "/", ".", "..", "./..", "a\0b"])
  func whatIsNoFileOfAFolderIsRefused(_ path: String) {
    #expect(failure { try Bench(folder: folder.path).remove(path) } != nil)
  }
}
