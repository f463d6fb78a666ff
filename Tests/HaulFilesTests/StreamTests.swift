import Glibc
import HaulHTTP
import HaulSystem
import HaulTestKit
import HaulTransfer
import Testing

@testable import HaulFiles

/// Parts whose bytes go to a sink, as an engine would use them and as it never should.
@Suite struct StreamTests {
  let sink: MemorySink
  let disk: SimulatedDisk
  let bytes = content(600_000)

  init() {
    sink = MemorySink()
    disk = SimulatedDisk()
  }

  /// Jobs run at once, on the thread that asks for them.
  struct AtOnce: Lanes {
    func run(_ lane: Lane, _ job: @escaping @Sendable () -> Void) { job() }
  }

  func part(
    _ sink: MemorySink? = nil, digest: Digest? = nil, version: FileVersion = FileVersion(),
    folder: String = "/spool"
  ) throws -> any PartialFile {
    let store = StreamStore(
      to: sink ?? self.sink, disk: disk, crypto: SystemCrypto(), lanes: AtOnce())
    let destination = Destination(folder: folder, digest: digest)
    let source = SourceIdentity(url: "http://h/f", redactedURL: "http://h/f")
    let found = try outcome { store.find(source, at: destination, completion: $0) }.get()
    guard case .nothing = found else { throw TestFailure("found what is never there") }
    let create = { (completion: @escaping @Sendable (FileOutcome<CreatedPartial>) -> Void) in
      store.create(
        source, at: destination, suggestedName: "f", version: version, mayAdopt: false,
        completion: completion)
    }
    guard case .part(let part) = try outcome(create).get() else {
      throw TestFailure("was skipped")
    }
    // It is for one file.
    #expect(throws: FileFailure.self) { try outcome(create).get() }
    return part
  }

  /// What a job that runs at once came to.
  func outcome<Value: Sendable>(
    _ job: (@escaping @Sendable (FileOutcome<Value>) -> Void) -> Void
  ) throws -> FileOutcome<Value> {
    let box = Box<Value>()
    job { box.value = $0 }
    guard let value = box.value else { throw TestFailure("did not complete") }
    return value
  }

  final class Box<Value: Sendable>: @unchecked Sendable {
    // Sendable: the job runs on the thread that asks for it.
    var value: FileOutcome<Value>?
  }

  func write(
    _ part: any PartialFile, _ range: Range<Int>, as bytes: [UInt8]? = nil
  ) throws -> FileOutcome<Void> {
    let all = bytes ?? self.bytes
    var start = range.lowerBound
    while start < range.upperBound {
      let buffer = TransferBuffer()
      let piece = all[start..<min(range.upperBound, start + TransferBuffer.capacity)]
      unsafe piece.withUnsafeBytes { unsafe _ = buffer.fill(from: $0.bytes) }
      let written = try outcome { part.write(buffer, at: Int64(start), completion: $0) }
      if case .failure = written { return written }
      start += piece.count
    }
    return .success(())
  }

  func publish(_ part: any PartialFile, _ count: Int) throws -> FileOutcome<PublishedFile> {
    try outcome { part.publish(byteCount: Int64(count), version: part.version, completion: $0) }
  }

  func digest(_ bytes: ArraySlice<UInt8>, _ algorithm: DigestAlgorithm = .sha256) -> Digest {
    let hasher = SystemCrypto().makeHasher(algorithm)
    // The slice lives through the call.
    unsafe bytes.withUnsafeBytes { unsafe hasher.update($0) }
    return hasher.finish()
  }

  // MARK: As they come

  @Test func bytesGoOutAsTheyCome() throws {
    let part = try part()
    #expect(!part.isRestartable)
    try write(part, 0..<300_000).get()
    #expect(part.passedOn == 300_000)
    try write(part, 300_000..<600_000).get()
    #expect(sink.bytes == bytes)
    let file = try publish(part, 600_000).get()
    #expect(file.path == "f")
    #expect(file.byteCount == 600_000)
  }

