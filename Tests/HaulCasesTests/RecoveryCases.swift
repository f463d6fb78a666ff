import Foundation
import HaulCurl
import HaulFiles
import HaulHTTP
import HaulTestKit
import HaulTransfer
import Testing

/// CASES R16 to R19 and R21 to R23: what a run finds of an earlier one.
@Suite struct RecoveryCases {
  let scene: Scene
  var content: OriginContent { scene.content }
  let cut: Int64 = 3_500_000

  init() throws {
    scene = try Scene(OriginContent(size: 4_200_000, seed: 21))
  }

  func origin(_ resource: OriginResource? = nil) throws -> HostileOrigin {
    let resource = resource ?? OriginResource(content)
    let cut = cut
    let script = Script(
      .next { resource.respond(to: $0).resetting(after: cut) },
      finally: { resource.respond(to: $0) })
    return try HostileOrigin { script.respond(to: $0) }
  }

  // MARK: R17

  enum Wreck: CaseIterable, Sendable {
    case noJournal, emptyJournal, zeroJournal, noiseJournal, halfJournal, hugeJournal
    case otherFormat, secondSlotTorn, bothSlotsTorn, journalIsFolder, journalIsLink
    case noPart, emptyPart, shortPart, zeroPart, longPart, otherPart, partIsFolder

    /// Whether at least the first 2 MiB can be proven.
    var keepsBytes: Bool {
      self == .secondSlotTorn || self == .longPart || self == .shortPart
    }
  }

