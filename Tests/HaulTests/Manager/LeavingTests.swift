import HaulRecords
import HaulTestKit
import HaulTransfer
import Testing

@testable import Haul

/// Downloads that are on their way out of the list while their attempts are still being stopped.
@Suite struct LeavingTests {
  /// A download that runs, and takes its time to stop.
  private func slow(_ bench: ManagerBench) async throws -> (DownloadID, FakeDownload) {
    let id = try await bench.manager.add(try bench.request("film"))
    try await bench.settle()
    let running = try #require(bench.engine.running("film"))
    running.receive(50, of: 100)
    running.stopLate()
    return (id, running)
  }

  /// Who added what he had just removed got the id of the one that was about to leave, and lost both.
  @Test func nobodyJoinsOneThatLeaves() async throws {
    let bench = ManagerBench()
    let (old, running) = try await slow(bench)
    bench.manager.remove(old)
    let new = try await bench.manager.add(try bench.request("film"))
    #expect(new != old)
    running.end(.stopped(received: 50, isResumable: true))
    try await bench.settle()
    #expect(try await bench.manager.snapshot(of: old) == nil)
    #expect(try await bench.state(new) == .downloading)
    #expect(bench.engine.faults == [])
  }

  /// The process died while the attempt was being stopped: the download was back, beside the one that had
  /// taken its place.
  @Test(arguments: [false, true])
  func whatLeftDoesNotComeBackWithTheProcess(isReplaced: Bool) async throws {
    let bench = ManagerBench()
    let (old, running) = try await slow(bench)
    var new: DownloadID?
    if isReplaced {
      new = try await bench.manager.add(try bench.request("film") { $0.onDuplicate = .replace })
    } else {
      bench.manager.remove(old)
      try await bench.manager.stored()
    }
    #expect(running.isRunning)
    let next = ManagerBench(bench.database)
    _ = try await next.manager.open()
    #expect(try await next.manager.page().items.map(\.id) == (new.map { [$0] } ?? []))

    // It is shown for as long as it is in the list, and its bytes go then.
    #expect(try await bench.manager.page().items.map(\.id) == [old] + (new.map { [$0] } ?? []))
    running.receive(60, of: 100)
    running.end(.stopped(received: 60, isResumable: true))
    try await bench.settle()
    // The one in its place goes on from there.
    #expect(bench.engine.discarded == (isReplaced ? [] : ["https://example.org/film"]))
    #expect(try await bench.manager.snapshot(of: old) == nil)
    try await bench.pass(seconds: 1)
    #expect(bench.engine.faults == [])
  }

  /// The name was not known yet when the removal was stored.
  @Test func theFileGoesAlsoWhenItIsFinishedMeanwhile() async throws {
    let bench = ManagerBench()
    let id = try await bench.manager.add(try bench.request("film"))
    try await bench.settle()
    let running = try #require(bench.engine.running("film"))
    running.stopLate()
    bench.manager.remove(id, files: true)
    try await bench.manager.stored()
    running.receive(100, of: 100)
    running.finish()
    try await bench.settle()
    #expect(bench.engine.removed == ["/downloads/film"])
    #expect(try await bench.manager.totals().count == 0)
    try await bench.manager.stored()
  }
}
