import Glibc
import HaulRecords
import HaulTestKit
import Testing

@testable import Haul
@testable import HaulSQLite

/// Lists that cannot be opened, or not wholly: the failure has a name, and nothing is changed.
@Suite(.timeLimit(.minutes(1))) struct OpeningTests {
  @Test func aSecondProcessIsRefusedUntilTheFirstOneIsKilled() async throws {
    let host = try Host()
    let first = try host.start("hold")
    #expect(await first.waitForText("open\n", in: .output))
    let second = try host.start("hold")
    #expect(await second.wait() == .exited(1))
    #expect(
      second.outputText == "failed: Another program has the list of downloads in "
        + "\u{201C}\(host.state)\u{201D}. Close it, or choose another folder.\n")
    let manager = DownloadManager(
      DownloadConfiguration(stateFolder: host.state, downloads: host.downloads))
    let failure = await #expect(throws: DownloadManagerFailure.self) { try await manager.open() }
    #expect(failure?.code == .inUse)
    first.signal(SIGKILL)
    #expect(await first.wait() == .signalled(SIGKILL))
    // The same manager, and the next call.
    #expect(try await manager.open().count == 0)
    await manager.close()
  }

  @Test func aNewerListIsRefusedAndStaysAsItIs() async throws {
    let bench = try TroubleBench()
    try bench.fill(3)
    var connection: Connection? = try Connection(bench.path, .readWrite, busyMilliseconds: 0)
    try connection?.run("PRAGMA user_version = 99")
    connection = nil
    let before = bench.contents()
    let failure = await bench.failure()
    #expect(failure?.code == .newerVersion)
    #expect(failure?.message.contains("newer version") == true)
    #expect(bench.contents() == before)
  }

  @Test func whatIsNoListIsRefusedAndStaysAsItIs() async throws {
    let bench = try TroubleBench()
    try bench.folder.write(Array("my notes".utf8), to: "state/downloads.sqlite")
    let before = bench.contents()
    let failure = await bench.failure()
    #expect(failure?.code == .foreign)
    #expect(failure?.message.contains(bench.path) == true)
    #expect(bench.contents() == before)
  }

  /// Pages in the middle of the list are overwritten.
  private func damaged() throws -> (bench: TroubleBench, records: [DownloadRecord]) {
    let bench = try TroubleBench()
    let records = try bench.fill(3000)
    var bytes = try #require(bench.folder.read("state/downloads.sqlite"))
    // Pages that hold rows begin with 13, by the format of SQLite.
    let pages = (1..<bytes.count / 4096).filter { bytes[$0 * 4096] == 13 }
    for page in [pages[pages.count / 3], pages[pages.count / 2]] {
      for index in page * 4096..<page * 4096 + 200 { bytes[index] = 0xA5 }
    }
    try bench.folder.write(bytes, to: "state/downloads.sqlite")
    return (bench, records)
  }

  @Test func aDamagedListIsSetAsideAndWhatCanBeReadIsThere() async throws {
    let (bench, records) = try damaged()
    let before = try #require(bench.folder.read("state/downloads.sqlite"))
    let manager = bench.manager()
    let report = try await manager.open()
    #expect(report.setAside == bench.path + ".damaged")
    #expect(bench.folder.read("state/downloads.sqlite.damaged") == before)
    #expect((1...120).contains(report.lost.count))
    #expect(report.count + report.lost.count == 3000)
    #expect(try await manager.totals().count == report.count)
    let lost = Set(report.lost.compactMap(\.id))
    let first = try #require(records.first { !lost.contains($0.id) })
    #expect(try await manager.page().items.first?.id == first.id)
    #expect(try await manager.check() == [])
    await manager.close()
    // Only once.
    let again = bench.manager()
    let second = try await again.open()
    #expect(second.setAside == nil && second.count == report.count)
    await again.close()
  }

  /// What the list lost, journals beside the files may still know.
  @Test func partsBringTheirDownloadsBackIntoAListThatWasDamaged() async throws {
    let (bench, _) = try damaged()
    let engine = FakeEngine()
    var known = Leftover(
      partPath: bench.folder.path("downloads/film.haul-part"),
      journalPath: bench.folder.path("downloads/film.haul-journal"))
    known.url = "https://example.org/film"
    known.isWholeURL = true
    known.requestedName = "film"
    (known.received, known.total) = (60, 100)
    var secret = known
    secret.url = "https://example.org/film?token=***"
    secret.isWholeURL = false
    engine.leave([known, secret])
    let manager = bench.manager { $0.engine = engine }
    try await manager.open()
    let report = try await manager.restored()
    #expect(report.leftovers == [secret])
    let id = try #require(report.rebuilt.first)
    #expect(report.rebuilt.count == 1)
    try await manager.stored()
    let download = try #require(try await manager.snapshot(of: id))
    #expect(download.state == .paused && download.name == "film")
    #expect(download.received == 60 && download.total == 100)
    await manager.close()
  }

  @Test func aDamagedListIsRefusedWhenItIsNotToBeSalvaged() async throws {
    let (bench, _) = try damaged()
    let before = bench.contents()
    let failure = await bench.failure { $0.salvagesDamagedList = false }
    #expect(failure?.code == .corrupt)
    #expect(failure?.message.contains("damaged") == true)
    #expect(bench.contents() == before)
  }

  @Test func secretsThatAreDamagedAreRefusedAndStay() async throws {
    let bench = try TroubleBench()
    try bench.fill(1)
    try bench.folder.write([1, 2, 3], to: "state/secrets")
    #expect(unsafe chmod(bench.state + "/secrets", 0o600) == 0)
    let before = bench.contents()
    #expect(await bench.failure()?.code == .secrets)
    #expect(bench.contents() == before)
  }

  @Test func oneBadRecordLeavesTheRestOfTheList() async throws {
    let bench = try TroubleBench()
    let records = try bench.fill(5)
    var connection: Connection? = try Connection(bench.path, .readWrite, busyMilliseconds: 0)
    // Of one the narrow part cannot be read, of the other the rest.
    try connection?.run("UPDATE downloads SET state = 'odd' WHERE position = 1")
    try connection?.run("UPDATE downloads SET url = 'no address' WHERE position = 3")
    connection = nil
    let engine = FakeEngine()
    let manager = bench.manager { $0.engine = engine }
    let report = try await manager.open()
    #expect(report.unreadable.map(\.id) == [records[1].id])
    #expect(report.count == 4)
    let page = try await manager.page()
    #expect(page.items.map(\.id) == [0, 2, 4].map { records[$0].id })
    #expect(page.unreadable.map(\.id) == [records[3].id])
    // It runs into a named failure, and all others run.
    let events = manager.events()
    manager.updateSettings { $0.parallel = 10 }
    for await event in events {
      guard case .ended(let id, _, let end, let failure) = event.kind else { continue }
      #expect(id == records[3].id && end == .failed(isTriedAgain: false))
      #expect(failure?.code == "record")
      break
    }
    #expect(engine.running.count == 3)
    manager.remove(records[3].id)
    try await manager.stored()
    #expect(try await manager.page().unreadable == [])
    await manager.close()
    let again = bench.manager()
    #expect(try await again.open().unreadable.map(\.id) == [records[1].id])
    again.remove(records[1].id)
    try await again.stored()
    await again.close()
    #expect(try await bench.manager().open().unreadable == [])
  }
}
