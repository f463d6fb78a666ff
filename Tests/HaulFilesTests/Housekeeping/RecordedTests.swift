import HaulHTTP
import HaulSystem
import HaulTestKit
import HaulTransfer
import Testing

@testable import HaulFiles

/// A file whose owner keeps a record of it can be found again until he has.
///
/// Once a list of downloads lost the end of one in a crash, fetched the file again, and had it twice.
@Suite struct RecordedTests {
  let folder = TemporaryFolder()
  let bytes = content(2 << 20 | 777)
  var path: String { folder.path + "/file.bin" }
  let journal = "file.bin.haul-journal"

  @Test(arguments: [true, false], [0, 1, 5000, 2 << 20 | 777])
  func theNoteStaysUntilItIsSettled(_ checkpoints: Bool, _ count: Int) throws {
    let bytes = content(count)
    for isDurable in [true, false] {
      let bench = Bench.recorded(folder: folder.path, isDurable: isDurable)
      #expect(try bench.publish(bytes, checkpoints: checkpoints) == path)
      #expect(folder.names == ["file.bin", journal])
      for _ in 0..<2 {
        guard case .published(let file) = try bench.find() else {
          throw TestFailure("it was not found")
        }
        #expect(file.path == path && file.byteCount == Int64(count))
        #expect(file.version == version(count) && file.wantedName == "file.bin")
      }
      #expect(folder.names == ["file.bin", journal])
      try bench.settle(path)
      #expect(folder.names == ["file.bin"])
      guard case .nothing = try bench.find() else { throw TestFailure("it was still found") }
      try bench.settle(path)
      #expect(folder.content("file.bin") == bytes)
      try bench.remove(path)
    }
  }

  @Test func withoutARecordNothingIsLeft() throws {
    try Bench(folder: folder.path).publish(bytes, checkpoints: true)
    #expect(folder.names == ["file.bin"])
  }

  /// Whoever keeps no record takes the answer and the note.
  @Test func anOwnerWithoutRecordsFindsItOnce() throws {
    try Bench.recorded(folder: folder.path).publish(bytes)
    let other = Bench(folder: folder.path)
    #expect(try other.foundPath() == path)
    #expect(folder.names == ["file.bin"])
    #expect(try other.foundPath() == nil)
  }

  @Test(arguments: ["changed", "shorter", "gone", "another"])
  func aFileThatIsNotWhatWasPublishedIsNotFound(_ fate: String) throws {
    let bench = Bench.recorded(folder: folder.path)
    try bench.publish(bytes)
    let disk = try PosixDisk().openFolder(folder.path, create: false)
    switch fate {
    case "changed":
      let byte = [bytes[1 << 20] ^ 1]
      try disk.open("file.bin", .update).write(byte, at: 1 << 20)
    case "shorter": try disk.open("file.bin", .update).truncate(to: 5)
    case "gone": try disk.remove("file.bin")
    default:
      // Made first, so that it cannot have the number of the old one.
      try folder.put("copy", bytes)
      try disk.rename("copy", to: "file.bin", replacing: true)
    }
    #expect(try bench.foundPath() == nil)
    #expect(!folder.names.contains(journal))
  }

  @Test func aNameThatWasTakenMeanwhileIsNumberedAndFound() throws {
    let bench = Bench.recorded(folder: folder.path)
    let part = try bench.make("file.bin", version(bytes.count))
    try part.write(bytes[...], at: 0)
    try folder.put("file.bin", [1])
    let file = try part.publish(byteCount: Int64(bytes.count), version: version(bytes.count))
    #expect(file.path == folder.path + "/file (1).bin" && file.wantedName == "file.bin")
    guard case .published(let found) = try bench.find() else { throw TestFailure("not found") }
    #expect(found.path == file.path && found.wantedName == "file.bin")
    try bench.settle(file.path)
    #expect(folder.names == ["file (1).bin", "file.bin"])
  }

  /// The digest that is asked for today is another one: the file is fetched again, and of two notes the
  /// old one would be found.
  @Test func aFileThatIsNoLongerWantedLeavesNoNote() throws {
    var bench = Bench.recorded(folder: folder.path)
    try bench.publish(bytes)
    bench.destination.digest = Digest(parsing: "md5=00112233445566778899aabbccddeeff")
    #expect(try bench.foundPath() == path)
    #expect(folder.names == ["file.bin"])
  }

