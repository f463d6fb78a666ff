import HaulHTTP
import HaulRecords
import HaulTestKit
import HaulTransfer
import Testing

@testable import Haul

/// What the snippets of the tutorial do.
@Suite(.timeLimit(.minutes(1))) struct SnippetTests {
  @Test func theListIsAddedToShownAndPaused() async throws {
    let bench = ManagerBench()
    let downloads = Downloads(manager: bench.manager)
    let id = try await downloads.add("https://example.org/film.mp4")
    for number in 1...4 { _ = try await downloads.add("https://example.org/\(number)") }
    try await bench.settle()
    #expect(bench.engine.running.count == 3)
    bench.engine.running("film.mp4")?.receive(50, of: 100)
    try await bench.pass(seconds: 1)
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    let showing = Task { await downloads.show { continuation.yield($0) } }
    var heard: [String] = []
    for await line in lines {
      heard.append(line)
      if line.hasSuffix("finished") { break }
    }
    showing.cancel()
    await showing.value
    #expect(heard.first == "film.mp4: downloading 50 % ")
    #expect(heard.last == "0 of 5 finished")
    downloads.toggle(try #require(try await bench.manager.snapshot(of: id)))
    try await bench.settle()
    #expect(try await bench.state(id) == .paused)
    downloads.toggle(try #require(try await bench.manager.snapshot(of: id)))
    try await bench.settle()
    #expect(try await bench.state(id) == .waiting)
  }

  @Test func oneFileGoesOn() async throws {
    let engine = FakeEngine()
    engine.store("https://example.org/film.mp4", StoredBytes(received: 25, total: 100))
    let download = try FileDownload(
      "https://example.org/film.mp4", to: "/films/film.mp4", engine: engine)
    var drawn: [Double] = []
    let finishing = Task {
      while engine.running.isEmpty { await Task.yield() }
      engine.running.first?.finish()
    }
    let path = try await Snippets().goOn(download) { drawn.append($0) }
    await finishing.value
    #expect(path == "/films/film.mp4")
    #expect(drawn.first == 0.25 && drawn.last == 1)
  }

  @Test func commandsAreTakenAndStored() async throws {
    let bench = ManagerBench()
    let ids = try await bench.manager.add([
      try bench.request("a"), try bench.request("b"), try bench.request("c"),
    ])
    try await bench.settle()
    bench.engine.running("c")?.finish()
    try await bench.settle()
    try await Snippets.commands(bench.manager, ids[0], ids[1])
    try await bench.pass(seconds: 0.1)
    #expect(try await bench.state(ids[0]) == DownloadState.none)
    #expect(try await bench.manager.page().items.map(\.id) == [ids[0]])
    #expect(bench.engine.removed == ["/downloads/c"])
    #expect(bench.engine.faults == [])
  }

  @Test func aLaunchTellsWhatGoesOn() async throws {
    let database = MemoryDatabase()
    let id = DownloadID.random()
    var record = DownloadRecord(
      id: id, url: try HTTPURL(parsing: "https://example.org/film"), folder: .downloads)
    record.state = .downloading
    try database.commit([.insert(record)], .durable)
    let bench = ManagerBench(database)
    var told: [String] = []
    try await Snippets.launch(bench.manager) { told.append($0) }
    #expect(told == ["1 downloads, 1 of them go on"])
    try await bench.settle()
    #expect(try await bench.state(id) == .downloading)
  }

  @Test func optionsReachTheEngine() async throws {
    let bench = ManagerBench { $0.bases["films"] = "/films" }
    let digest = try #require(Digest(algorithm: .sha256, bytes: .init(repeating: 1, count: 32)))
    var request = try Snippets().request(
      "https://example.org/x", mirror: "https://mirror.example/x", digest: digest)
    Snippets.secrets(&request)
    let id = try await bench.manager.add(request)
    try await bench.settle()
    let asked = try #require(bench.engine.running.first?.request)
    #expect(asked.destination.folder == "/films/2026" && asked.destination.name == "film.mp4")
    #expect(asked.digest == digest && asked.mirrors.map(\.host) == ["mirror.example"])
    #expect(asked.destination.existing == .overwrite)
    #expect(asked.fields.map(\.isSecret) == [false, true])
    #expect(asked.credentials == Credentials(user: "me", password: "hunter2"))
    #expect(asked.limiter != nil)
    try await Snippets.address(bench.manager, id, "https://example.org/x?signature=2")
    try await bench.settle()
    #expect(bench.engine.running.first?.request.url.query == "signature=2")
  }

  @Test func theEndIsWaitedForAndTold() async throws {
    let bench = ManagerBench()
    let (told, continuation) = AsyncStream.makeStream(of: String.self)
    let events = bench.manager.events()
    let telling = Task { await Snippets().notify(events) { continuation.yield($0) } }
    let id = try await bench.manager.add(try bench.request("film"))
    let path = Task { await Snippets().path(of: id, in: bench.manager) }
    try await bench.settle()
    bench.engine.running("film")?.finish()
    try await bench.pass(seconds: 0.3)
    #expect(await path.value == "/downloads/film")
    let other = try await bench.manager.add(try bench.request("gone"))
    try await bench.settle()
    bench.engine.running("gone")?.fail(.httpStatus, status: 404)
    try await bench.settle()
    var heard: [String] = []
    for await text in told {
      heard.append(text)
      if text.hasPrefix("\(other)") { break }
    }
    telling.cancel()
    #expect(heard.last == "\(other) failed: It failed: http-status.")
  }

  @Test func failuresHaveTheirSentences() async throws {
    let bench = ManagerBench()
    let id = await Snippets().add("https://example.org/film", to: bench.manager)
    #expect(DownloadID(text: id) != nil)
    #expect(await Snippets().add("nothing", to: bench.manager).isEmpty == false)
    await bench.manager.close()
    #expect(
      await Snippets().add("https://example.org/film", to: bench.manager).hasPrefix("[closed]"))
  }

  @Test func settingsAndMetricsAreTaken() async throws {
    let bench = ManagerBench()
    Snippets.settings(bench.manager)
    let settings = try await bench.manager.settings()
    #expect(settings.parallel == 4 && settings.perHost == 2 && settings.rateLimit == 5_242_880)
    #expect(settings.isOnline == false)
    var drawn: [String] = []
    try await Snippets.metrics(bench.manager) { drawn.append($0) }
    #expect(drawn == ["0 files, 0 bytes, 0 attempts"])
  }

  @Test func anAttemptHasTheTokenOfTheMoment() async throws {
    let kept = MemorySecrets()
    let bench = ManagerBench { $0.secrets = TokenSecrets(kept: kept, token: { "Bearer new" }) }
    _ = try await bench.manager.add(
      try bench.request("film") {
        $0.secrets.fields = [SecretField(name: "Authorization", value: "Bearer old")]
      })
    try await bench.settle()
    #expect(bench.engine.running.first?.request.fields.map(\.field.value) == ["Bearer new"])
  }

  @Test @MainActor func aRowShowsItsDownload() async throws {
    let bench = ManagerBench()
    let id = try await bench.manager.add(try bench.request("film"))
    try await bench.settle()
    let row = Row()
    row.bind(to: id, in: bench.manager)
    while row.title.isEmpty { await Task.yield() }
    #expect(row.title == "film downloading")
  }
}
