import Dispatch
import HaulRecords
import HaulTestKit
import HaulTransfer
import Observation
import Synchronization
import Testing

@testable import Haul

/// What those hear who watch a list.
@Suite struct ObservingTests {
  /// Writes down what is heard, on a queue of its own.
  final class Ear: Sendable {
    let queue = DispatchQueue(label: "ear")
    private let heard = Mutex<[DownloadSnapshot]>([])

    /// All that was heard, once what is on its way has arrived.
    var snapshots: [DownloadSnapshot] {
      queue.sync {}
      return heard.withLock { $0 }
    }

    func hear(_ snapshot: DownloadSnapshot) { heard.withLock { $0.append(snapshot) } }
  }

  @Test func theCurrentStateComesFirstAndTheEndLast() async throws {
    let bench = ManagerBench()
    let id = try await bench.manager.add(try bench.request("film"))
    try await bench.settle()
    bench.engine.running("film")?.receive(10, of: 100)
    try await bench.settle()
    let ear = Ear()
    let observation = bench.manager.observe(id, on: ear.queue) { ear.hear($0) }
    try await bench.pass(seconds: 0.3)
    #expect(ear.snapshots.first?.received == 10)
    for count in stride(from: 20, through: 90, by: 10) {
      bench.engine.running("film")?.receive(Int64(count), of: 100)
      try await bench.pass(seconds: 0.1)
    }
    bench.engine.running("film")?.finish()
    try await bench.pass(seconds: 0.3)
    #expect(ear.snapshots.map(\.received) == ear.snapshots.map(\.received).sorted())
    #expect(ear.snapshots.last?.state == .finished)
    #expect(ear.snapshots.count { $0.state == .finished } == 1)
    let count = ear.snapshots.count
    observation.cancel()
    bench.manager.remove(id)
    try await bench.pass(seconds: 0.3)
    #expect(ear.snapshots.count == count)
  }

