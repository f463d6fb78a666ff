import Glibc
import HaulHTTP
import HaulSystem
import HaulTestKit
import HaulTransfer
import Testing

@testable import HaulFiles

/// Who gets which name (CASES N4, R20, R23, D2, D3), on a real disk.
@Suite struct NamingTests {
  let folder = TemporaryFolder()
  let bytes = content(100_000)
  let first: Bench
  let second: Bench

  init() {
    first = Bench(folder: folder.path)
    var other = Bench(folder: folder.path)
    other.source = SourceIdentity(url: "https://b.example/", redactedURL: "https://b.example/")
    second = other
  }

  private func finish(_ part: PartFile) throws -> String {
    try part.write(bytes[...], at: 0)
    let file = try part.publish(byteCount: Int64(bytes.count), version: version(bytes.count))
    return String(file.path.dropFirst(folder.path.count + 1))
  }

  private func pause(_ bench: Bench, _ name: String, _ tag: String = "\"a\"") throws {
    let part = try bench.make(name, version(bytes.count, tag: tag))
    try part.write(bytes[..<50_000], at: 0)
    try part.checkpoint(version(bytes.count, tag: tag))
    part.close(.keep)
  }

  private func with(_ policy: ExistingFilePolicy, name: String? = nil) -> Bench {
    var bench = first
    bench.destination.existing = policy
    bench.destination.name = name
    return bench
  }

  @Test func aTakenNameGetsANumber() throws {
    try folder.put("a.tar.gz", [1])
    #expect(try finish(first.make("a.tar.gz")) == "a (1).tar.gz")
    #expect(try finish(first.make("a.tar.gz")) == "a (2).tar.gz")
    // Also one that a folder has, or a link that leads nowhere.
    _ = try PosixDisk().openFolder(folder.path + "/sub", create: true)
    #expect(unsafe symlink("/nowhere", folder.path + "/link") == 0)
    #expect(try finish(first.make("sub")) == "sub (1)")
    #expect(try finish(first.make("link")) == "link (1)")
  }

  @Test func aNameThatDiffersByCaseOrUnicodeFormIsTaken() throws {
    try folder.put("Re\u{301}sume\u{301}.TXT", [1])
    #expect(try finish(first.make("r\u{E9}sum\u{E9}.txt")) == "r\u{E9}sum\u{E9} (1).txt")
  }

  @Test func aNameThatAppearsMeanwhileIsNotReplaced() throws {
    let part = try first.make("a.bin")
    try folder.put("a.bin", [9])
    #expect(try finish(part) == "a (1).bin")
    #expect(folder.content("a.bin") == [9])
    let failing = try with(.fail, name: "c.bin").make("c.bin")
    try folder.put("c.bin", [8])
    let failure = #expect(throws: FileFailure.self) { try finish(failing) }
    #expect(failure?.code == .exists && folder.content("c.bin") == [8])
  }

  @Test func overwritingReplacesOnlyAtTheEndAndNeverFollowsALink() throws {
    try folder.put("a.bin", [1])
    try folder.put("victim", [2])
    let part = try with(.overwrite, name: "a.bin").make()
    #expect(folder.content("a.bin") == [1])
    #expect(try finish(part) == "a.bin")
    #expect(folder.content("a.bin") == bytes)
    #expect(unsafe symlink("victim", folder.path + "/b.bin") == 0)
    #expect(try finish(try with(.overwrite, name: "b.bin").make()) == "b.bin")
    #expect(folder.content("b.bin") == bytes && folder.content("victim") == [2])
    _ = try PosixDisk().openFolder(folder.path + "/sub", create: true)
    #expect(throws: FileFailure.self) { try with(.overwrite, name: "sub").make() }
  }

  @Test func skippingComparesSizeAndTime() throws {
    #expect(try finish(first.make("a.bin")) == "a.bin")
    let bench = with(.skip, name: "a.bin")
    guard
      case .skipped(let path, by: .sizeAndTime) = try bench.create("a.bin", version(bytes.count))
    else {
      throw TestFailure("it was fetched again")
    }
    #expect(path == folder.path + "/a.bin")
    // Another file is never replaced.
    #expect(try finish(bench.make("a.bin", version(bytes.count + 1))) == "a (1).bin")
    #expect(folder.content("a.bin") == bytes)
  }

