import HaulHTTP
import HaulRecords
import HaulTestKit
import HaulTransfer
import Testing

@testable import Haul

/// What an owner asks of a manager, and what comes of it.
@Suite struct DownloadManagerTests {
  @Test func threeRunAtATimeAndTheNextOneFollows() async throws {
    let bench = ManagerBench()
    let ids = try await bench.manager.add((1...5).map { try bench.request("file\($0)") })
    try await bench.settle()
    #expect(bench.engine.running.map(\.request.url.lastPathSegment) == ["file1", "file2", "file3"])
    var waiting = try #require(try await bench.manager.snapshot(of: ids[3]))
    #expect(waiting.state == .waiting && waiting.reason == .queue)
    bench.engine.running("file2")?.finish()
    try await bench.settle()
    #expect(bench.engine.running.map(\.request.url.lastPathSegment) == ["file1", "file3", "file4"])
    bench.engine.running("file1")?.fail(.httpStatus, status: 404)
    try await bench.settle()
    #expect(bench.engine.running.map(\.request.url.lastPathSegment) == ["file3", "file4", "file5"])
    bench.manager.pause(ids[2])
    try await bench.settle()
    #expect(bench.engine.running.map(\.request.url.lastPathSegment) == ["file4", "file5"])
    waiting = try #require(try await bench.manager.snapshot(of: ids[2]))
    #expect(waiting.state == .paused && waiting.reason == nil)
    let failed = try #require(try await bench.manager.snapshot(of: ids[0]))
    #expect(failed.state == .failed && failed.failure?.code == "http-status")
    let finished = try #require(try await bench.manager.snapshot(of: ids[1]))
    #expect(finished.state == .finished && finished.fraction == 1)
    #expect(finished.path == "/downloads/file2")
    #expect(bench.engine.settled == ["/downloads/file2"])
    #expect(try bench.stored(ids[1])?.file == RecordPath(base: "downloads", relative: "file2"))
    #expect(bench.engine.faults == [])
  }

  /// Adding is durable when it returns.
  @Test func whatWasAddedIsStored() async throws {
    let bench = ManagerBench()
    let id = try await bench.manager.add(try bench.request("film") { $0.starts = false })
    let record = try #require(try bench.stored(id))
    #expect(record.state == .none && record.url.path == "/film")
    #expect(bench.engine.startedCount == 0)
    bench.manager.start(id)
    try await bench.settle()
    #expect(bench.engine.running.count == 1)
    #expect(try bench.stored(id)?.state == .downloading)
  }

  @Test func anAddressThatIsNoneIsRefused() async throws {
    let bench = ManagerBench()
    for address in ["", "ftp://example.org/", "example.org/film", "https://"] {
      let failure = await #expect(throws: DownloadManagerFailure.self) {
        try await bench.manager.add(address)
      }
      #expect(failure?.code == .invalid, "\(address)")
    }
    let failure = await #expect(throws: DownloadManagerFailure.self) {
      try await bench.manager.add([
        try bench.request("a"), try bench.request("b") { $0.name = "../b" },
      ])
    }
    #expect(failure?.code == .invalid && failure?.index == 1)
    #expect(try await bench.manager.totals().count == 0)
  }

  @Test func aSecondOneJoinsIsRenamedReplacesOrIsRefused() async throws {
    let bench = ManagerBench()
    let first = try await bench.manager.add(try bench.request("film") { $0.starts = false })
    let joined = try await bench.manager.add(try bench.request("film"))
    #expect(joined == first)
    #expect(try await bench.state(first) == .downloading)
    let failure = await #expect(throws: DownloadManagerFailure.self) {
      try await bench.manager.add(try bench.request("film") { $0.onDuplicate = .refuse })
    }
    #expect(failure?.code == .duplicate && failure?.id == first)
    let renamed = try await bench.manager.add(
      try bench.request("film") {
        $0.onDuplicate = .rename
        $0.starts = false
      })
    #expect(renamed != first)
    #expect(try await bench.manager.totals().count == 2)
    bench.manager.remove(renamed)
    let new = try await bench.manager.add(
      try bench.request("film") { $0.onDuplicate = .replace })
    try await bench.settle()
    #expect(try await bench.manager.snapshot(of: first) == nil)
    #expect(try await bench.state(new) == .downloading)
    try await bench.pass(seconds: 0.1)
    #expect(bench.engine.running.count == 1)
    #expect(bench.engine.faults == [])
    // Within one call, too.
    let twice = try await bench.manager.add([try bench.request("x"), try bench.request("x")])
    #expect(twice[0] == twice[1])
  }

  @Test func whatIsRemovedLeavesNothing() async throws {
    let bench = ManagerBench()
    let ids = try await bench.manager.add([
      try bench.request("done"), try bench.request("half"),
      try bench.request("secret") { $0.secrets.fields = [SecretField(name: "X", value: "y")] },
    ])
    try await bench.settle()
    bench.engine.running("done")?.receive(100, of: 100)
    bench.engine.running("done")?.finish()
    bench.engine.running("half")?.receive(50, of: 100)
    try await bench.settle()
    bench.manager.remove(.all, files: true)
    try await bench.settle()
    try await bench.pass(seconds: 0.1)
    #expect(bench.engine.running.isEmpty)
    #expect(bench.engine.removed == ["/downloads/done"])
    #expect(
      Set(bench.engine.discarded) == ["https://example.org/half", "https://example.org/secret"])
    #expect(try await bench.manager.page().total == 0)
    #expect(try bench.database.records(ids).items.isEmpty)
    #expect(bench.secrets.ids().isEmpty)
  }

  /// With `overwrite` the file of one took the place of that of another: it goes with the last of them.
  @Test(arguments: [1, 8]) func aFileThatAnotherOneTookOverStays(_ count: Int) async throws {
    let bench = ManagerBench { $0.settings.parallel = 20 }
    var ids: [[DownloadID]] = []
    for server in ["a", "b"] {
      ids.append(
        try await bench.manager.add(
          (0..<count).map { number in
            var request = try DownloadRequest("https://\(server).example/film\(number)")
            request.options.namePolicy = .overwrite
            return request
          }))
      try await bench.settle()
      for download in bench.engine.running { download.finish() }
      try await bench.settle()
    }
    bench.manager.remove(.ids(ids[0]), files: true)
    try await bench.settle()
    #expect(bench.engine.removed == [])
    bench.manager.remove(.ids(ids[1]), files: true)
    try await bench.settle()
    #expect(Set(bench.engine.removed) == Set((0..<count).map { "/downloads/film\($0)" }))
  }

  @Test func anotherAddressKeepsTheBytesAndGoesOn() async throws {
    let bench = ManagerBench()
    let id = try await bench.manager.add(
      try bench.request("film") { $0.secrets.fields = [SecretField(name: "Cookie", value: "y")] })
    try await bench.settle()
    bench.engine.running("film")?.receive(50, of: 100)
    try await bench.manager.setURL(try HTTPURL(parsing: "https://other.example/new?sig=1"), of: id)
    try await bench.settle()
    let running = try #require(bench.engine.running.first)
    #expect(running.request.url.host == "other.example")
    #expect(running.request.keptUnder?.path == "/film")
    #expect(running.request.fields == [])
    #expect(bench.engine.discarded == [])
    #expect(try await bench.manager.snapshot(of: id)?.url.contains("sig=1") == false)
  }
}
