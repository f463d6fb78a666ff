import Glibc
import HaulHTTP
import HaulSystem
import HaulTestKit
import HaulTransfer
import Testing

@testable import HaulFiles

/// What lies in a folder is listed, whosever it is, and can be taken away.
@Suite struct LeftoverTests {
  let folder = TemporaryFolder()
  let bytes = content(1 << 20 | 300_000)
  private var bench: Bench { Bench(folder: folder.path) }

  private func place(_ name: String) -> String { folder.path + "/" + name }

  @Test func aMissingFolderHasNoneAndOneOfOthersNeither() throws {
    #expect(try Bench(folder: folder.path + "/missing").leftovers() == [])
    try folder.put("a", [1])
    try folder.put(".haul-part", [1])
    try folder.put("b.haul-bad", [1])
    unsafe _ = mkdir(place("c.haul-part"), 0o700)
    unsafe _ = symlink("/etc/passwd", place("d.haul-journal"))
    #expect(try bench.leftovers() == [])
    #expect(failure { _ = try Bench(folder: place("a")).leftovers() } == .notAFolder)
  }

  @Test func aPartIsDescribedByItsJournal() throws {
    let bench = bench.of("https://example.org/dir/file.bin?a=b")
    try bench.leave(bytes)
    let leftover = try #require(try bench.leftovers().first)
    #expect(leftover.partPath == place("file.bin.haul-part"))
    #expect(leftover.journalPath == place("file.bin.haul-journal"))
    #expect(leftover.url == "https://example.org/dir/file.bin?a=b" && leftover.isWholeURL)
    #expect(leftover.sourceDigest?.bytes == SourceKey(bench.source, crypto: SystemCrypto()).digest)
    #expect(leftover.requestedName == "file.bin")
    #expect(leftover.received == Int64(bytes.count / 2))
    #expect(leftover.total == Int64(bytes.count))
    #expect(leftover.publishedPath == nil && !leftover.isInUse)
  }

  /// The journal holds none of its secrets, so that it cannot be asked for again.
  @Test(arguments: [
    "https://me:pass@example.org/f", "https://example.org/f?token=abcdefghijklmnopqrst",
    "https://example.org/" + String(repeating: "f", count: 5000),
  ])
  func anAddressWithSomethingLeftOutIsNotWhole(_ url: String) throws {
    let bench = bench.of(url)
    try bench.leave(bytes)
    let leftover = try #require(try bench.leftovers().first)
    #expect(!leftover.isWholeURL && leftover.sourceDigest != nil)
    let shown = try #require(leftover.url)
    #expect(!shown.contains("pass") && !shown.contains("abcdefgh") && shown.utf8.count < 4096)
  }