  @Test func onlyTheNextBytesGoOut() throws {
    let part = try part()
    try write(part, 0..<1000).get()
    for start in [0, 999, 1001] {
      #expect(throws: FileFailure.self) { try write(part, start..<2000).get() }
    }
    #expect(sink.bytes.count == 1000)
    #expect(throws: FileFailure.self) { try publish(part, 999).get() }
    #expect(throws: FileFailure.self) {
      try outcome { part.restart(FileVersion(), completion: $0) }.get()
    }
  }

  @Test func beforeTheFirstByteItBeginsAnew() throws {
    let part = try part()
    part.beginDigests([.sha256])
    try outcome { part.restart(FileVersion(total: 5), completion: $0) }.get()
    part.beginDigests([.sha256])
    try write(part, 0..<5).get()
    let digests = try outcome { part.digests([.sha256], byteCount: 5, completion: $0) }.get()
    #expect(digests == [digest(bytes[..<5])])
  }

  @Test func digestsAreOfWhatWentBy() throws {
    let part = try part()
    part.beginDigests([.sha256, .md5])
    try write(part, 0..<200_000).get()
    // Too late for the whole: no digest rather than a wrong one.
    part.beginDigests([.sha512])
    part.watch(200_000..<350_000, .sha256)
    part.watch(200_000..<700_000, .sha1)
    try write(part, 200_000..<600_000).get()
    let digests = try outcome {
      part.digests([.sha256, .md5, .sha512], byteCount: 600_000, completion: $0)
    }.get()
    #expect(Set(digests) == [digest(bytes[...]), digest(bytes[...], .md5)])
    let ranged = try outcome {
      part.digest(.sha256, of: 200_000..<350_000, completion: $0)
    }.get()
    #expect(ranged == digest(bytes[200_000..<350_000]))
    // One that was cut, and one that nobody asked for.
    for range in [200_000..<700_000, 0..<5] as [Range<Int64>] {
      #expect(throws: FileFailure.self) {
        try outcome { part.digest(.sha1, of: range, completion: $0) }.get()
      }
    }
  }

  /// Only where nothing but an overlap joins answers are bytes kept for that.
  @Test func theLastBytesCanBeReadAgain() throws {
    let part = try part()
    for step in stride(from: 0, to: 600_000, by: 50_000) {
      try write(part, step..<step + 50_000).get()
    }
    let last = try outcome { part.read(534_464..<600_000, completion: $0) }.get()
    #expect(last == Array(bytes[534_464...]))
    #expect(throws: FileFailure.self) {
      try outcome { part.read(534_463..<600_000, completion: $0) }.get()
    }
    let tagged = try self.part(
      MemorySink(), version: FileVersion(validator: .entityTag("\"a\"")))
    try write(tagged, 0..<100).get()
    #expect(throws: FileFailure.self) {
      try outcome { tagged.read(0..<100, completion: $0) }.get()
    }
  }

  @Test(arguments: [
    (EPIPE, FileFailure.Code.readerGone), (ECONNRESET, .readerGone), (ENOSPC, .diskFull),
    (EIO, .inputOutput), (EFBIG, .inputOutput),
  ])
  func aSinkThatFailsIsNamed(_ number: Int32, _ code: FileFailure.Code) throws {
    let sink = MemorySink(failing: (after: 300_000, errno: number))
    let part = try part(sink)
    let failure = #expect(throws: FileFailure.self) { try write(part, 0..<600_000).get() }
    #expect(failure?.code == code)
    #expect(failure?.message.contains("“the sink”") == true)
    #expect(part.passedOn == 300_000)
    #expect(throws: FileFailure.self) {
      try outcome { part.checkpoint(FileVersion(), completion: $0) }.get()
    }
  }

  @Test func whoIsInterruptedSaysSo() throws {
    let part = try part()
    try write(part, 0..<10).get()
    part.interrupt()
    let failure = #expect(throws: FileFailure.self) { try write(part, 10..<20).get() }
    #expect(failure?.code == .interrupted)
    #expect(sink.bytes.count == 10)
  }

  // MARK: Once they are checked

  @Test(arguments: [true, false])
  func nothingGoesOutBeforeItIsRight(_ isInOrder: Bool) throws {
    let part = try part(digest: digest(bytes[...]))
    #expect(part.isRestartable)
    // A try that came to nothing, another version, and then bytes in some order.
    try write(part, 0..<400_000, as: content(600_000, seed: 9)).get()
    try outcome { part.restart(FileVersion(total: 600_000), completion: $0) }.get()
    for range in isInOrder ? [0..<300_000, 300_000..<600_000] : [300_000..<600_000, 0..<300_000] {
      try write(part, range).get()
    }
    #expect(throws: FileFailure.self) { try publish(part, 600_000).get() }
    #expect(sink.bytes == [])
    let digests = try outcome { part.digests([.sha256], byteCount: 600_000, completion: $0) }.get()
    #expect(digests == [digest(bytes[...])])
    #expect(sink.bytes == [])
    #expect(try publish(part, 600_000).get().byteCount == 600_000)
    #expect(sink.bytes == bytes)
    #expect(part.passedOn == 600_000)
    #expect(disk.names(in: "/spool") == [])
  }

  @Test func whatIsWrongNeverGoesOut() throws {
    let part = try part(digest: digest(bytes[...]))
    var wrong = bytes
    wrong[599_999] ^= 1
    try write(part, 0..<600_000, as: wrong).get()
    _ = try outcome { part.digests([.sha256], byteCount: 600_000, completion: $0) }.get()
    #expect(throws: FileFailure.self) { try publish(part, 600_000).get() }
    // Right, but not checked since.
    try write(part, 0..<600_000).get()
    #expect(throws: FileFailure.self) { try publish(part, 600_000).get() }
    // A part of it, and a hole.
    #expect(throws: FileFailure.self) {
      try outcome { part.digests([.sha256], byteCount: 600_001, completion: $0) }.get()
    }
    #expect(sink.bytes == [])
  }

  /// Bytes beyond the end, which a shorter total leaves, are no part of the digest.
  @Test func aShorterTotalRules() throws {
    let part = try part(digest: digest(bytes[..<100_000]))
    try write(part, 0..<600_000).get()
    let digests = try outcome { part.digests([.sha256], byteCount: 100_000, completion: $0) }.get()
    #expect(digests == [digest(bytes[..<100_000])])
    _ = try publish(part, 100_000).get()
    #expect(same(sink.bytes, bytes[..<100_000]))
    let range = try outcome { part.digest(.md5, of: 10..<20, completion: $0) }.get()
    #expect(range == digest(bytes[10..<20], .md5))
  }

  @Test func aDiskThatIsFullSaysWhereAndWhatToDo() throws {
    disk.capacity = 1 << 20
    let failure = #expect(throws: FileFailure.self) {
      try part(digest: digest(bytes[...]), version: FileVersion(total: 2 << 20))
    }
    #expect(failure?.code == .diskFull)
    #expect(failure?.message.contains("“/spool") == true, "\(failure?.message ?? "")")
    #expect(failure?.message.contains("-d DIR") == true)
    #expect(sink.bytes == [])
  }

  @Test func aReaderWhoGoesIsNoticedBeforeAnythingGoesOut() throws {
    let gone = MemorySink(failing: (after: 0, errno: EPIPE))
    let part = try part(gone, digest: digest(bytes[..<10]))
    try write(part, 0..<10).get()
    _ = try outcome { part.digests([.sha256], byteCount: 10, completion: $0) }.get()
    let failure = #expect(throws: FileFailure.self) { try publish(part, 10).get() }
    #expect(failure?.code == .readerGone)
    #expect(throws: FileFailure.self) {
      try outcome { part.checkpoint(FileVersion(), completion: $0) }.get()
    }
  }

  @Test func aClosedPartKeepsNothing() throws {
    let part = try part(digest: digest(bytes[...]))
    try write(part, 0..<1000).get()
    part.close(.keep) {}
    #expect(throws: FileFailure.self) { try write(part, 1000..<2000).get() }
    #expect(disk.names(in: "/spool") == [])
  }
}
