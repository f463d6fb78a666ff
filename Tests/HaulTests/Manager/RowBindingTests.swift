import Dispatch
import HaulRecords
import HaulTestKit
import HaulTransfer
import Synchronization
import Testing

@testable import Haul

/// A row of a table that is used again hears of one download only, whatever state the former one is in.
@Suite struct RowBindingTests {
  /// A row of a table. Only the queue of the interface touches it.
  final class Row: Sendable {
    struct State {
      var id: DownloadID?
      var shown: DownloadSnapshot?
      var strangers = 0
    }

    let state = Mutex(State())

    func show(_ snapshot: DownloadSnapshot) {
      state.withLock { state in
        if snapshot.id != state.id { state.strangers += 1 }
        state.shown = snapshot
      }
    }
  }

  private let interface = DispatchQueue(label: "interface")

  private func bind(_ row: Row, to id: DownloadID, in manager: DownloadManager) {
    // As a table does it: on the queue of the interface.
    interface.sync {
      row.state.withLock { $0.id = id }
      manager.bind(row, to: id, on: interface) { row, snapshot in row.show(snapshot) }
    }
  }

  @Test func twentyDownloadsOnElevenRowsThatScroll() async throws {
    let bench = ManagerBench { $0.settings.parallel = 8 }
    let ids = try await bench.manager.add((0..<20).map { try bench.request("file\($0)") })
    let rows = (0..<11).map { _ in Row() }
    let random = SeededRandom(seed: 11)
    for top in (0..<120).map({ _ in Int(random.next() % 10) }) {
      for (index, row) in rows.enumerated() {
        bind(row, to: ids[(top + index) % 20], in: bench.manager)
      }
      for download in bench.engine.running {
        switch random.next() % 8 {
        case 0: download.finish()
        case 1: download.fail(.httpStatus, status: 404)
        case 2: bench.manager.pause(ids[Int(random.next() % 20)])
        case 3: bench.manager.start(ids[Int(random.next() % 20)])
        default: download.receive(Int64(random.next() % 1000), of: 1000)
        }
      }
      try await bench.pass(seconds: 0.1)
    }
    try await bench.pass(seconds: 1)
    interface.sync {}
    for row in rows {
      let (id, shown, strangers) = row.state.withLock { ($0.id, $0.shown, $0.strangers) }
      #expect(strangers == 0)
      let now = try await bench.manager.snapshot(of: try #require(id))
      #expect(shown?.id == id && shown?.state == now?.state && shown?.received == now?.received)
    }
    #expect(bench.engine.faults == [])
  }

  @Test func aRowThatIsUnboundOrGoneHearsNothing() async throws {
    let bench = ManagerBench()
    let id = try await bench.manager.add(try bench.request("film"))
    let row = Row()
    weak var gone: Row?
    do {
      let other = Row()
      gone = other
      bind(other, to: id, in: bench.manager)
      bind(row, to: id, in: bench.manager)
      try await bench.pass(seconds: 0.2)
      interface.sync {}
      #expect(other.state.withLock { $0.shown } != nil)
    }
    #expect(gone == nil)
    #expect(row.state.withLock { $0.shown }?.state == .downloading)
    interface.sync { bench.manager.unbind(row) }
    bench.engine.running("film")?.finish()
    try await bench.pass(seconds: 0.3)
    interface.sync {}
    #expect(row.state.withLock { $0.shown }?.state == .downloading)
  }
}
