import HaulHTTP
import HaulSystem
import HaulTestKit
import HaulTransfer
import Testing

@testable import HaulFiles

/// The power is cut, or the process killed, at every operation of a recorded file: whatever the moment,
/// the next run has the file once.
@Suite struct RecordedCrashTests {
  private let bytes = content(60_000, seed: 4)

  private func live(_ disk: SimulatedDisk, _ isDurable: Bool, _ checkpoints: Bool) {
    let bench = Bench.recorded(disk, folder: "/d", isDurable: isDurable)
    _ = try? bench.publish(bytes, checkpoints: checkpoints)
  }

  @Test(arguments: [true, false], [true, false])
  func aFileThatWasPublishedIsNeverDoubled(_ byKill: Bool, _ checkpoints: Bool) throws {
    let whole = SimulatedDisk()
    live(whole, true, checkpoints)
    #expect(whole.names(in: "/d") == ["file.bin", "file.bin.haul-journal"])
    for operation in 1...whole.operations + 1 {
      for seed in 0..<(byKill ? 1 : 6) as Range<UInt64> {
        let disk = SimulatedDisk()
        disk.cutPower(atOperation: operation)
        live(disk, true, checkpoints)
        if byKill { disk.kill() } else { disk.crash(seed: seed &* 977 &+ UInt64(operation)) }
        let story = "operation \(operation), seed \(seed)"
        try recover(disk, isDurable: true, story)
      }
    }
  }

  @Test func withoutSyncsAKillDoublesNothing() throws {
    let whole = SimulatedDisk()
    live(whole, false, false)
    for operation in 1...whole.operations + 1 {
      let disk = SimulatedDisk()
      disk.cutPower(atOperation: operation)
      live(disk, false, false)
      disk.kill()
      try recover(disk, isDurable: false, "operation \(operation)")
    }
  }

  private func recover(_ disk: SimulatedDisk, isDurable: Bool, _ story: String) throws {
    let bench = Bench.recorded(disk, folder: "/d", isDurable: isDurable)
    let isThere = disk.names(in: "/d").contains("file.bin")
    switch try bench.find() {
    case .published(let file):
      #expect(file.path == "/d/file.bin", "\(story)")
    case .part(let part):
      #expect(!isThere, "fetched though it is there: \(story)")
      _ = try part.verifyStored()
      try part.write(bytes[...], at: 0)
      _ = try part.publish(byteCount: Int64(bytes.count), version: version(bytes.count))
    case .nothing:
      #expect(!isThere, "not recognised: \(story)")
      try bench.publish(bytes)
    case .existing, .likely: Issue.record("nothing is skipped: \(story)")
    }
    #expect(disk.names(in: "/d") == ["file.bin", "file.bin.haul-journal"], "\(story)")
    #expect(same(disk.content("file.bin", in: "/d"), bytes[...]), "\(story)")
    try settleWithCrashes(disk, isDurable: isDurable, story)
  }

  /// Whatever is left of the note, the file stays the only one.
  private func settleWithCrashes(_ disk: SimulatedDisk, isDurable: Bool, _ story: String) throws {
    let bench = Bench.recorded(disk, folder: "/d", isDurable: isDurable)
    disk.cutPower(atOperation: disk.operations + 4)
    try? bench.settle("/d/file.bin")
    disk.kill()
    let next = Bench.recorded(disk, folder: "/d", isDurable: isDurable)
    switch try next.find() {
    case .published, .nothing: break
    case .part, .existing, .likely: Issue.record("something else was found: \(story)")
    }
    try next.settle("/d/file.bin")
    #expect(disk.names(in: "/d") == ["file.bin"], "\(story)")
    #expect(same(disk.content("file.bin", in: "/d"), bytes[...]), "\(story)")
  }
}
