import HaulHTTP
import HaulRecords
import HaulTestKit
import HaulTransfer
import Synchronization
import Testing

@testable import Haul

/// A list whose database fails, and a list that is opened again.
@Suite struct StoringTests {
  @Test func anAdditionThatCannotBeStoredAddsNothing() async throws {
    let database = FaultyDatabase(MemoryDatabase())
    let bench = ManagerBench(database)
    try await bench.manager.open()
    database.failNextCommit(.diskFull)
    let failure = await #expect(throws: DownloadManagerFailure.self) {
      try await bench.manager.add(
        try bench.request("film") { $0.secrets.fields = [SecretField(name: "X", value: "y")] })
    }
    #expect(failure?.code == .diskFull)
    #expect(try await bench.manager.totals().count == 0)
    #expect(bench.secrets.ids().isEmpty)
    try await bench.manager.add(try bench.request("film"))
    #expect(try await bench.manager.totals().count == 1)
  }

  /// The end is told when it is stored, and not before; downloads run on meanwhile.
  @Test func whatCannotBeStoredIsTriedAgain() async throws {
    let database = FaultyDatabase(MemoryDatabase())
    let bench = ManagerBench(database)
    let ids = try await bench.manager.add([try bench.request("a"), try bench.request("b")])
    try await bench.settle()
    let events = bench.manager.events()
    for _ in 0..<3 { database.failNextCommit(.locked) }
    bench.engine.running("a")?.finish()
    for _ in 0..<4 { try? await bench.manager.stored() }
    #expect(bench.engine.running("b") != nil)
    #expect(try bench.stored(ids[0])?.state == .downloading)
    #expect(bench.engine.settled == [])
    let failure = await #expect(throws: DownloadManagerFailure.self) {
      try await bench.manager.stored()
    }
    #expect(failure?.code == .locked)
    for _ in 0..<40 {
      bench.clock.advance(seconds: 0.1)
      try? await bench.manager.stored()
    }
    try await bench.settle()
    #expect(try bench.stored(ids[0])?.state == .finished)
    #expect(bench.engine.settled == ["/downloads/a"])
    await bench.manager.close()
    var kinds: [String] = []
    for await event in events {
      switch event.kind {
      case .storageFailed: kinds.append("failed")
      case .storageRecovered: kinds.append("recovered")
      case .ended(let id, _, let end, _): if id == ids[0] { kinds.append("\(end)") }
      case .added, .changed, .removed: break
      }
    }
    #expect(
      kinds == ["failed", "recovered", "finished"] || kinds == ["failed", "finished", "recovered"])
  }

  /// Q1: a list of a process that was killed in any state.
  @Test func whatRanWhenTheProcessEndedWaitsAgain() async throws {
    let database = MemoryDatabase()
    var ids: [DownloadState: DownloadID] = [:]
    for (number, state) in DownloadState.allCases.enumerated() {
      let id = try #require(DownloadID(rawValue: UInt64(number) + 1))
      var record = DownloadRecord(
        id: id, url: try HTTPURL(parsing: "https://example.org/\(state.rawValue)"),
        folder: .downloads)
      record.state = state
      record.position = Int64(number)
      record.attempt = 1
      (record.received, record.total) = (10, 100)
      ids[state] = id
      try database.commit([.insert(record)], .durable)
    }
    let bench = ManagerBench(database) { $0.settings.parallel = 0 }
    bench.engine.store("https://example.org/downloading", StoredBytes(received: 60, total: 100))
    let report = try await bench.manager.open()
    #expect(Set(report.interrupted) == Set([ids[.downloading], ids[.verifying]].compactMap { $0 }))
    try await bench.settle()
    let expected: [DownloadState: DownloadState] = [.downloading: .waiting, .verifying: .waiting]
    for (state, id) in ids {
      #expect(try await bench.state(id) == expected[state] ?? state)
      #expect(try bench.stored(id)?.state == expected[state] ?? state)
    }
    for _ in 0..<100 {
      if try await bench.manager.snapshot(of: try #require(ids[.downloading]))?.received == 60 {
        break
      }
      await Task.yield()
    }
    #expect(try await bench.manager.snapshot(of: try #require(ids[.downloading]))?.received == 60)
    bench.manager.updateSettings { $0.parallel = 9 }
    try await bench.settle()
    #expect(bench.engine.running.count == 3)
  }

  @Test func aListThatIsClosedGoesOnWhenItIsOpened() async throws {
    let database = MemoryDatabase()
    let bench = ManagerBench(database)
    let id = try await bench.manager.add(try bench.request("film"))
    try await bench.settle()
    bench.engine.running("film")?.receive(30, of: 100)
    await bench.manager.close()
    #expect(bench.engine.running.isEmpty)
    #expect(database.records([id]).items.first?.state == .waiting)
    #expect(database.records([id]).items.first?.received == 30)
    let failure = await #expect(throws: DownloadManagerFailure.self) {
      try await bench.manager.add(try bench.request("other"))
    }
    #expect(failure?.code == .closed)
    await bench.manager.close()
    let next = ManagerBench(database)
    try await next.manager.open()
    try await next.settle()
    #expect(try await next.state(id) == .downloading)
  }

  /// What lies in the folders and belongs to nobody is reported; notes of finished files are cleared away.
  @Test func whatIsLeftOverIsFound() async throws {
    let bench = ManagerBench()
    let id = try await bench.manager.add(try bench.request("film") { $0.starts = false })
    func leftover(_ name: String, published: Bool = false) throws -> Leftover {
      var leftover = Leftover(journalPath: "/downloads/\(name).haul-journal")
      leftover.url = "https://example.org/\(name)"
      leftover.isWholeURL = true
      leftover.sourceDigest =
        TransferRequest(
          url: try HTTPURL(parsing: "https://example.org/\(name)"),
          destination: Destination(folder: "/downloads")
        ).sourceDigest
      if published { leftover.publishedPath = "/downloads/\(name)" }
      return leftover
    }
    let stranger = try leftover("stranger")
    bench.engine.leave([try leftover("film"), stranger, try leftover("old", published: true)])
    let report = try await bench.manager.restored()
    #expect(report.leftovers == [stranger])
    #expect(report.rebuilt == [])
    #expect(bench.engine.leftoverNames == ["film", "stranger"])
    try await bench.manager.discard(stranger)
    #expect(bench.engine.leftoverNames == ["film"])
    #expect(try await bench.state(id) == DownloadState.none)
  }

  @Test func secretsWithoutADownloadAreRemoved() async throws {
    let bench = ManagerBench()
    var secrets = ItemSecrets()
    secrets.fields = [SecretField(name: "X", value: "y")]
    bench.secrets.store([try #require(DownloadID(rawValue: 9)): secrets])
    let id = try await bench.manager.add(try bench.request("film") { $0.secrets = secrets })
    #expect(bench.secrets.ids() == [id])
    #expect(try bench.stored(id)?.options.headers == [])
    try await bench.settle()
    #expect(bench.engine.running.first?.request.fields.map(\.isSecret) == [true])
  }

  /// Nothing secret is in a log, and each attempt is counted.
  @Test func whatHappensIsLoggedAndCounted() async throws {
    let log = LogBook()
    let bench = ManagerBench {
      $0.log = { entry in log.write(entry) }
      $0.logLevel = .debug
    }
    let id = try await bench.manager.add("https://user:geheim@example.org/film?token=geheim")
    try await bench.settle()
    bench.engine.running.first?.receive(50, of: 100)
    bench.engine.running.first?.fail(.httpStatus, status: 404)
    try await bench.settle()
    bench.manager.retry(id)
    try await bench.settle()
    bench.engine.running.first?.finish()
    try await bench.settle()
    let metrics = try await bench.manager.metrics()
    #expect(metrics.attempts == 2 && metrics.finished == 1)
    #expect(metrics.failures == ["http-status": 1])
    #expect(metrics.commits > 3 && metrics.failedCommits == 0)
    #expect(log.entries.contains { $0.level == .error && $0.id == id })
    #expect(!log.entries.contains { $0.message.contains("geheim") })
    #expect(!"\(try #require(try bench.stored(id)))".contains("user:"))
  }
}

/// Keeps what is logged.
final class LogBook: Sendable {
  private let written = Mutex<[DownloadLogEntry]>([])
  var entries: [DownloadLogEntry] { written.withLock { $0 } }
  func write(_ entry: DownloadLogEntry) { written.withLock { $0.append(entry) } }
}
