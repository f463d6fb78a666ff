import HaulTestKit
import HaulTransfer
import Testing

@testable import Haul

/// One file without a list: what its owner asks for and hears.
@Suite struct FileDownloadTests {
  @Test func itFinishesAndTheEndIsHeardLast() async throws {
    let bench = FileBench()
    let download = try bench.download()
    let listener = Listener()
    #expect(download.snapshot.state == .idle)
    download.start(on: listener.queue) { listener.hear($0) }
    _ = listener.snapshots
    for _ in 0..<40 {
      bench.clock.advance(seconds: 0.1)
      _ = listener.snapshots
    }
    bench.settle()
    let heard = listener.snapshots
    #expect(heard.first?.state == .connecting)
    #expect(heard.last?.state == .finished)
    #expect(heard.count { $0.isOver } == 1)
    #expect(heard.last?.fraction == 1)
    #expect(heard.last?.path == "/films/film.mp4")
    // Five seconds, ten times a second at most.
    #expect((20...60).contains(heard.count), "\(heard.count)")
    #expect(zip(heard, heard.dropFirst()).allSatisfy { $0.received <= $1.received })
    #expect(heard.contains { $0.rate.map { abs($0 - 200_000) < 40_000 } ?? false })
    #expect(try await download.result().received == 1_000_000)
    #expect(bench.store.files["/films/film.mp4"] == bench.content.bytes())
    #expect(bench.transport.violations + bench.store.violations == [])
  }

  @Test func pausedItGoesOnFromThereForANewOwner() throws {
    let bench = FileBench()
    let download = try bench.download()
    let (first, second) = (Listener(), Listener())
    download.start(on: first.queue) { first.hear($0) }
    bench.clock.advance(seconds: 2)
    download.pause()
    bench.settle()
    #expect(first.snapshots.last?.state == .paused)
    let kept = download.snapshot.received
    #expect((200_000..<1_000_000).contains(kept), "\(kept)")
    #expect(download.snapshot.fraction.map { $0 > 0.2 } == true)
    let count = first.snapshots.count
    download.start(on: second.queue) { second.hear($0) }
    bench.settle()
    #expect(first.snapshots.count == count)
    #expect(second.snapshots.last?.state == .finished)
    #expect(bench.transport.requests.map { $0.header("Range") } == [nil, "bytes=\(kept)-"])
    #expect(bench.store.files["/films/film.mp4"] == bench.content.bytes())
  }

  /// What was there is known before anybody is asked.
  @Test func whatIsOnDiskIsKnownBefore() async throws {
    let bench = FileBench()
    let download = try bench.download()
    try await expectStored(bench, download, nil)
    download.start()
    bench.clock.advance(seconds: 2.5)
    download.pause()
    bench.settle()
    let kept = download.snapshot.received
    let requests = bench.transport.requests.count
    let another = try bench.download()
    try await expectStored(bench, another, StoredBytes(received: kept, total: 1_000_000))
    #expect(bench.transport.requests.count == requests)
    another.start()
    bench.settle()
    #expect(another.snapshot.state == .finished)
    #expect(bench.store.violations == [])
  }

  private func expectStored(
    _ bench: FileBench, _ download: FileDownload, _ expected: StoredBytes?,
    _ location: SourceLocation = #_sourceLocation
  ) async throws {
    async let stored = download.stored()
    // The disk of the fakes works on the virtual clock, once the job is there.
    while bench.clock.pendingJobs == 0 { await Task.yield() }
    let looking = Task { [bench] in
      while !Task.isCancelled {
        bench.settle()
        await Task.yield()
      }
    }
    #expect(try await stored == expected, sourceLocation: location)
    looking.cancel()
  }

  @Test func stoppedItEndsAndMayGoOn() async throws {
    let bench = FileBench()
    let download = try bench.download()
    download.start()
    bench.clock.advance(seconds: 1)
    download.stop()
    bench.settle()
    #expect(download.snapshot.state == .stopped)
    let failure = await #expect(throws: TransferFailure.self) { try await download.result() }
    #expect(failure?.code == .interrupted)
    download.start()
    bench.settle()
    #expect(download.snapshot.state == .finished)
  }

  @Test func aFailureIsTheEndAndItMayBeTriedAgain() async throws {
    let bench = FileBench(status: 404)
    let download = try bench.download()
    let listener = Listener()
    for count in 1...2 {
      download.start(on: listener.queue) { listener.hear($0) }
      bench.settle()
      #expect(listener.snapshots.count { $0.isOver } == count)
    }
    guard case .failed(let failure) = download.snapshot.state else {
      Issue.record("\(download.snapshot)")
      return
    }
    #expect(failure.status == 404)
    await #expect(throws: failure) { try await download.result() }
    #expect(bench.transport.requests.count == 2)
  }

  /// Start, pause and start within a millisecond: one attempt at a time, and the last word counts.
  @Test func theLastWordCounts() throws {
    let bench = FileBench()
    let download = try bench.download()
    download.start()
    download.pause()
    download.start()
    download.pause()
    bench.settle()
    #expect(download.snapshot.state == .paused)
    download.start()
    download.pause()
    download.start()
    bench.settle()
    #expect(download.snapshot.state == .finished)
    #expect(bench.transport.violations + bench.store.violations == [])
  }

  @Test func snapshotsBeginWithTheCurrentStateAndEndWithTheLast() async throws {
    let bench = FileBench()
    let download = try bench.download()
    download.start()
    bench.clock.advance(seconds: 1)
    var snapshots = download.snapshots.makeAsyncIterator()
    #expect(await snapshots.next()?.state == .downloading)
    bench.settle()
    #expect(await snapshots.next()?.state == .finished)
    #expect(await snapshots.next() == nil)
    // Who comes late hears the end.
    var late = download.snapshots.makeAsyncIterator()
    #expect(await late.next()?.state == .finished)
    #expect(await late.next() == nil)
  }

  @Test func nobodyHoldsIt() throws {
    let bench = FileBench()
    var download: FileDownload? = try bench.download()
    weak let reference = download
    download?.start()
    bench.clock.advance(seconds: 1)
    download = nil
    #expect(reference == nil)
    bench.settle()
    // It was stopped, and a later one goes on.
    let next = try bench.download()
    next.start()
    bench.settle()
    #expect(next.snapshot.state == .finished)
    #expect(bench.transport.requests.count == 2)
  }

  @Test(
    arguments: [
      ("/a/b.bin", "/a", "b.bin"), ("/b.bin", "/", "b.bin"), ("b.bin", ".", "b.bin"),
      ("a/", "a", nil), ("/", "/", nil),
    ] as [(String, String, String?)])
  func aPathIsAFolderAndAName(_ path: String, _ folder: String, _ name: String?) throws {
    let download = try FileDownload("http://example.org/x", to: path)
    #expect(download.request.destination.folder == folder)
    #expect(download.request.destination.name == name)
  }
}
