import Glibc
import HaulHTTP
import HaulSystem
import HaulTestKit
import HaulTransfer
import Testing

@testable import HaulFiles

/// When a file that is there is taken for the one that would be fetched.
@Suite struct SkippingTests {
  let folder = TemporaryFolder()
  let bytes = content(100_000)
  let bench: Bench

  init() {
    var bench = Bench(folder: folder.path)
    bench.destination.existing = .skip
    self.bench = bench
  }

  private func put(_ name: String, _ bytes: [UInt8], modified: Int64 = 1_700_000_000) throws {
    try folder.put(name, bytes)
    let place = try PosixDisk().openFolder(folder.path, create: false)
    try place.open(name, .update).setModified(modified)
  }

  /// The name under which a file is skipped, or nil.
  private func skipped(
    _ version: FileVersion, _ bench: Bench? = nil, name: String = "a.bin"
  ) throws -> String? {
    switch try (bench ?? self.bench).create(name, version) {
    case .skipped(let path, _): return String(path.dropFirst(folder.path.count + 1))
    case .part(let part):
      part.close(.discard)
      return nil
    }
  }

  private func other(_ url: String = "https://b.example/") -> Bench {
    var other = bench
    other.source = SourceIdentity(url: url, redactedURL: url)
    return other
  }

  @Test func sizeAndTimeBothCount() throws {
    try put("a.bin", bytes)
    #expect(try skipped(version(100_000)) == "a.bin")
    #expect(try skipped(version(100_001)) == nil)
    #expect(try skipped(FileVersion(total: 100_000)) == nil)
    #expect(try skipped(FileVersion(lastModified: 1_700_000_000)) == nil)
    for time in [1_699_999_999, 1_700_000_001] as [Int64] {
      #expect(try skipped(FileVersion(total: 100_000, lastModified: time)) == nil)
    }
    #expect(folder.names == ["a.bin"])
  }

  /// Each run of a list fetched the second of two files with one name again, under a further number.
  @Test func filesWithNumbersAreComparedToo() throws {
    try put("a.bin", [1])
    try put("a (1).bin", [2, 3])
    try put("a (2).bin", bytes)
    #expect(try skipped(version(100_000)) == "a (2).bin")
    #expect(try skipped(version(2)) == "a (1).bin")
    #expect(try skipped(version(3)) == nil)
    try put("a (4).bin", bytes)
    #expect(try skipped(version(4)) == nil)
  }

  /// Two addresses lead to files of one name, size and time, as a build makes them. The second one
  /// was taken for there when the first had been fetched.
  @Test func aFileStandsForOneSourceInARun() throws {
    let part = try bench.make("a.bin", version(bytes.count))
    try part.write(bytes[...], at: 0)
    _ = try part.publish(byteCount: Int64(bytes.count), version: version(bytes.count))
    #expect(try skipped(version(100_000), other()) == nil)
    // The same address in the list again.
    #expect(try skipped(version(100_000)) == "a.bin")
  }

  @Test func aSkippedFileStandsForOneSourceInARun() throws {
    try put("a.bin", bytes)
    try put("a (1).bin", bytes)
    #expect(try skipped(version(100_000)) == "a.bin")
    #expect(try skipped(version(100_000), other()) == "a (1).bin")
    #expect(try skipped(version(100_000), other("https://c.example/")) == nil)
    #expect(try skipped(version(100_000)) == "a.bin")
  }

  @Test func theServersDigestRulesOverSizeAndTime() throws {
    try put("a.bin", bytes)
    let right = OriginContent(bytes).digest()
    let wrong = OriginContent(bytes.reversed()).digest()
    var told = version(100_000)
    told.digests = [wrong]
    #expect(try skipped(told) == nil)
    told.digests = [right]
    told.lastModified = 1
    #expect(try skipped(told) == "a.bin")
    told.digests = [right, wrong]
    #expect(try skipped(told) == nil)
    // Without a length the digest may be of the coded form.
    told.digests = [right]
    told.total = nil
    #expect(try skipped(told) == nil)
  }

  @Test func theOwnersDigestRulesAlone() throws {
    try put("a.bin", bytes)
    var bench = bench
    bench.destination.digest = OriginContent(bytes).digest(.sha1)
    var told = FileVersion(digests: [OriginContent([1]).digest()])
    #expect(try skipped(told, bench) == "a.bin")
    told.total = 100_001
    #expect(try skipped(told, bench) == nil)
    bench.destination.digest = OriginContent([1]).digest()
    #expect(try skipped(version(100_000), bench) == nil)
  }

  @Test(arguments: [true, false])
  func aFileWithTheDigestIsFoundBeforeAnythingIsAskedFor(_ isNamed: Bool) throws {
    var bench = bench
    bench.destination.digest = OriginContent(bytes).digest()
    if isNamed { bench.destination.name = "a.bin" } else { bench.destination.likelyName = "a.bin" }
    func isFound(_ bench: Bench) throws -> Bool {
      if case .existing(folder.path + "/a.bin") = try bench.find() { true } else { false }
    }
    #expect(try !isFound(bench))
    try put("a.bin", bytes, modified: 5)
    #expect(try isFound(bench))
    for policy in [ExistingFilePolicy.rename, .overwrite, .fail] {
      bench.destination.existing = policy
      #expect(try !isFound(bench))
    }
    bench.destination.existing = .skip
    bench.destination.digest = nil
    #expect(try !isFound(bench))
    bench.destination.digest = OriginContent([1]).digest()
    #expect(try !isFound(bench))
  }

  @Test func aFileThatMayBeTheSameIsTold() throws {
    func likely(_ bench: Bench) throws -> LikelyFile? {
      if case .likely(let file) = try bench.find() { file } else { nil }
    }
    var named = bench
    named.destination.likelyName = "a.bin"
    #expect(try likely(named) == nil)
    try put("a.bin", bytes)
    let expected = LikelyFile(byteCount: 100_000, modified: 1_700_000_000)
    #expect(try likely(named) == expected)
    #expect(try likely(bench) == nil)
    named.destination.name = "b.bin"
    #expect(try likely(named) == nil)
    named.destination.name = "a.bin"
    #expect(try likely(named) == expected)
    named.destination.digest = OriginContent([1]).digest()
    #expect(try likely(named) == nil)
    named.destination.digest = nil
    named.destination.existing = .rename
    #expect(try likely(named) == nil)
    // It was taken for another address.
    #expect(try skipped(version(100_000), other()) == "a.bin")
    named.destination.existing = .skip
    #expect(try likely(named) == nil)
    // A part of the same address goes on.
    let part = try bench.make("c.bin", version(bytes.count))
    try part.write(bytes[..<50_000], at: 0)
    try part.checkpoint(version(bytes.count))
    part.close(.keep)
    var again = bench
    again.destination.likelyName = "a.bin"
    guard case .part = try again.find() else { throw TestFailure("the part was not found") }
  }

  @Test func whatIsNoFileIsNotTheSame() throws {
    try put("victim", bytes)
    #expect(unsafe symlink("victim", folder.path + "/a.bin") == 0)
    #expect(unsafe mkfifo(folder.path + "/b.bin", 0o600) == 0)
    _ = try PosixDisk().openFolder(folder.path + "/c.bin", create: true)
    var bench = bench
    for digest in [nil, OriginContent(bytes).digest()] {
      bench.destination.digest = digest
      for name in ["a.bin", "b.bin", "c.bin"] {
        bench.destination.likelyName = name
        #expect(try skipped(version(100_000), bench, name: name) == nil)
        guard case .nothing = try bench.find() else { throw TestFailure("\(name) was found") }
      }
    }
  }
}
