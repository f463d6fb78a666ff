import Dispatch
import HaulHTTP
import HaulRecords
import HaulSystem
import HaulTestKit
import Synchronization
import Testing

@testable import HaulSQLite

@Suite struct SQLiteDatabaseTests {
  let place: Place

  init() throws { place = try Place() }

  @Test(arguments: DatabaseRule.all)
  func keepsTheRules(_ rule: DatabaseRule) throws {
    try rule.check(place)
  }

  /// `HAUL_RECORDS_SEED` does again what a failure did; its seed stands in the message.
  @Test func randomCommitsDoWhatTheyDoToAPlainList() throws {
    let seed = seed(of: "HAUL_RECORDS_SEED")
    try DatabaseRule.random(seeds: seed...seed + 4).check(place)
  }

  @Test func aClosedListIsOneFile() throws {
    _ = try place.reopen()
    #expect(Set(place.folder.names()) == ["list", "list-wal", "list-shm"])
    place.close()
    #expect(place.folder.names() == ["list"])
    place.close()
  }

  @Test func nothingIsDoneAfterClosing() throws {
    let database = try place.reopen()
    place.close()
    for attempt: () throws -> Void in [
      { try database.commit([.remove(RecordSample(seed: 1).id())], .ordered) },
      { _ = try database.summaries() }, { _ = try database.page(RecordQuery()) },
      { _ = try database.check() },
    ] {
      #expect(#expect(throws: DatabaseFailure.self, performing: attempt)?.code == .failed)
    }
  }

  @Test func foldersAreMade() throws {
    let database = try SQLiteDatabase(path: place.folder.path("a/b/list"))
    #expect(try database.summaries().items.isEmpty)
    #expect(
      #expect(throws: DatabaseFailure.self) { try SQLiteDatabase(path: place.folder.path + "/") }
        != nil)
  }

  @Test func anEmptyFileBecomesAList() throws {
    try place.folder.write([], to: "list")
    _ = try place.reopen()
    #expect(try place.permissions("list") == 0o600)
  }

  @Test func filesThatOthersCouldReadAreClosedToThem() throws {
    _ = try place.reopen()
    for name in place.folder.names() { #expect(try place.permissions(name) == 0o600) }
    place.close()
    #expect(try place.permissions("list") == 0o600)
    try place.folder.open("list").setPermissions(0o644)
    _ = try place.reopen()
    for name in place.folder.names() { #expect(try place.permissions(name) == 0o600) }
  }

  /// The umask belongs to the process, so another one has to have it.
  @Test(arguments: ["000", "777"])
  func theUmaskDoesNotMatter(_ umask: String) async throws {
    let child = try ChildProcess(
      "sh", ["-c", "umask \(umask); exec \"$0\" commit \"$1\" 0", TestHost.path, place.path])
    #expect(await child.waitForText("5\n", in: .output), "\(child.outputText)")
    for name in ["list", "list-wal", "list-shm"] {
      #expect(try place.permissions(name) == 0o600, "\(name)")
    }
    child.signal(9)
    await child.wait()
  }

  @Test func whoReadsSeesCommitsAsAWhole() throws {
    let database = try place.reopen()
    let sample = RecordSample(seed: 3)
    let pairs = try (0..<60).map { number in
      try (0..<2).map { _ in try sample.waiting(position: number) }
    }
    let isDone = Atomic(false)
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 3) { worker in
      do {
        if worker == 0 {
          defer { isDone.store(true, ordering: .releasing) }
          for pair in pairs { try database.commit(pair.map(RecordChange.insert), .ordered) }
          return
        }
        var last = 0
        while !isDone.load(ordering: .acquiring) {
          let count =
            worker == 1
            ? try database.summaries().items.count : try database.page(RecordQuery()).total
          if count % 2 != 0 || count < last { failures.withLock { $0.append("\(count)") } }
          last = count
        }
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
    #expect(try database.summaries().items.count == 120)
  }

  /// A durable commit that changes nothing still has to make durable what ordered ones left behind.
  @Test func aDurableCommitWithoutAnyEffectSyncsEarlierOnes() throws {
    let database = try place.reopen()
    let record = try RecordSample(seed: 4).any()
    try database.commit([.insert(record)], .ordered)
    #expect(database.writer.withLock { $0.hasUnsynced })
    let before = place.folder.read("list")?.count ?? 0
    try database.commit([.remove(RecordSample(seed: 5).id())], .durable)
    #expect(database.writer.withLock { !$0.hasUnsynced })
    // Brought from the log into the list, which syncs both.
    #expect(place.folder.read("list") != nil && (place.folder.read("list")?.count ?? 0) >= before)
    #expect(contains(place.folder.read("list") ?? [], record.url.textWithoutUser))
  }

  @Test func durabilityIsWhatTheConnectionIsToldBeforeTheTransaction() throws {
    let database = try place.reopen()
    let sample = RecordSample(seed: 6)
    for (durability, level) in [(Durability.ordered, Int64(1)), (.durable, 2), (.ordered, 1)] {
      try database.commit([.insert(try sample.any())], durability)
      let found = try database.writer.withLock { try $0.connection?.number("PRAGMA synchronous") }
      #expect(found == level)
    }
  }

  /// The bound is on bytes written: a commit that is larger than the cache must not write each page
  /// again and again.
  @Test(.timeLimit(.minutes(2)))
  func aHundredThousandInsertionsWriteEachPageAboutOnce() throws {
    let count = 100_000
    let database = try place.reopen()
    let sample = RecordSample(seed: 7)
    let changes = try (0..<Int64(count)).map {
      RecordChange.insert(try sample.waiting(position: $0))
    }
    try database.commit(changes, .durable)
    let log = try place.size("list-wal")
    let pages = try database.reader.withLock { try $0?.number("PRAGMA page_count") } ?? 0
    #expect(log > 0 && log <= pages * 4120 * 2, "\(log) bytes for \(pages) pages")
    #expect(pages * 4096 <= Int64(count) * 400, "\(pages) pages")
    #expect(try database.summaries().items.count == count)
  }
}

/// The seed in a variable of the environment, or a new one.
func seed(of variable: String) -> UInt64 {
  environment[variable].flatMap { UInt64($0) } ?? UInt64.random(in: 0..<1_000_000_000)
}

private func contains(_ bytes: [UInt8], _ text: String) -> Bool { bytes.contains(Array(text.utf8)) }