  /// A late reader gets the end, and the sequence is over.
  @Test func aSequenceEndsWithTheEnd() async throws {
    let bench = ManagerBench()
    let id = try await bench.manager.add(try bench.request("film"))
    try await bench.settle()
    bench.engine.running("film")?.finish()
    try await bench.settle()
    let late = bench.manager.snapshots(of: id)
    try await bench.pass(seconds: 0.2)
    var heard: [DownloadSnapshot] = []
    for await snapshot in late { heard.append(snapshot) }
    #expect(heard.map(\.state) == [.finished])
    let unknown = bench.manager.snapshots(of: try #require(DownloadID(rawValue: 7)))
    try await bench.pass(seconds: 0.2)
    heard = []
    for await snapshot in unknown { heard.append(snapshot) }
    #expect(heard.map(\.isRemoved) == [true])
  }

  /// Ten times a second at most, however often something happens.
  @Test func newsAreGathered() async throws {
    let bench = ManagerBench()
    let id = try await bench.manager.add(try bench.request("film"))
    let ear = Ear()
    let observation = bench.manager.observe(id, on: ear.queue) { ear.hear($0) }
    try await bench.settle()
    for count in 1...400 {
      bench.engine.running("film")?.receive(Int64(count), of: 1000)
      bench.clock.advance(seconds: 0.005)
      try await bench.manager.stored()
      _ = ear.snapshots
    }
    #expect((15...22).contains(ear.snapshots.count), "\(ear.snapshots.count)")
    observation.cancel()
  }

  /// Each event once, in order, numbered without a gap; the end of an attempt after it is stored, and
  /// nothing of an earlier attempt after that (Q3, Q4).
  @Test func eventsComeOnceAndInOrder() async throws {
    let bench = ManagerBench()
    let events = bench.manager.events()
    let id = try await bench.manager.add(try bench.request("film"))
    try await bench.settle()
    let first = try #require(bench.engine.running("film"))
    first.stopLate()
    // Start, pause and start within a moment (Q2).
    bench.manager.pause(id)
    bench.manager.start(id)
    bench.manager.pause(id)
    bench.manager.start(id)
    try await bench.settle()
    first.end(.stopped(received: 5, isResumable: true))
    first.verify()
    try await bench.settle()
    #expect(try await bench.state(id) == .downloading)
    bench.engine.running("film")?.finish()
    try await bench.settle()
    bench.manager.remove(id)
    try await bench.settle()
    await bench.manager.close()
    var heard: [DownloadEvent] = []
    for await event in events { heard.append(event) }
    #expect(heard.map(\.number) == (1...UInt64(heard.count)).map { $0 })
    #expect(heard.first?.kind == .added([id]))
    let ends = heard.compactMap { event -> String? in
      if case .ended(_, let attempt, let end, _) = event.kind { return "\(attempt) \(end)" }
      return nil
    }
    #expect(ends == ["1 interrupted", "2 finished"])
    #expect(heard.last?.kind == .removed(id))
  }

  @Test func anObserverMayCallTheManager() async throws {
    let bench = ManagerBench()
    let id = try await bench.manager.add(try bench.request("film"))
    let ear = Ear()
    let manager = bench.manager
    let observation = manager.observe(id, on: ear.queue) { snapshot in
      ear.hear(snapshot)
      if snapshot.state == .downloading { manager.pause(id) }
      if snapshot.state == .paused { manager.remove(id) }
    }
    for _ in 0..<20 where ear.snapshots.last?.isRemoved != true {
      try await bench.pass(seconds: 0.1)
    }
    #expect(ear.snapshots.last?.isRemoved == true)
    observation.cancel()
  }

  /// Who left before he was told anything kept the manager awake.
  @Test func nobodyIsToldWhoHasLeft() async throws {
    let bench = ManagerBench()
    let id = try await bench.manager.add(try bench.request("film") { $0.starts = false })
    try await bench.pass(seconds: 0.2)
    let observation = bench.manager.observe(id) { _ in }
    observation.cancel()
    try await bench.settle()
    let hasNews = try await bench.manager.ask { core, _ in core.board.hasNews }
    #expect(!hasNews)
  }

  /// A list that cannot be opened, and one that was closed, end the sequences of those who ask.
  @Test(.timeLimit(.minutes(1))) func sequencesOfNoListEnd() async throws {
    let bench = ManagerBench()
    await bench.manager.close()
    for await _ in bench.manager.events() {}
    for await _ in bench.manager.pages() {}
    for await _ in bench.manager.snapshots(of: try #require(DownloadID(rawValue: 1))) {}
    var configuration = DownloadConfiguration(stateFolder: "/dev/null/no", downloads: "/d")
    configuration.engine = bench.engine
    let manager = DownloadManager(configuration)
    for await _ in manager.events() {}
    for await _ in manager.pages() {}
  }

  @Test func aPageFollowsTheList() async throws {
    let bench = ManagerBench()
    var query = RecordQuery()
    query.states = [.downloading, .waiting]
    var pages = bench.manager.pages(query).makeAsyncIterator()
    try await bench.pass(seconds: 0.2)
    #expect(await pages.next()?.page.total == 0)
    let ids = try await bench.manager.add((1...5).map { try bench.request("file\($0)") })
    try await bench.pass(seconds: 0.3)
    let next = try #require(await pages.next())
    #expect(next.page.items.map(\.id) == ids && next.page.total == 5)
    #expect(next.totals.count == 5 && next.totals.total == nil)
    bench.manager.move(.id(ids[4]), to: .top)
    bench.manager.remove(ids[0])
    try await bench.pass(seconds: 0.3)
    #expect(await pages.next()?.page.items.map(\.id) == [ids[4], ids[1], ids[2], ids[3]])
  }

  @Test @MainActor func modelsFollowOnTheMainActor() async throws {
    let bench = ManagerBench()
    let id = try await bench.manager.add(try bench.request("film"))
    let model = DownloadModel(id, in: bench.manager)
    let list = DownloadListModel(in: bench.manager)
    let changes = Mutex(0)
    @MainActor func watch() {
      withObservationTracking {
        _ = model.snapshot
      } onChange: {
        changes.withLock { $0 += 1 }
      }
    }
    watch()
    for _ in 0..<100 where model.snapshot?.state != .downloading || list.page.items.isEmpty {
      try await bench.pass(seconds: 0.1)
      await Task.yield()
    }
    #expect(model.snapshot?.state == .downloading)
    #expect(list.page.items.map(\.id) == [id])
    #expect(changes.withLock { $0 } >= 1)
    bench.engine.running("film")?.finish()
    for _ in 0..<100 where model.snapshot?.state != .finished {
      try await bench.pass(seconds: 0.1)
      await Task.yield()
    }
    #expect(model.snapshot?.state == .finished)
  }
}
