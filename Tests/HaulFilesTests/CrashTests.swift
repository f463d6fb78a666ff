import Glibc
import HaulHTTP
import HaulSystem
import HaulTestKit
import HaulTransfer
import Testing

@testable import HaulFiles

/// The power is cut at every operation of a whole life, and what the next run finds is compared
/// with the content.
///
/// Many programs of this kind trusted a journal that was on disk before its bytes were, or took up
/// a file again that a restart had half overwritten.
@Suite struct CrashTests {
  /// What one life does; drawn from its seed.
  struct Life {
    let old: [UInt8]
    let new: [UInt8]
    let piece: Int
    let restarts: Bool
    let isDurable: Bool
    let isReserved: Bool
    /// Whether checkpoints are made at all; a fast file has none.
    let isSlow: Bool
    let seed: UInt64

    init(seed: UInt64) {
      self.seed = seed
      var draws = Sequence(seed)
      let isLarge = draws.next() % 8 == 0
      let count =
        isLarge ? 1_200_000 + Int(draws.next() % 1_000_000) : 1 + Int(draws.next() % 60_000)
      old = content(count, seed: seed &+ 1_000_003)
      new = content(count, seed: seed)
      piece = isLarge ? 256 * 1024 : 1 + count / Int(2 + draws.next() % 9)
      restarts = draws.next() & 1 == 0
      isDurable = draws.next() % 4 != 0
      isReserved = draws.next() & 1 == 0
      isSlow = draws.next() % 4 != 0
    }

    static let newTag = StrongValidator.entityTag("\"new\"")
    var newVersion: FileVersion { version(new.count, tag: "\"new\"") }
    var oldVersion: FileVersion { version(old.count, tag: "\"old\"") }

    /// Runs until the end, or until the disk is gone.
    func run(_ disk: SimulatedDisk) {
      try? attempt(Bench(disk, folder: "/d", isDurable: isDurable))
    }

    private func attempt(_ bench: Bench) throws {
      let first = restarts ? oldVersion : newVersion
      let part = try bench.make(
        "file.bin", isReserved ? first : FileVersion(validator: first.validator))
      if restarts {
        try fill(part, old, oldVersion, 0..<old.count * 3 / 4)
        try part.restart(newVersion)
      }
      try fill(part, new, newVersion, 0..<new.count / 2)
      // The second half by two connections, the later part first.
      let middle = new.count * 3 / 4
      try fill(part, new, newVersion, middle..<new.count)
      try fill(part, new, newVersion, new.count / 2..<middle)
      _ = try part.publish(byteCount: Int64(new.count), version: newVersion)
    }

    private func fill(
      _ part: PartFile, _ bytes: [UInt8], _ version: FileVersion, _ range: Range<Int>
    ) throws {
      var start = range.lowerBound
      while start < range.upperBound {
        let end = min(range.upperBound, start + piece)
        try part.write(bytes[start..<end], at: Int64(start))
        start = end
        if isSlow, start / piece % 2 == 0 { try part.checkpoint(version) }
      }
      if isSlow { try part.checkpoint(version) }
    }

    /// Goes on after a crash as a transfer does, and checks every claim on the way.
    func recover(_ disk: SimulatedDisk, _ story: String, byKill: Bool) throws {
      let bench = Bench(disk, folder: "/d", isDurable: isDurable)
      let final = disk.content("file.bin", in: "/d")
      let isRight = same(final, new[...])
      // Without syncs a power cut may spoil also what was published.
      let isSpoilt = final != nil && !isRight
      if isDurable || byKill { expect(!isSpoilt, "the final name holds something else", story) }
      let hadJournal = disk.names(in: "/d").contains("file.bin.haul-journal")
      var path = "/d/file.bin"
      switch try bench.find() {
      case .existing, .likely: throw TestFailure("nothing is skipped here")
      case .published(let file):
        path = file.path
      case .part(let part):
        let isNew = part.version.validator == Self.newTag
        let bytes = isNew ? new : old
        let differing = try part.verifyStored()
        if isDurable || byKill {
          // A slot may reach the disk in the crash and the entry of a whole block not; that block
          // is durable, and merely cannot be proven.
          let isProven = differing.intervals.allSatisfy {
            $0.lowerBound % BlockLayout.size == 0 && $0.upperBound % BlockLayout.size == 0
          }
          expect(isProven, "bytes were claimed before they were durable", story)
        }
        for range in part.stored.intervals {
          let slice = bytes[Int(range.lowerBound)..<Int(range.upperBound)]
          expect(same(try part.read(range), slice), "a wrong byte was claimed", story)
        }
        expect(
          differing.intervals.allSatisfy { !part.stored.contains($0) },
          "bytes that differ count as stored", story)
        if !isNew { try part.restart(newVersion) }
        path = try finish(part)
      case .nothing:
        // A file without a journal was published at once; nothing knows that it is ours.
        if isDurable || byKill {
          expect(!isRight || !hadJournal, "the finished file was not recognised", story)
        }
        if !isRight { path = try finish(try bench.make("file.bin", newVersion)) }
      }
      let name = String(path.dropFirst("/d/".count))
      expect(same(disk.content(name, in: "/d"), new[...]), "no right file at the end", story)
      if !isSpoilt { expect(disk.names(in: "/d") == ["file.bin"], "something is left", story) }
    }