  @Test func whatIsDamagedOrAloneIsListedToo() throws {
    try folder.put("a.haul-part", bytes)
    try folder.put("b.haul-part", bytes)
    try folder.put("b.haul-journal", [UInt8](repeating: 7, count: 140_000))
    try folder.put("c.haul-journal", [])
    let list = try bench.leftovers()
    #expect(
      list.map(\.partPath) == [place("a.haul-part"), place("b.haul-part"), nil])
    #expect(
      list.map(\.journalPath) == [nil, place("b.haul-journal"), place("c.haul-journal")])
    #expect(list.allSatisfy { $0.url == nil && $0.sourceDigest == nil && !$0.isWholeURL })
    #expect(list.allSatisfy { $0.received == 0 && $0.total == nil })
    for leftover in list { try bench.discard(leftover) }
    #expect(folder.names == [])
  }

  @Test func aPartThatIsShorterThanItsJournalCountsWhatIsThere() throws {
    try bench.leave(bytes)
    try PosixDisk().openFolder(folder.path, create: false).open("file.bin.haul-part", .update)
      .truncate(to: 1000)
    #expect(try bench.leftovers().map(\.received) == [0])
  }

  @Test func aPublishedFileIsNamedAsLongAsItIsThatFile() throws {
    let bench = Bench.recorded(folder: folder.path).of("https://example.org/f")
    let path = try bench.publish(bytes)
    var leftover = try #require(try bench.leftovers().first)
    #expect(leftover.publishedPath == path && leftover.partPath == nil)
    #expect(leftover.received == Int64(bytes.count) && leftover.total == Int64(bytes.count))
    #expect(leftover.isWholeURL && !leftover.isInUse)
    try folder.put("copy", bytes)
    let disk = try PosixDisk().openFolder(folder.path, create: false)
    try disk.rename("copy", to: "file.bin", replacing: true)
    leftover = try #require(try bench.leftovers().first)
    #expect(leftover.publishedPath == nil && leftover.received == 0)
    try bench.discard(leftover)
    #expect(folder.names == ["file.bin"])
  }

  @Test(arguments: [true, false])
  func oneThatIsFetchedIsInUseAndIsNotTaken(_ hasJournal: Bool) throws {
    let part = try bench.make("file.bin", version(bytes.count))
    try part.write(bytes[...], at: 0)
    if hasJournal { try part.checkpoint(version(bytes.count)) }
    let names = folder.names
    let leftover = try #require(try bench.leftovers().first)
    #expect(leftover.isInUse)
    #expect(failure { try bench.discard(leftover) } == .inUse)
    #expect(folder.names == names)
    // Listing was in nobody's way.
    _ = try part.publish(byteCount: Int64(bytes.count), version: version(bytes.count))
    #expect(folder.content("file.bin") == bytes)
    try bench.discard(leftover)
    #expect(folder.names == ["file.bin"])
  }

  @Test(arguments: ["part grew", "another part", "journal changed", "part came", "journal came"])
  func whatChangedSinceItWasListedStays(_ change: String) throws {
    let bench = bench
    let disk = try PosixDisk().openFolder(folder.path, create: false)
    switch change {
    case "part came": try folder.put("file.bin.haul-journal", [1])
    case "journal came": try folder.put("file.bin.haul-part", [1])
    default: try bench.leave(bytes)
    }
    let leftover = try #require(try bench.leftovers().first)
    switch change {
    case "part grew":
      try disk.open("file.bin.haul-part", .update).write([1], at: Int64(bytes.count))
    case "another part", "part came":
      try folder.put("other", bytes)
      try disk.rename("other", to: "file.bin.haul-part", replacing: true)
    case "journal changed":
      try disk.open("file.bin.haul-journal", .update).truncate(to: 5)
    default: try folder.put("file.bin.haul-journal", [1])
    }
    let names = folder.names
    #expect(failure { try bench.discard(leftover) } == .inUse)
    #expect(folder.names == names)
    // Listed anew it goes.
    try bench.discard(try #require(try bench.leftovers().first))
    #expect(folder.names == [])
  }

  @Test func whatIsGoneIsNoError() throws {
    try bench.leave(bytes)
    let leftover = try #require(try bench.leftovers().first)
    try bench.discard()
    try bench.discard(leftover)
    try bench.discard(Leftover(partPath: "/nowhere/a.haul-part"))
  }

  /// A description that an app made is no reason to remove what is no part.
  @Test(
    arguments: [
      ("mine.txt", nil), (nil, "mine.txt"), ("mine.txt.haul-part", "mine.txt"),
      ("mine.txt.haul-part", "other.haul-journal"),
    ] as [(String?, String?)])
  func onlyPartsAndJournalsAreRemoved(_ part: String?, _ journal: String?) throws {
    for name in ["mine.txt", "mine.txt.haul-part", "other.haul-journal"] {
      try folder.put(name, [1])
    }
    let names = folder.names
    let leftover = Leftover(partPath: part.map(place), journalPath: journal.map(place))
    #expect(failure { try bench.discard(leftover) } == .inUse)
    #expect(folder.names == names)
  }

  @Test func manyAreListed() throws {
    for number in 0..<2000 {
      let name = "f\(10_000 + number)" + (number % 2 == 0 ? ".haul-part" : ".haul-journal")
      try folder.put(name, [])
    }
    let list = try bench.leftovers()
    #expect(list.count == 2000)
    let names = list.compactMap { $0.partPath ?? $0.journalPath }
    #expect(names == names.sorted())
  }

  // MARK: - Room

  @Test func roomIsToldOfTheNearestFolder() async throws {
    let store = FileStore()
    func free(_ path: String) async throws -> Int64 {
      try await withCheckedContinuation { done in
        store.freeBytes(inFolder: path) { done.resume(returning: $0) }
      }.get()
    }
    #expect(try await free(folder.path) > 0)
    #expect(try await free(folder.path + "/a/b//c/") > 0)
    #expect(try await free("no-such-folder/b") > 0)
    #expect(try await free("") > 0)
    #expect(try await free("/proc/no-such-folder") >= 0)
    try folder.put("file", [1])
    let failure = await #expect(throws: FileFailure.self) { try await free(place("file/below")) }
    #expect(failure?.code == .notAFolder)
  }
}
