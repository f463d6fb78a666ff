import Glibc
import HaulHTTP
import HaulSystem
import HaulTestKit
import HaulTransfer
import Synchronization
import Testing

@testable import HaulFiles

/// A dry run decides as a real run, on a disk on which nothing changes.
@Suite struct DryRunTests {
  let folder = TemporaryFolder()
  let bytes = content(100_000)
  let real: Bench
  let store = DryRunStore(disk: PosixDisk(), crypto: SystemCrypto())

  init() {
    real = Bench(folder: folder.path)
  }

  /// What lies in the folder: names, contents and times.
  private func snapshot() throws -> [String] {
    let place = try PosixDisk().openFolder(folder.path, create: false)
    return try folder.names.map { name in
      let status = try #require(try place.status(name))
      let content = folder.content(name)?.hashValue ?? 0
      return "\(name) \(status.inode) \(status.byteCount) \(status.modified) \(content)"
    }
  }

  private func waiting<Value: Sendable>(
    _ start: (@escaping @Sendable (FileOutcome<Value>) -> Void) -> Void
  ) async -> FileOutcome<Value> {
    await withCheckedContinuation { continuation in start { continuation.resume(returning: $0) } }
  }

  private func source(_ url: String) -> SourceIdentity {
    SourceIdentity(url: url, redactedURL: url)
  }

  private func create(
    _ name: String, _ url: String = "https://b.example/", _ version: FileVersion = FileVersion(),
    _ change: (inout Destination) -> Void = { _ in }
  ) async throws -> CreatedPartial {
    var destination = Destination(folder: folder.path)
    change(&destination)
    return try await waiting {
      store.create(
        source(url), at: destination, suggestedName: name, version: version, mayAdopt: true,
        completion: $0)
    }.get()
  }

  /// The name that a file would have; the part is given up, as at the end of a dry run.
  private func name(_ created: CreatedPartial) async throws -> String {
    guard case .part(let part) = created else { throw TestFailure("\(created)") }
    await withCheckedContinuation { done in part.close(.keep) { done.resume() } }
    return String(part.plannedPath.dropFirst(folder.path.count + 1))
  }