    private func expect(_ isRight: Bool, _ what: String, _ story: String) {
      if !isRight { Issue.record("\(what): \(story)") }
    }

    private func finish(_ part: PartFile) throws -> String {
      for range in part.stored.missing(upTo: Int64(new.count)).intervals {
        let slice = new[Int(range.lowerBound)..<Int(range.upperBound)]
        try part.write(slice, at: range.lowerBound, piece: piece)
      }
      try part.checkpoint(newVersion)
      return try part.publish(byteCount: Int64(new.count), version: newVersion).path
    }
  }

  /// SplitMix64.
  struct Sequence {
    private var state: UInt64
    init(_ seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = state
      value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
      return value ^ (value >> 31)
    }
  }

  private func crash(_ life: Life, at operation: Int, seed: UInt64, byKill: Bool) throws {
    let disk = SimulatedDisk()
    disk.cutPower(atOperation: operation)
    life.run(disk)
    if byKill { disk.kill() } else { disk.crash(seed: seed) }
    let story =
      "life \(life.seed), operation \(operation), \(byKill ? "killed" : "crash \(seed)")"
    do {
      try life.recover(disk, story, byKill: byKill)
    } catch {
      Issue.record("\(error): \(story)")
    }
  }

  /// More seeds by the environment: `HAUL_SEEDS=FROM-TO`.
  static let seeds: ClosedRange<UInt64> = {
    let text = unsafe getenv("HAUL_SEEDS").map { unsafe String(cString: $0) }
    let ends = (text ?? "").split(separator: "-").compactMap { UInt64($0) }
    return ends.count == 2 && ends[0] <= ends[1] ? ends[0]...ends[1] : 0...7
  }()

  @Test(arguments: seeds)
  func everyCrashLeavesOnlyRightBytes(seed: UInt64) throws {
    let life = Life(seed: seed)
    let whole = SimulatedDisk()
    life.run(whole)
    let isRight = same(whole.content("file.bin", in: "/d"), life.new[...])
    #expect(isRight)
    for operation in 1...whole.operations {
      try crash(life, at: operation, seed: seed, byKill: true)
      for variant in 0..<(life.new.count > 1_000_000 ? 2 : 4) as Range<UInt64> {
        try crash(
          life, at: operation, seed: seed &* 1000 &+ UInt64(operation) &* 8 &+ variant,
          byKill: false)
      }
    }
  }

  /// A call fails once, the run ends, the next one finishes the file; then the power is cut.
  ///
  /// A sync that failed may have dropped the bytes while every later one reports success.
  @Test(arguments: seeds)
  func everyFailedCallLeavesOnlyRightBytes(seed: UInt64) throws {
    let calls: [SimulatedDisk.Call] = [
      .write, .sync, .syncFolder, .truncate, .rename, .remove, .reserve, .read, .status, .open,
    ]
    for call in calls {
      for nth in 1...16 {
        let disk = SimulatedDisk()
        let number = seed % 2 == 0 ? EIO : ENOSPC
        disk.fail(call, nth: nth, errno: number)
        let life = Life(seed: seed)
        life.run(disk)
        let isOver = same(disk.content("file.bin", in: "/d"), life.new[...])
        let story = "life \(seed), \(call.rawValue) \(nth) fails"
        do {
          disk.kill()
          try life.recover(disk, story, byKill: true)
          disk.crash(seed: seed &+ UInt64(nth))
          let isRight = same(disk.content("file.bin", in: "/d"), life.new[...])
          // A file that stands there without its folder synced was reported as failed.
          let isReported = !isOver || call != .syncFolder
          if life.isDurable, isReported, !isRight {
            Issue.record("lost after it was published: \(story)")
          }
        } catch {
          Issue.record("\(error): \(story)")
        }
        if isOver, nth > 3 { break }
      }
    }
  }
}