  /// A file of the right size and time but with other bytes passed for the one with the digest.
  @Test func skippingGoesByTheDigestWhereThereIsOne() throws {
    #expect(try finish(first.make("a.bin")) == "a.bin")
    var bench = with(.skip, name: "a.bin")
    bench.destination.digest = OriginContent(bytes).digest()
    var other = version(bytes.count)
    other.lastModified = 1
    guard case .skipped = try bench.create("a.bin", other) else {
      throw TestFailure("it was fetched again")
    }
    bench.destination.digest = OriginContent(bytes.reversed()).digest()
    #expect(try finish(bench.make("a.bin", version(bytes.count))) == "a (1).bin")
  }

  @Test func failingFailsAtOnce() throws {
    try folder.put("a.bin", [1])
    let failure = #expect(throws: FileFailure.self) { try with(.fail, name: "a.bin").make() }
    #expect(failure?.code == .exists)
    #expect(folder.names == ["a.bin"])
  }

  @Test func theSameSourceIsRefusedAndAnotherGetsItsOwnName() throws {
    let part = try first.make("a.bin", version(bytes.count))
    let failure = #expect(throws: FileFailure.self) { try first.make("a.bin") }
    #expect(failure?.code == .inUse)
    let other = try second.make("a.bin")
    #expect(other.stem == "a (1).bin")
    try part.write(bytes[..<10], at: 0)
    try part.checkpoint(version(bytes.count))
    let found = #expect(throws: FileFailure.self) { try first.find() }
    #expect(found?.code == .inUse)
  }

  @Test func aPausedPartOfAnotherSourceIsLeftAlone() throws {
    try pause(first, "a.bin")
    let part = try second.make("a.bin")
    #expect(part.stem == "a (1).bin" && part.stored.isEmpty)
    #expect(try first.resume().stored == IntervalSet([0..<50_000]))
  }

  /// Two files of one size had the same tag, which nginx makes of time and size. The second was
  /// fetched to the name of the first, took its bytes over, and came out as a mixture of both.
  @Test func aPausedPartIsAdoptedUnderADigestOnly() throws {
    try pause(first, "a.bin")
    var owner = second
    owner.destination.name = "a.bin"
    #expect(try owner.make("x", version(bytes.count)).stem == "a (1).bin")
    #expect(try owner.make("x", version(bytes.count + 1), mayAdopt: true).stem == "a (1).bin")
    do {
      let part = try owner.make("x", version(bytes.count), mayAdopt: true)
      #expect(part.stem == "a.bin" && part.stored == IntervalSet([0..<50_000]))
      part.close(.keep)
    }
    // It is the other's now.
    guard case .nothing = try first.find() else { throw TestFailure("still the former's") }
    #expect(try owner.resume().stored == IntervalSet([0..<50_000]))
  }

  @Test func aPartThatNobodyKnowsIsUsedAgain() throws {
    try folder.put("a.bin.haul-part", [1, 2, 3])
    let part = try first.make("a.bin")
    #expect(part.stem == "a.bin")
    #expect(folder.content("a.bin.haul-part") == [])
    #expect(try finish(part) == "a.bin")
  }

  @Test func linksUnderOurNamesAreNotFollowed() throws {
    try folder.put("victim", [1, 2, 3])
    #expect(unsafe symlink("victim", folder.path + "/a.bin.haul-part") == 0)
    #expect(unsafe symlink("victim", folder.path + "/b.bin.haul-journal") == 0)
    #expect(unsafe mkfifo(folder.path + "/c.bin.haul-part", 0o600) == 0)
    #expect(unsafe mkfifo(folder.path + "/d.bin.haul-journal", 0o600) == 0)
    guard case .nothing = try first.find() else { throw TestFailure("something was found") }
    #expect(try finish(first.make("a.bin")) == "a (1).bin")
    #expect(try finish(first.make("b.bin")) == "b (1).bin")
    #expect(try finish(first.make("c.bin")) == "c (1).bin")
    #expect(try finish(first.make("d.bin")) == "d (1).bin")
    #expect(folder.content("victim") == [1, 2, 3])
  }