  /// Another source looks at the name, makes a part, and dies before it takes it away again.
  @Test func anEmptyPartInItsPlaceHidesNothing() throws {
    let bench = Bench.recorded(folder: folder.path)
    try bench.publish(bytes)
    try folder.put("file.bin.haul-part", [])
    #expect(try bench.foundPath() == path)
    #expect(folder.names == ["file.bin", journal])
    try folder.put("file.bin.haul-part", [])
    try bench.settle(path)
    #expect(folder.names == ["file.bin", "file.bin.haul-part"])
  }

  /// One that replaces the file makes the note worthless, and does not stumble over it.
  @Test func anotherSourceMayReplaceTheFile() throws {
    let bench = Bench.recorded(folder: folder.path)
    try bench.publish(bytes)
    var other = Bench.recorded(folder: folder.path).of("https://other.example/x")
    other.destination.existing = .overwrite
    let new = content(70_000, seed: 9)
    #expect(try other.publish(new) == path)
    #expect(folder.content("file.bin") == new)
    #expect(try bench.foundPath() == nil)
    #expect(try other.foundPath() == path)
    try other.settle(path)
    #expect(folder.names == ["file.bin"])
  }

  @Test func anotherSourceOfTheSameNameIsNumbered() throws {
    let bench = Bench.recorded(folder: folder.path)
    try bench.publish(bytes)
    let other = bench.of("https://other.example/x")
    #expect(try other.foundPath() == nil)
    #expect(try other.publish(content(9000)) == folder.path + "/file (1).bin")
    #expect(try bench.foundPath() == path)
    #expect(try other.foundPath() == folder.path + "/file (1).bin")
  }

  @Test func smallFilesAreNotKeptInOneGo() async throws {
    let store = FileStore()
    let source = SourceIdentity(url: "https://e.example/f", redactedURL: "https://e.example/f")
    for isRecorded in [true, false] {
      var destination = Destination(folder: folder.path)
      destination.isRecorded = isRecorded
      let buffer = TransferBuffer()
      let kept = await withCheckedContinuation { done in
        store.keep(
          source, at: destination, suggestedName: "small", version: FileVersion(total: 0),
          content: buffer
        ) { done.resume(returning: $0) }
      }
      guard case .published = try kept.get() else {
        #expect(isRecorded)
        continue
      }
      #expect(!isRecorded)
    }
  }

  // MARK: - Settling

  @Test func onlyTheNoteOfThatFileAndSourceIsSettled() throws {
    let bench = Bench.recorded(folder: folder.path)
    try bench.publish(bytes)
    let all = folder.names
    try bench.of("https://other.example/x").settle(path)
    try bench.settle(folder.path + "/other.bin")
    try bench.settle(folder.path + "/missing/file.bin")
    #expect(folder.names == all)
  }

  @Test func aPartOnItsWayIsNotSettled() throws {
    let bench = Bench.recorded(folder: folder.path)
    try bench.leave(bytes)
    try bench.settle(path)
    #expect(folder.names == [journal, "file.bin.haul-part"])
    let part = try bench.resume()
    try bench.settle(path)
    #expect(part.stored.byteCount == Int64(bytes.count / 2))
    #expect(folder.names == [journal, "file.bin.haul-part"])
  }

  /// It has the note, and does not have its name yet.
  @Test func aPartThatIsAboutToBePublishedIsNotSettled() throws {
    let disk = HookedDisk(PosixDisk()) { call, _ throws(DiskError) in
      if call == .rename { throw DiskError(call: "rename", path: "", errno: 5) }
    }
    let bench = Bench.recorded(disk, folder: folder.path)
    #expect(throws: FileFailure.self) { try bench.publish(bytes) }
    #expect(folder.names == [journal, "file.bin.haul-part"])
    let next = Bench.recorded(folder: folder.path)
    try next.settle(path)
    #expect(folder.names == [journal, "file.bin.haul-part"])
    #expect(try next.foundPath() == path)
    #expect(folder.names == ["file.bin", journal])
  }
}