  @Test(arguments: Wreck.allCases)
  func whateverLiesThereTheFileIsRight(wreck: Wreck) async throws {
    let origin = try origin()
    try await scene.leavePart(origin)
    let folder = scene.folder
    let outside = try Folder()
    try outside.write([1, 2, 3], to: "outside")
    try apply(wreck, folder, outside)
    let (result, _) = try await scene.fetch(origin)
    let path = try #require(result.finished?.path, "\(result)")
    #expect(content.difference(path: path) == nil)
    #expect(outside.bytes(of: "outside") == [1, 2, 3])
    if wreck != .journalIsFolder, wreck != .partIsFolder, wreck != .journalIsLink {
      #expect(path == folder.file("file"))
      #expect(folder.names == ["file"])
    }
    let hasResumed = origin.requests.last?.header("Range") != nil
    if wreck.keepsBytes { #expect(hasResumed) }
  }

  func apply(_ wreck: Wreck, _ folder: Folder, _ outside: Folder) throws {
    let journal = "file.haul-journal"
    let part = "file.haul-part"
    var notes = try #require(folder.bytes(of: journal))
    var bytes = try #require(folder.bytes(of: part))
    func remove(_ name: String) throws {
      try FileManager.default.removeItem(atPath: folder.file(name))
    }
    func makeFolder(_ name: String) throws {
      try remove(name)
      try FileManager.default.createDirectory(
        atPath: folder.file(name), withIntermediateDirectories: false)
    }
    switch wreck {
    case .noJournal: try remove(journal)
    case .emptyJournal: notes = []
    case .zeroJournal: notes = [UInt8](repeating: 0, count: notes.count)
    case .noiseJournal: notes = OriginContent(size: Int64(notes.count), seed: 5).bytes()
    case .halfJournal: notes = Array(notes.prefix(notes.count / 2))
    case .hugeJournal: notes += [UInt8](repeating: 0xFF, count: 3_000_000)
    case .otherFormat: notes[8] ^= 0xFF
    case .secondSlotTorn:
      if notes.count > 69_700 { for index in 69_640..<69_700 { notes[index] ^= 0x55 } }
    case .bothSlotsTorn:
      for index in 4_100..<min(notes.count, 135_168) { notes[index] ^= 0x55 }
    case .journalIsFolder: try makeFolder(journal)
    case .journalIsLink:
      try remove(journal)
      try FileManager.default.createSymbolicLink(
        atPath: folder.file(journal), withDestinationPath: outside.file("outside"))
    case .noPart: try remove(part)
    case .emptyPart: bytes = []
    case .shortPart: bytes = Array(bytes.prefix(2_200_000))
    case .zeroPart: bytes = [UInt8](repeating: 0, count: bytes.count)
    case .longPart: bytes += [UInt8](repeating: 9, count: 1_000_000)
    case .otherPart: bytes = content.changed.bytes()
    case .partIsFolder: try makeFolder(part)
    }
    let leaves: [Wreck] = [
      .noJournal, .journalIsFolder, .journalIsLink, .noPart, .partIsFolder,
    ]
    guard !leaves.contains(wreck) else { return }
    try notes.withBytes { try $0.write(to: URL(fileURLWithPath: folder.file(journal))) }
    try bytes.withBytes { try $0.write(to: URL(fileURLWithPath: folder.file(part))) }
  }

  // MARK: R21

  /// Where on disk a byte is turned over.
  @Test(arguments: [0, 1, 1_048_575, 1_048_576, 2_500_000, 3_145_728, 3_499_999])
  func aDamagedByteIsFoundAndFetchedAgain(position: Int) async throws {
    let origin = try origin()
    try await scene.leavePart(origin)
    var bytes = try #require(scene.folder.bytes(of: "file.haul-part"))
    bytes[position] ^= 1
    try overwrite("file.haul-part", bytes)
    let (result, ear) = try await scene.fetch(origin)
    scene.expectRight(result)
    #expect(ear.restarts == [])
    let damage = ear.events.compactMap {
      if case .damaged(let count, _) = $0 { count } else { nil }
    }
    #expect(damage.count == 1)
    #expect(damage.allSatisfy { $0 <= 1_048_576 })
    let resumed = ear.events.compactMap {
      if case .started(_, _, let from) = $0 { from } else { nil }
    }
    // The reset that ended the first run may have taken bytes that were sent from the receiver.
    let rest = content.size - (try #require(resumed.first))
    if Connections.count == 1 {
      #expect(origin.bodyBytesSent <= cut + rest + (1 << 20))
    }
  }

  /// Damage and a change of the file at once: the seam at the end of the hole is one more place
  /// where two versions could meet.
  @Test(arguments: [false, true])
  func aHoleIsNotFilledFromAnotherVersion(trustsOverlap: Bool) async throws {
    var first = OriginResource(content)
    if trustsOverlap { first = first.withoutValidators() }
    let resource = VersionedResource(first)
    let cut = cut
    let origin = try HostileOrigin { request in
      let answer = resource.respond(to: request)
      return request.index == 0 ? answer.resetting(after: cut) : answer
    }
    try await scene.leavePart(origin)
    var bytes = try #require(scene.folder.bytes(of: "file.haul-part"))
    bytes[5] ^= 1
    try overwrite("file.haul-part", bytes)
    var new = first.changed
    // The end is the old one, so that only the hole and its seam tell.
    let size = content.size
    new.content = OriginContent(
      content.changed.bytes(in: 0..<3_000_000) + content.bytes(in: 3_000_000..<size))
    resource.replace(with: new)
    let (result, ear) = try await scene.fetch(origin) { $0.trustsOverlap = trustsOverlap }
    #expect(result.finished != nil)
    if !trustsOverlap {
      scene.expectRight(result, new.content)
      #expect(ear.restarts == [.changed])
    } else {
      // The end was asked for before the hole was known, and its overlap was equal.
      #expect(new.content.difference(path: scene.folder.file("file")) == nil)
      #expect(ear.restarts.count == 1)
    }
  }

  /// Writes into the file that is there, as damage does: the file stays the same.
  func overwrite(_ name: String, _ bytes: [UInt8]) throws {
    let handle = try #require(FileHandle(forUpdatingAtPath: scene.folder.file(name)))
    try handle.write(contentsOf: Data(bytes))
    try handle.close()
  }

  // MARK: R18, R22

  /// Everything is there, and the run ended before the file got its name.
  @Test(arguments: [true, false])
  func aCompletePartIsPublishedWithoutFetchingItAgain(hasDigest: Bool) async throws {
    let resource = OriginResource(content)
    let size = content.size
    let gate = Gate()
    let script = Script(
      .next { resource.respond(to: $0).chunked().stalling(after: size, at: gate) },
      finally: { resource.respond(to: $0) })
    let origin = try HostileOrigin { script.respond(to: $0) }
    let digest = content.digest()
    let fetch = try Fetch(origin.url("/file"), into: scene.folder.path) { $0.mayStall() }
    fetch.transfer.start()
    while fetch.transfer.progress.received < size, fetch.ear.endCount == 0 { await Task.yield() }
    fetch.transfer.stop()
    #expect(await fetch.transfer.result().stoppedAt == size)
    gate.open()
    let (result, ear) = try await scene.fetch(origin) { if hasDigest { $0.digest = digest } }
    scene.expectRight(result, verified: hasDigest ? .digest : .length)
    #expect(ear.restarts == [])
    if Connections.count == 1 {
      #expect(origin.bodyBytesSent <= size + 1)
    }
  }

  @Test func aFinishedFileIsFetchedBesideItWhenAskedForAgain() async throws {
    let resource = OriginResource(content)
    let origin = try HostileOrigin { resource.respond(to: $0) }
    _ = try await scene.fetch(origin)
    let (result, _) = try await scene.fetch(origin)
    #expect(result.finished?.path == scene.folder.file("file (1)"))
    #expect(scene.folder.names == ["file", "file (1)"])
    #expect(content.matches(path: scene.folder.file("file")))
    #expect(content.matches(path: scene.folder.file("file (1)")))
  }

  /// The old journal, put back after a restart from zero, as a power cut may do: its checksums
  /// are of bytes that are gone.
  @Test func anOldJournalVouchesForNothingAfterARestart() async throws {
    let old = OriginResource(content)
    let new = old.changed
    let size = content.size
    let origin = try HostileOrigin { request in
      switch request.index {
      case 0: old.respond(to: request).resetting(after: 3_500_000)
      case 1: new.respond(to: request).resetting(after: 3_400_000)
      default: old.respond(to: request)
      }
    }
    try await scene.leavePart(origin)
    let journal = try #require(scene.folder.bytes(of: "file.haul-journal"))
    try await scene.leavePart(origin)
    try overwrite("file.haul-journal", journal)
    let (result, ear) = try await scene.fetch(origin)
    scene.expectRight(result)
    #expect(ear.events.contains { if case .damaged = $0 { true } else { false } })
    if Connections.count == 1 {
      #expect(origin.bodyBytesSent >= 6_900_000 + size - 100_000)
    }
  }

  // MARK: R19

  @Test func manyPausesAndResumesEndInTheRightFile() async throws {
    let resource = OriginResource(content)
    let origin = try HostileOrigin {
      resource.respond(to: $0).throttled(bytesPerSecond: 40_000_000)
    }
    for round in 0..<30 {
      let fetch = try Fetch(origin.url("/file"), into: scene.folder.path) {
        $0.destination.isDurable = false
      }
      fetch.transfer.start()
      // Before the first answer, within it, and later.
      let goal = Int64(round % 5) * 30_000
      while fetch.transfer.progress.received < goal, fetch.ear.endCount == 0 {
        await Task.yield()
      }
      fetch.transfer.stop()
      fetch.transfer.stop()
      let result = await fetch.transfer.result()
      #expect(fetch.ear.endCount == 1)
      #expect(fetch.ear.events.last == .ended(result))
      if result.finished != nil { break }
      #expect(result.stoppedAt != nil, "\(result)")
      #expect(!scene.folder.names.contains("file"))
    }
    if !scene.folder.names.contains("file") { _ = try await scene.fetch(origin) }
    #expect(content.difference(path: scene.folder.file("file")) == nil)
    #expect(scene.folder.names == ["file"])
  }

  @Test func aSecondRunBesideTheFirstIsRefused() async throws {
    let resource = OriginResource(content)
    let gate = Gate()
    let origin = try HostileOrigin { resource.respond(to: $0).stalling(after: 100_000, at: gate) }
    let first = try Fetch(origin.url("/file"), into: scene.folder.path) { $0.mayStall() }
    first.transfer.start()
    await gate.waitUntilReached()
    while first.transfer.progress.received < 100_000 { await Task.yield() }
    let (second, _) = try await scene.fetch(origin)
    #expect(second.failure?.code == .inUse)
    gate.open()
    scene.expectRight(await first.transfer.result())
  }

  // MARK: R23

  @Test(arguments: [
    "x.haul-journal", "x.haul-part", "x.haul-bad", "X.HAUL-JOURNAL", "x.haul-journal. ",
    "file.haul-journal",
  ])
  func ourSuffixesAreRefusedInNamesFromServers(name: String) async throws {
    var resource = OriginResource(content)
    resource.disposition = "attachment; filename=\"\(name)\""
    let served = resource
    let origin = try HostileOrigin { served.respond(to: $0) }
    let (result, _) = try await scene.fetch(origin, named: nil)
    #expect(result.finished != nil)
    let names = scene.folder.names
    #expect(names.count == 1)
    let lowered = names.first?.lowercased() ?? ""
    #expect(!["part", "journal", "bad"].contains { lowered.hasSuffix(".haul-\($0)") })
    #expect(names.first.map { content.matches(path: scene.folder.file($0)) } == true)
  }

  /// A file with the name of a journal, in the folder before anything is fetched.
  @Test func aPlantedJournalVouchesForNothing() async throws {
    let origin = try origin()
    let other = try Scene(content)
    try await other.leavePart(origin)
    // The journal of the very same URL, beside a part with other bytes.
    try other.folder.copy(to: scene.folder)
    try overwrite("file.haul-part", content.changed.bytes())
    let (result, _) = try await scene.fetch(origin)
    scene.expectRight(result)
  }
}

extension [UInt8] {
  fileprivate func withBytes(_ body: (Data) throws -> Void) rethrows { try body(Data(self)) }
}