  @Test func namesAreChosenAsInARealRunAndNothingIsMade() async throws {
    try folder.put("a.tar.gz", [1])
    try folder.put("stale.bin.haul-part", [1, 2, 3])
    let before = try snapshot()
    #expect(try await name(create("a.tar.gz")) == "a (1).tar.gz")
    // What would be there by now is taken.
    #expect(try await name(create("a.tar.gz")) == "a (2).tar.gz")
    #expect(try await name(create("A.TAR.GZ", "https://c.example/")) == "A (3).TAR.GZ")
    #expect(try await name(create("new", "x", version(7))) == "new")
    #expect(try await name(create("stale.bin")) == "stale.bin")
    #expect(try await name(create("a.tar.gz") { $0.existing = .overwrite }) == "a.tar.gz")
    let failure = await #expect(throws: FileFailure.self) {
      try await create("new") { $0.existing = .fail }
    }
    #expect(failure?.code == .exists)
    #expect(try snapshot() == before)
  }

  @Test func whatWouldHaveBeenFetchedIsSkippedLater() async throws {
    _ = try await name(create("a", "https://a.example/", version(7)))
    guard
      case .skipped = try await create(
        "a", "https://a.example/", version(7), { $0.existing = .skip })
    else { throw TestFailure("it would be fetched twice") }
  }

  @Test func aFolderThatIsMissingIsNotMade() async throws {
    let path = folder.path + "/x/y"
    let made = try await create("a") { $0.folder = path }
    guard case .part(let part) = made else { throw TestFailure("\(made)") }
    #expect(part.plannedPath == path + "/a")
    #expect(folder.names == [])
    try folder.put("file", [])
    let failure = await #expect(throws: FileFailure.self) {
      try await create("a") { $0.folder = folder.path + "/file/y" }
    }
    #expect(failure?.code == .notAFolder)
    // A folder of no name that is in the way of nothing.
    let long = folder.path + "/" + String(repeating: "n", count: 300)
    let tooLong = await #expect(throws: FileFailure.self) {
      try await create("a") { $0.folder = long }
    }
    #expect(tooLong?.code == .nameTooLong)
  }

  private func pause(total: Int = 100_000) throws {
    let part = try real.make("a.bin", version(total))
    try part.write(bytes[..<50_000], at: 0)
    try part.checkpoint(version(total))
    part.close(.keep)
  }

  private func find() async throws -> FoundPartial {
    let destination = Destination(folder: folder.path)
    return try await waiting { store.find(real.source, at: destination, completion: $0) }.get()
  }

  @Test func aPartIsFoundAndLeftAsItIs() async throws {
    try pause()
    let before = try snapshot()
    guard case .part(let part) = try await find() else { throw TestFailure("nothing was found") }
    #expect(part.stored == IntervalSet([0..<50_000]))
    #expect(part.plannedPath == folder.path + "/a.bin")
    await withCheckedContinuation { done in part.close(.keep) { done.resume() } }
    #expect(try snapshot() == before)
    // The real run still finds it, and nothing holds it.
    let found = try real.resume()
    #expect(try found.verifyStored().isEmpty)
    let during = try snapshot()
    // While it runs, the dry one is told so.
    let failure = await #expect(throws: FileFailure.self) {
      _ = try await waiting { done in
        DryRunStore(disk: PosixDisk(), crypto: SystemCrypto())
          .find(real.source, at: Destination(folder: folder.path), completion: done)
      }.get()
    }
    #expect(failure?.code == .inUse)
    #expect(try snapshot() == during)
    found.close(.keep)
  }

  @Test func aPartOfAnotherSourceKeepsItsNameOrWouldBeAdopted() async throws {
    try pause()
    let before = try snapshot()
    #expect(
      try await name(create("a.bin", "https://b.example/", version(100_000, tag: "\"b\"")))
        == "a (1).bin")
    let adopted = try await create("x", "https://c.example/", version(100_000)) {
      $0.name = "a.bin"
    }
    guard case .part(let part) = adopted else { throw TestFailure("\(adopted)") }
    #expect(part.stored == IntervalSet([0..<50_000]))
    await withCheckedContinuation { done in part.close(.keep) { done.resume() } }
    #expect(try snapshot() == before)
  }

  /// A part that was killed between its note and its rename is finished by the next real run only.
  @Test func aPartThatWaitsForItsNameStillWaits() async throws {
    do {
      let disk = FailingRename(PosixDisk())
      let part = try Bench(disk, folder: folder.path).make("a.bin", version(100_000))
      try part.write(bytes[...], at: 0)
      try part.checkpoint(version(100_000))
      #expect(throws: FileFailure.self) {
        try part.publish(byteCount: 100_000, version: version(100_000))
      }
      part.giveUpFile()
    }
    let before = try snapshot()
    guard case .published(let file) = try await find() else { throw TestFailure("not found") }
    #expect(file.path == folder.path + "/a.bin")
    #expect(try snapshot() == before)
    guard case .published = try real.find() else { throw TestFailure("it was finished before") }
    #expect(folder.names == ["a.bin"])
  }

  @Test func aFullDiskIsTold() async throws {
    let failure = await #expect(throws: FileFailure.self) {
      try await create("a", "x", version(Int(Int64.max / 4)))
    }
    #expect(failure?.code == .diskFull)
    #expect(folder.names == [])
  }
}

/// A disk that never renames.
private struct FailingRename: Disk {
  let disk: any Disk
  init(_ disk: any Disk) { self.disk = disk }
  var bootID: [UInt8]? { disk.bootID }

  func status(_ name: String, inFolder path: String) throws(DiskError) -> FileStatus? {
    try disk.status(name, inFolder: path)
  }

  func status(ofFolder path: String) throws(DiskError) -> FileStatus {
    try disk.status(ofFolder: path)
  }

  func openFolder(_ path: String, create: Bool) throws(DiskError) -> any DiskFolder {
    Folder(try disk.openFolder(path, create: create))
  }

  private final class Folder: DiskFolder {
    let folder: any DiskFolder
    init(_ folder: any DiskFolder) { self.folder = folder }
    var path: String { folder.path }
    func forEachName(_ body: (String) -> Void) throws(DiskError) { try folder.forEachName(body) }
    func open(_ name: String, _ mode: OpenMode) throws(DiskError) -> any DiskFile {
      try folder.open(name, mode)
    }
    func status(_ name: String) throws(DiskError) -> FileStatus? { try folder.status(name) }
    func status() throws(DiskError) -> FileStatus { try folder.status() }
    func rename(_ name: String, to newName: String, replacing: Bool) throws(DiskError) {
      throw DiskError(call: "rename", path: name, errno: EIO)
    }
    func remove(_ name: String) throws(DiskError) { try folder.remove(name) }
    func sync() throws(DiskError) { try folder.sync() }
    func freeBytes() throws(DiskError) -> Int64 { try folder.freeBytes() }
    func checkWritable() throws(DiskError) { try folder.checkWritable() }
  }
}
