import HaulHTTP
import HaulSystem
import HaulTransfer
import Testing

@testable import HaulFiles

/// The life of a part on a real disk.
@Suite struct LifeTests {
  let folder = TemporaryFolder()
  let bytes = content(3 << 20 | 12345)

  @Test func aFileThatIsFastNeverHasAJournal() throws {
    let bench = Bench(folder: folder.path)
    let part = try bench.make("file.bin", version(bytes.count))
    try part.write(bytes[...], at: 0)
    #expect(folder.names == ["file.bin.haul-part"])
    let published = try part.publish(
      byteCount: Int64(bytes.count), version: version(bytes.count))
    #expect(published.path == folder.path + "/file.bin")
    #expect(folder.names == ["file.bin"])
    #expect(folder.content("file.bin") == bytes)
    let status = try PosixDisk().openFolder(folder.path, create: false).status("file.bin")
    #expect(status?.modified == 1_700_000_000)
  }

  @Test func aPausedFileGoesOnFromItsLastCheckpoint() throws {
    let bench = Bench(folder: folder.path)
    let half = 2 << 20 | 4321
    do {
      let part = try bench.make("file.bin", version(bytes.count))
      try part.write(bytes[..<half], at: 0)
      try part.checkpoint(version(bytes.count))
      part.close(.keep)
    }
    #expect(folder.names == ["file.bin.haul-journal", "file.bin.haul-part"])
    let part = try bench.resume()
    #expect(part.stored == IntervalSet([0..<Int64(half)]))
    #expect(part.version == version(bytes.count))
    #expect(try part.verifyStored().isEmpty)
    try part.write(bytes[half...], at: Int64(half))
    _ = try part.publish(byteCount: Int64(bytes.count), version: version(bytes.count))
    #expect(folder.names == ["file.bin"])
    #expect(folder.content("file.bin") == bytes)
  }

  @Test func digestsFollowTheWritesAndTheVerifiedPrefix() throws {
    let bench = Bench(folder: folder.path)
    let hasher = SystemCrypto().makeHasher(.sha256)
    // The buffer lives through the call.
    unsafe bytes.withUnsafeBytes { unsafe hasher.update($0) }
    let expected = hasher.finish()
    let half = 1 << 20 | 77
    var part = try bench.make("file.bin", version(bytes.count))
    try part.write(bytes[..<half], at: 0)
    try part.checkpoint(version(bytes.count))
    part.close(.keep)
    part = try bench.resume()
    part.beginDigests([.sha256])
    #expect(try part.verifyStored().isEmpty)
    try part.write(bytes[half...], at: Int64(half))
    while try part.advanceDigests() {}
    #expect(try part.digests([.sha256], byteCount: Int64(bytes.count)) == [expected])
    // Asked again, they are computed again.
    #expect(try part.digests([.sha256], byteCount: Int64(bytes.count)) == [expected])
  }
}
