import Dispatch
import Glibc
import HaulHTTP
import HaulSystem
import HaulTransfer
import Synchronization
import Testing

@testable import HaulFiles

/// Several writers at once, on a real disk.
@Suite struct RaceTests {
  let folder = TemporaryFolder()

  /// A process once opened a part, waited for its lock, got it when the other had published the
  /// file, and wrote into the published file.
  @Test func nobodyWritesIntoWhatAnotherHasPublished() throws {
    let path = folder.path
    let failures = Mutex<[String]>([])
    let names = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { worker in
      for round in 0..<40 {
        var bench = Bench(folder: path, isDurable: false)
        bench.source = SourceIdentity(url: "https://x/\(worker)", redactedURL: "https://x/")
        let bytes = [UInt8](repeating: UInt8(worker * 40 + round), count: 5000)
        do {
          let part = try bench.make("a.bin")
          try part.write(bytes[...], at: 0)
          if round % 2 == 0 { try part.checkpoint(version(bytes.count)) }
          let file = try part.publish(byteCount: 5000, version: version(bytes.count))
          names.withLock { $0.append(file.path) }
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
    }
    #expect(failures.withLock { $0 } == [])
    #expect(Set(names.withLock { $0 }).count == 160)
    #expect(folder.names.count == 160)
    var seen: Set<UInt8> = []
    for name in folder.names {
      let bytes = try #require(folder.content(name))
      let first = try #require(bytes.first)
      #expect(bytes.count == 5000 && bytes.allSatisfy { $0 == first })
      seen.insert(first)
    }
    #expect(seen.count == 160)
  }

  @Test func ofManyWithTheSameSourceOneGetsThePart() {
    let path = folder.path
    let outcomes = Mutex<[Bool]>([])
    let parts = Mutex<[PartFile]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      let bench = Bench(folder: path)
      let part = try? bench.make("a.bin")
      if let part { parts.withLock { $0.append(part) } }
      outcomes.withLock { $0.append(part != nil) }
    }
    #expect(outcomes.withLock { $0.count { $0 } } == 1)
  }

  /// Between the renaming of a published part and the removal of its journal another source made
  /// a part of the same name, found the journal of a stranger, and left an empty part behind.
  @Test func nothingIsLeftWhereAnotherIsAboutToRemoveItsJournal() throws {
    let bytes = content(5000)
    let first = Bench(folder: folder.path)
    let part = try first.make("a.bin", version(bytes.count))
    try part.write(bytes[...], at: 0)
    let note = PublishingNote(
      name: "b.bin", device: part.identity.device, inode: part.identity.inode,
      byteCount: Int64(bytes.count))
    let file = try part.openFile()
    try part.keeper.withLock { (keeper) throws(FileFailure) in
      try part.record(&keeper, file, version(bytes.count), note: note)
    }
    let disk = try PosixDisk().openFolder(folder.path, create: false)
    try disk.rename("a.bin.haul-part", to: "b.bin", replacing: false)
    part.giveUpFile()
    var second = Bench(folder: folder.path)
    second.source = SourceIdentity(url: "https://y/", redactedURL: "https://y/")
    let other = try second.make("a.bin")
    #expect(other.partName == "a (1).bin.haul-part")
    #expect(folder.names == ["a (1).bin.haul-part", "a.bin.haul-journal", "b.bin"])
    #expect(same(folder.content("b.bin"), bytes[...]))
    other.close(.discard)
  }

  /// A part was deleted, and the next run of its source made it anew. The first one then wrote its
  /// first journal over that of the other, whose bytes it did not describe.
  @Test(arguments: [true, false])
  func aPartThatWasDeletedGetsNoJournal(isMadeAnew: Bool) throws {
    let bytes = content(3 << 20)
    let bench = Bench(folder: folder.path)
    let first = try bench.make("a.bin", version(bytes.count))
    try first.write(bytes[...], at: 0)
    try PosixDisk().openFolder(folder.path, create: false).remove("a.bin.haul-part")
    if isMadeAnew {
      let second = try bench.make("a.bin", version(bytes.count))
      try second.write(bytes[..<(1 << 20)], at: 0)
      try second.checkpoint(version(bytes.count))
      second.close(.keep)
    }
    let names = isMadeAnew ? ["a.bin.haul-journal", "a.bin.haul-part"] : []
    #expect(folder.names == names)
    let journal = folder.content("a.bin.haul-journal")
    try first.checkpoint(version(bytes.count))
    first.close(.keep)
    #expect(folder.names == names)
    #expect(folder.content("a.bin.haul-journal") == journal)
  }

  @Test func theStoreRunsEverythingOnItsLanes() async throws {
    let store = FileStore()
    let bytes = content(700_000)
    let source = SourceIdentity(url: "https://x/", redactedURL: "https://x/")
    let destination = Destination(folder: folder.path)
    let created = try await withCheckedContinuation { done in
      store.create(
        source, at: destination, suggestedName: "a.bin", version: version(bytes.count),
        mayAdopt: false
      ) { done.resume(returning: $0) }
    }.get()
    guard case .part(let part) = created else { throw TestFailure("skipped") }
    part.beginDigests([.sha256])
    for start in stride(from: 0, to: bytes.count, by: TransferBuffer.capacity) {
      let slice = Array(bytes[start..<min(bytes.count, start + TransferBuffer.capacity)])
      let buffer = TransferBuffer()
      // The span lives as long as the array.
      let taken = unsafe buffer.fill(from: slice.span.bytes)
      #expect(taken == slice.count)
      try await withCheckedContinuation { done in
        part.write(buffer, at: Int64(start)) { done.resume(returning: $0) }
      }.get()
    }
    try await withCheckedContinuation { done in
      part.checkpoint(version(bytes.count)) { done.resume(returning: $0) }
    }.get()
    let digests = try await withCheckedContinuation { done in
      part.digests([.sha256], byteCount: Int64(bytes.count)) { done.resume(returning: $0) }
    }.get()
    let hasher = SystemCrypto().makeHasher(.sha256)
    // The buffer lives through the call.
    unsafe bytes.withUnsafeBytes { unsafe hasher.update($0) }
    #expect(digests == [hasher.finish()])
    let file = try await withCheckedContinuation { done in
      part.publish(byteCount: Int64(bytes.count), version: version(bytes.count)) {
        done.resume(returning: $0)
      }
    }.get()
    #expect(file.path == folder.path + "/a.bin")
    #expect(same(folder.content("a.bin"), bytes[...]))
    #expect(folder.names == ["a.bin"])
  }

  @Test func aClosedPartCanBeFoundAtOnce() async throws {
    let store = FileStore()
    let bytes = content(3 << 20)
    let source = SourceIdentity(url: "https://x/", redactedURL: "https://x/")
    let destination = Destination(folder: folder.path, name: "a.bin")
    let bench = Bench(folder: folder.path)
    do {
      var owner = bench
      owner.source = source
      owner.destination.name = "a.bin"
      let part = try owner.make("a.bin", version(bytes.count))
      try part.write(bytes[...], at: 0)
      try part.checkpoint(version(bytes.count))
      part.close(.keep)
    }
    for _ in 0..<20 {
      let found = try await withCheckedContinuation { done in
        store.find(source, at: destination) { done.resume(returning: $0) }
      }.get()
      guard case .part(let part) = found else { throw TestFailure("not found") }
      part.beginDigests([.sha256])
      part.verifyStored { _ in }
      await withCheckedContinuation { done in part.close(.keep) { done.resume() } }
    }
  }

  /// A small volume of its own; needs the right to mount.
  @Test(.enabled(if: geteuid() == 0, "mounting needs root"))
  func aFullVolumeIsANamedFailureAndTheBytesAreKept() throws {
    let path = folder.path
    #expect(unsafe mount("none", path, "tmpfs", 0, "size=12m") == 0)
    defer { unsafe _ = umount(path) }
    let bench = Bench(folder: path)
    let bytes = content(3 << 20)
    let tooBig = #expect(throws: FileFailure.self) { try bench.make("a", version(5 << 20)) }
    #expect(tooBig?.code == .diskFull)
    // Without a known length it is found out in the middle.
    let part = try bench.make("a.bin", FileVersion(validator: .entityTag("\"a\"")))
    try part.write(bytes[...], at: 0)
    try part.checkpoint(FileVersion(validator: .entityTag("\"a\"")))
    let failure = #expect(throws: FileFailure.self) {
      for round in 1...4 { try part.write(bytes[...], at: Int64(round * bytes.count)) }
    }
    #expect(failure?.code == .diskFull)
    part.close(.keep)
    let again = try bench.resume()
    #expect(again.stored.contains(0..<Int64(bytes.count)))
    #expect(try again.verifyStored().isEmpty)
    again.close(.discard)
  }
}