  @Test(arguments: ["../x", "a/b", "..", ".", "", "x.haul-journal", "X.HAUL-PART", "a\0b"])
  func namesThatLeaveTheFolderAreRefused(name: String) {
    let failure = #expect(throws: FileFailure.self) { try with(.rename, name: name).make() }
    #expect(failure?.code == .unsafeTarget)
  }

  @Test func namesFitWithTheirSuffix() throws {
    let long = String(repeating: "\u{E4}", count: 121)
    #expect(try finish(with(.rename, name: long).make()) == long)
    let numbered = try with(.rename, name: long).make()
    #expect(numbered.stem.utf8.count <= 242 && numbered.stem.hasSuffix(" (1)"))
    let failure = #expect(throws: FileFailure.self) { try with(.rename, name: long + "x").make() }
    #expect(failure?.code == .nameTooLong)
    // A suggested name is shortened instead.
    #expect(try first.make(long + "x.txt").stem.utf8.count <= 242)
  }

  @Test func foldersAreMadeAndOtherThingsInTheirPlaceAreNamed() throws {
    var bench = first
    bench.destination.folder = folder.path + "/x/y/z"
    #expect(try bench.make("a.bin").path(of: "a.bin") == folder.path + "/x/y/z/a.bin")
    try folder.put("file", [])
    bench.destination.folder = folder.path + "/file/y"
    let failure = #expect(throws: FileFailure.self) { try bench.make("a.bin") }
    #expect(failure?.code == .notAFolder)
    let finding = #expect(throws: FileFailure.self) { try bench.find() }
    #expect(finding?.code == .notAFolder)
  }

  @Test func anOwnersNameFindsOnlyItsOwnPart() throws {
    try pause(with(.rename, name: "a.bin"), "a.bin")
    guard case .nothing = try with(.rename, name: "b.bin").find() else {
      throw TestFailure("another name was found")
    }
    #expect(try with(.rename, name: "a.bin").resume().stem == "a.bin")
    #expect(try first.resume().stem == "a.bin")
  }

  @Test func permissionsAreAsTheyShouldBe() throws {
    try pause(first, "a.bin")
    var raw = stat()
    #expect(unsafe stat(folder.path + "/a.bin.haul-journal", &raw) == 0)
    #expect(raw.st_mode & 0o777 == 0o600)
    let mask = umask(0o022)
    umask(mask)
    #expect(unsafe stat(folder.path + "/a.bin.haul-part", &raw) == 0)
    #expect(raw.st_mode & 0o777 == 0o666 & ~mask)
    let journal = try #require(folder.content("a.bin.haul-journal"))
    #expect(!String(decoding: journal, as: UTF8.self).contains("secret"))
  }

  /// Somebody removed a part, and its journal kept the name for ever.
  @Test func aJournalWithoutItsPartTakesNoName() throws {
    try pause(first, "a.bin")
    try PosixDisk().openFolder(folder.path, create: false).remove("a.bin.haul-part")
    let part = try second.make("a.bin")
    #expect(part.stem == "a.bin")
    #expect(try finish(part) == "a.bin")
    #expect(folder.names == ["a.bin"])
  }

  /// A mirror, or a link that was signed anew, began from zero beside the part of the same file.
  @Test func aPartIsAdoptedUnderAServersNameWithTheSameValidator() throws {
    try pause(first, "a.bin")
    #expect(try second.make("a.bin", version(bytes.count)).stem == "a (1).bin")
    let other = version(bytes.count, tag: "\"b\"")
    #expect(try second.make("a.bin", other, mayAdopt: true).stem == "a (1).bin")
    var weak = version(bytes.count)
    weak.validator = nil
    #expect(try second.make("a.bin", weak, mayAdopt: true).stem == "a (1).bin")
    let part = try second.make("a.bin", version(bytes.count), mayAdopt: true)
    #expect(part.stem == "a.bin" && part.stored == IntervalSet([0..<50_000]))
  }
}
