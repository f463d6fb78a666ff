import HaulHTTP
import HaulSystem
import HaulTransfer
import Synchronization
import Testing

@testable import HaulFiles

/// A restart while jobs of the version before it are under way.
@Suite struct RestartTests {
  let folder = TemporaryFolder()

  /// A checkpoint that was asked for before a restart got its turn after it, and wrote the old
  /// validator over claims of new bytes. Killed then, the next run joined both versions.
  @Test func aCheckpointThatARestartOvertookClaimsNothing() throws {
    let bench = Bench(folder: folder.path)
    let old = content(3_000_000, seed: 1)
    let new = content(3_000_000, seed: 2)
    let oldVersion = version(old.count, tag: "\"old\"")
    let newVersion = version(new.count, tag: "\"new\"")
    do {
      let part = try bench.make("file.bin", oldVersion)
      let lanes = HeldLanes()
      let stored = StoredPart(part, lanes: lanes)
      try part.write(old[..<2_000_000], at: 0)
      let outcome = Mutex<[Bool]>([])
      stored.checkpoint(oldVersion) { result in
        outcome.withLock { $0.append((try? result.get()) != nil) }
      }
      try part.restart(newVersion)
      try part.write(new[..<1_500_000], at: 0)
      lanes.runAll()
      #expect(outcome.withLock { $0 } == [true])
      #expect(part.version == newVersion)
      // Killed: no close, no further checkpoint.
    }
    switch try bench.find() {
    case .nothing: break
    case .part(let part): #expect(part.version.validator != oldVersion.validator)
    case .published, .existing, .likely: Issue.record("nothing was published")
    }
  }

  /// A piece of the old version that was being read back when the restart came went into the
  /// digests of the new one.
  @Test func aPieceOfTheFormerVersionIsInNoDigest() throws {
    let bench = Bench(folder: folder.path)
    let new = content(1_000_000, seed: 2)
    let part = try bench.make("file.bin", version(new.count))
    part.beginDigests([.sha256])
    let before = part.state.withLock { $0.epoch }
    try part.restart(version(new.count, tag: "\"new\""))
    // The digests have begun anew, and wait for the first byte.
    #expect(try part.advanceDigests() == false)
    part.feedDigests(content(1000, seed: 1), at: 0, epoch: before)
    try part.write(new[...], at: 0)
    let digests = try part.digests([.sha256], byteCount: Int64(new.count))
    let hasher = SystemCrypto().makeHasher(.sha256)
    // The array lives through the call.
    unsafe new.withUnsafeBytes { unsafe hasher.update($0) }
    #expect(digests == [hasher.finish()])
    part.close(.discard)
  }
}

/// Lanes that run nothing until they are told to.
private final class HeldLanes: Lanes {
  private let jobs = Mutex<[@Sendable () -> Void]>([])

  func run(_ lane: Lane, _ job: @escaping @Sendable () -> Void) {
    jobs.withLock { $0.append(job) }
  }

  func runAll() {
    while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { job() }
  }
}
