import Glibc
import HaulSystem
import HaulTestKit
import HaulTransfer
import Synchronization
import Testing

@testable import HaulFiles

/// Small files on a disk that is full, fails, or loses its power.
@Suite struct WholeFileFaultTests {
  private let bytes = content(10_000)
  private let others = [content(1, seed: 2), content(4096, seed: 3)]

  static let calls: [SimulatedDisk.Call] = [
    .openFolder, .names, .openNameless, .status, .freeBytes, .write, .sync, .setModified, .link,
    .syncFolder,
  ]

  /// Whatever fails: the file is whole under its name, or has no name.
  @Test(arguments: calls, [ENOSPC, EDQUOT, EIO])
  func aCallThatFailsLeavesNothingHalf(_ call: SimulatedDisk.Call, _ number: Int32) throws {
    for nth in 1...4 {
      for isDurable in [true, false] {
        let disk = SimulatedDisk(capacity: 1 << 30)
        let bench = KeepBench(disk, folder: "/d", isDurable: isDurable)
        // What is open and known already needs other calls than what is not.
        if nth % 2 == 0 { _ = try bench.keep([1], as: "first") }
        disk.fail(call, nth: (nth + 1) / 2, errno: number)
        var file: PublishedFile?
        do throws(FileFailure) {
          file = try bench.keep(bytes)
        } catch {
          if number != EIO { #expect(error.code == .diskFull, "\(call): \(error)") }
        }
        let there = disk.content("a.bin", in: "/d")
        let story = "\(call) \(nth) \(isDurable)"
        if file != nil || call == .syncFolder {
          #expect(there == nil && file == nil || same(there, bytes[...]), "\(story)")
        } else {
          #expect(there == nil, "\(story)")
        }
        #expect(disk.names(in: "/d").allSatisfy { $0 == "first" || $0 == "a.bin" }, "\(story)")
        guard isDurable, file != nil else { continue }
        disk.crash(seed: UInt64(nth))
        #expect(same(disk.content("a.bin", in: "/d"), bytes[...]), "\(story)")
      }
    }
  }

  /// A sync of the folder that failed may have lost the name: whoever waits for it must hear that.
  @Test func aFolderThatCannotBeSyncedIsAFailure() throws {
    let disk = SimulatedDisk()
    let bench = KeepBench(disk, folder: "/d")
    disk.fail(.syncFolder, nth: 1, errno: EIO)
    #expect(throws: FileFailure.self) { try bench.keep(bytes) }
    #expect(try bench.keep(bytes, as: "b.bin") != nil)
  }

  /// The power is cut at each operation of three files in a row.
  @Test func whatWasToldSurvivesEveryCrash() throws {
    let files = [bytes] + others
    /// The numbers of the files that were told of.
    func live(_ disk: SimulatedDisk) -> [Int] {
      let bench = KeepBench(disk, folder: "/d")
      return files.indices.filter {
        (try? bench.keep(files[$0], as: "\($0)")) != nil
      }
    }
    let whole = SimulatedDisk()
    #expect(live(whole) == [0, 1, 2])
    var lost = 0
    for operation in 1...whole.operations {
      for seed in 0..<8 as Range<UInt64> {
        let disk = SimulatedDisk()
        disk.cutPower(atOperation: operation)
        let told = live(disk)
        disk.crash(seed: seed &+ UInt64(operation) &* 8)
        for number in files.indices {
          let there = disk.content("\(number)", in: "/d")
          let isRight = same(there, files[number][...])
          let story = "file \(number), operation \(operation), seed \(seed)"
          if told.contains(number) { #expect(isRight, "lost: \(story)") }
          // A name says that its bytes are on disk, also where nobody was told.
          #expect(there == nil || isRight, "half a file: \(story)")
          if there == nil { lost += 1 }
        }
        #expect(Set(disk.names(in: "/d")).isSubset(of: ["0", "1", "2"]))
      }
    }
    #expect(lost > 0)
  }

  /// 8 MiB stay free, whatever else the process wants.
  @Test func theReserveIsLeftFree() throws {
    let reserve = Int(SpaceLedger.reserve)
    let disk = SimulatedDisk(capacity: reserve + bytes.count)
    let bench = KeepBench(disk, folder: "/d")
    #expect(try bench.keep(bytes) != nil)
    let failure = #expect(throws: FileFailure.self) { try bench.keep([1], as: "b") }
    #expect(failure?.code == .diskFull)
    #expect(disk.names(in: "/d") == ["a.bin"])
    disk.capacity += 1
    #expect(try bench.keep([1], as: "b") != nil)
  }

  @Test func whatAPartStillNeedsIsNotGivenAway() throws {
    let disk = SimulatedDisk(capacity: Int(SpaceLedger.reserve) + 20_000)
    let bench = KeepBench(disk, folder: "/d")
    let promise = bench.context.space.makeID()
    let free = Int64(disk.capacity)
    let device = try disk.openFolder("/d", create: true).open("x", .create(permissions: 0o600))
      .status().device
    #expect(bench.context.space.admit(promise, device: device, byteCount: 10_001, free: free))
    #expect(throws: FileFailure.self) { try bench.keep(bytes) }
    bench.context.space.update(promise, remaining: 10_000)
    #expect(try bench.keep(bytes) != nil)
    // A file that failed or stands takes no room of others any more.
    #expect(throws: FileFailure.self) { try bench.keep([1], as: "b") }
    bench.context.space.release(promise)
    #expect(try bench.keep([1], as: "b") != nil)
  }

  /// Through the store, with its threads: all wait for few syncs, and each is told once.
  @Test func manyFilesAtOnceMakeFewSyncs() async throws {
    let disk = SimulatedDisk()
    let links = Atomic(0)
    let syncs = Atomic(0)
    let count = 1000
    let hooked = HookedDisk(disk) { call, _ in
      if call == .link { links.add(1, ordering: .relaxed) }
      guard call == .syncFolder else { return }
      // The first one lasts until every file has its name, or is about to have it.
      if syncs.add(1, ordering: .relaxed).newValue == 1 {
        while links.load(ordering: .relaxed) < count { sched_yield() }
      }
    }
    let store = FileStore(disk: hooked, crypto: SystemCrypto())
    let outcomes = await withTaskGroup(of: FileOutcome<KeptFile>.self) { group in
      for number in 0..<count {
        group.addTask { await keep("\(number)", bytes: content(10 + number), in: store) }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    let paths = outcomes.compactMap { outcome in
      if case .success(.published(let file)) = outcome { file.path } else { nil }
    }
    #expect(Set(paths).count == count)
    let syncCount = syncs.load(ordering: .relaxed)
    // When the first one ended, every thread held at most one file that did not wait for the next.
    #expect(syncCount <= Workers.maximumThreads + 2)
    for number in 0..<count {
      #expect(same(disk.content("\(number)", in: "/d"), content(10 + number)[...]))
    }
  }

  /// Several go for one name: one gets it, and the others are left to parts, with new names.
  @Test func filesOfOneNameDoNotMeet() async throws {
    let folder = TemporaryFolder()
    let store = FileStore()
    let outcomes = await withTaskGroup(of: FileOutcome<KeptFile>.self) { group in
      for number in 0..<40 {
        group.addTask {
          await keep(
            "a.bin", bytes: content(3000, seed: UInt64(number)), in: store, folder: folder.path,
            isDurable: number % 2 == 0)
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    let published = outcomes.count {
      if case .success(.published) = $0 { true } else { false }
    }
    let declined = outcomes.count { if case .success(.declined) = $0 { true } else { false } }
    #expect(published == 1 && declined == 39)
    #expect(folder.names == ["a.bin"])
    let there = try #require(folder.content("a.bin"))
    #expect((0..<40).contains { same(there, content(3000, seed: UInt64($0))[...]) })
  }
}

private func keep(
  _ name: String, bytes: [UInt8], in store: FileStore, folder: String = "/d",
  isDurable: Bool = true
) async -> FileOutcome<KeptFile> {
  let buffer = TransferBuffer()
  // The span lives as long as the array.
  _ = unsafe buffer.fill(from: bytes.span.bytes)
  let source = SourceIdentity(url: "https://x/\(name)", redactedURL: "https://x/\(name)")
  return await withCheckedContinuation { done in
    store.keep(
      source, at: Destination(folder: folder, isDurable: isDurable), suggestedName: name,
      version: version(bytes.count), content: buffer
    ) { done.resume(returning: $0) }
  }
}
