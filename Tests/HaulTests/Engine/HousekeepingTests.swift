import HaulHTTP
import HaulTestKit
import HaulTransfer
import Synchronization
import Testing

@testable import Haul

/// What a list of downloads asks of the engine beside its transfers.
@Suite(.timeLimit(.minutes(1))) struct HousekeepingTests {
  /// A real server and a real folder.
  struct World {
    let folder: TemporaryFolder
    let content = OriginContent(size: 5000, seed: 8)
    let gate = Gate()
    let origin: HostileOrigin
    let engine = DownloadEngine()

    init() throws {
      folder = try TemporaryFolder()
      let resource = OriginResource(content)
      let gate = gate
      origin = try HostileOrigin { request in
        let response = resource.respond(to: request)
        return request.target.hasPrefix("/slow")
          ? response.stalling(after: 3000, at: gate) : response
      }
    }

    func request(_ path: String) throws -> TransferRequest {
      var destination = Destination(folder: folder.path)
      destination.isRecorded = true
      return TransferRequest(
        url: try HTTPURL(parsing: origin.url(path)), destination: destination)
    }
  }

  private func fetch(_ request: TransferRequest, _ engine: DownloadEngine) async -> TransferResult {
    await withCheckedContinuation { done in
      let running = Mutex<(any RunningDownload)?>(nil)
      let download = engine.download(request) { event in
        guard case .ended(let result) = event else { return }
        running.withLock { $0 = nil }
        done.resume(returning: result)
      }
      running.withLock { $0 = download }
      download.start()
    }
  }

  /// A small file, too, and without a word to the server.
  @Test func aRecordedFileIsFoundAgainUntilItIsSettled() async throws {
    let world = try World()
    let engine = world.engine
    let request = try world.request("/a.bin?key=1")
    let path = world.folder.path("a.bin")
    for _ in 0..<3 {
      guard case .finished(let file) = await fetch(request, engine) else {
        Issue.record("it did not finish")
        return
      }
      #expect(file.path == path && file.byteCount == 5000)
    }
    #expect(world.origin.requests.count == 1)
    #expect(world.folder.names() == ["a.bin", "a.bin.haul-journal"])
    #expect(try await engine.stored(request) == StoredBytes(received: 5000, total: 5000))

    let leftover = try #require(try await engine.leftovers(inFolder: world.folder.path).first)
    #expect(leftover.publishedPath == path)
    #expect(leftover.isOf(request) && leftover.sourceDigest == request.sourceDigest)
    #expect(leftover.isOf(try world.request("/a.bin?key=2")) == false)

    try await engine.settle(request, path: path)
    #expect(world.folder.names() == ["a.bin"])
    #expect(world.content.matches(path: path))
    try await engine.settle(request, path: path)
    try await engine.removeFile(at: path)
    #expect(world.folder.names() == [])
    try await engine.removeFile(at: path)
  }

  @Test func whatIsOnItsWayIsInUseAndGoesAfterwards() async throws {
    let world = try World()
    let engine = world.engine
    let request = try world.request("/slow")
    let (events, teller) = AsyncStream.makeStream(of: TransferEvent.self)
    let download = engine.download(request) { teller.yield($0) }
    download.start()
    await world.gate.waitUntilReached()
    while download.progress.received < 3000 { await Task.yield() }
    while world.folder.names().isEmpty { await Task.yield() }
    let running = try #require(try await engine.leftovers(inFolder: world.folder.path).first)
    #expect(running.isInUse)
    await expectInUse { () async throws(TransferFailure) in try await engine.discard(running) }
    download.stop()
    for await event in events { if case .ended = event { break } }

    let left = try #require(try await engine.leftovers(inFolder: world.folder.path).first)
    #expect(!left.isInUse && left.received == 3000 && left.total == 5000 && left.isWholeURL)
    try await engine.discard(request)
    #expect(world.folder.names() == [])
    try await engine.discard(left)
    #expect(try await engine.leftovers(inFolder: world.folder.path("missing")) == [])
    #expect(try await engine.freeBytes(inFolder: world.folder.path("missing/too")) > 0)
  }

  private func expectInUse(
    _ body: () async throws(TransferFailure) -> Void,
    _ location: SourceLocation = #_sourceLocation
  ) async {
    do throws(TransferFailure) {
      try await body()
      Issue.record("nothing was thrown", sourceLocation: location)
    } catch {
      #expect(error.code == .inUse, sourceLocation: location)
    }
  }

  /// The disk of the fakes does the same, for the tests of those who keep lists.
  @Test func theDiskOfTheFakesKeepsNotesToo() async throws {
    let bench = FileBench(size: 20_000)
    var request = TransferRequest(
      url: try HTTPURL(parsing: "https://example.org/film.mp4"),
      destination: Destination(folder: "/films", name: "film.mp4"))
    request.destination.isRecorded = true
    let engine = bench.engine
    for _ in 0..<2 {
      let download = FileDownload(request, engine: engine, clock: bench.clock)
      download.start()
      bench.settle()
      #expect(download.snapshot.state == .finished)
      #expect(download.snapshot.path == "/films/film.mp4")
    }
    #expect(bench.transport.requests.count == 1)
    try await pumping(bench) {
      let list = try await engine.leftovers(inFolder: "/films")
      #expect(list.map(\.publishedPath) == ["/films/film.mp4"])
      #expect(list.allSatisfy { $0.isOf(request) && $0.isWholeURL && !$0.isInUse })
      #expect(try await engine.leftovers(inFolder: "/film") == [])
      try await engine.settle(request, path: "/films/film (1).mp4")
      #expect(try await engine.leftovers(inFolder: "/films").count == 1)
      try await engine.settle(request, path: "/films/film.mp4")
      #expect(try await engine.leftovers(inFolder: "/films") == [])
      try await engine.removeFile(at: "/films/film.mp4")
    }
    #expect(bench.store.files.isEmpty)
    #expect(bench.store.violations + bench.transport.violations == [])
  }

  @Test func theDiskOfTheFakesKnowsWhoIsOnItsWay() async throws {
    let bench = FileBench()
    let engine = bench.engine
    let download = try bench.download()
    let request = download.request
    download.start()
    bench.clock.advance(seconds: 2.5)
    try await pumping(bench, seconds: 0.001) {
      let running = try #require(try await engine.leftovers(inFolder: "/films").first)
      #expect(running.isInUse && running.partPath == "/films/film.mp4.haul-part")
      await expectInUse { () async throws(TransferFailure) in try await engine.discard(request) }
      await expectInUse { () async throws(TransferFailure) in try await engine.discard(running) }
    }
    download.pause()
    bench.settle()
    try await pumping(bench) {
      let left = try #require(try await engine.leftovers(inFolder: "/films").first)
      #expect(!left.isInUse && left.received > 0 && left.total == 1_000_000)
      try await engine.discard(left)
      try await engine.discard(left)
      try await engine.discard(request)
      #expect(try await engine.leftovers(inFolder: "/films") == [])
      bench.store.faults.freeBytes = 7
      #expect(try await engine.freeBytes(inFolder: "/films") == 7)
    }
    #expect(bench.store.partCount == 0)
    #expect(bench.store.violations + bench.transport.violations == [])
  }

  /// Runs the body while the virtual clock goes on, as the jobs of the fakes wait for it.
  private func pumping(
    _ bench: FileBench, seconds: Double? = nil, _ body: () async throws -> Void
  ) async throws {
    let pump = Task { [bench] in
      while !Task.isCancelled {
        if let seconds { bench.clock.advance(seconds: seconds) } else { bench.settle() }
        await Task.yield()
      }
    }
    try await body()
    pump.cancel()
    await pump.value
  }
}
