import HaulHTTP
import HaulRecords
import HaulTestKit
import HaulTransfer
import Testing

@testable import Haul

/// What waits has a reason, and goes on by itself.
@Suite struct WaitingTests {
  private func one(
    _ bench: ManagerBench, _ code: TransferFailure.Code, status: Int? = nil
  ) async throws -> DownloadID {
    let id = try await bench.manager.add(try bench.request("film"))
    try await bench.settle()
    bench.engine.running("film")?.receive(40, of: 100)
    bench.engine.running("film")?.fail(code, status: status)
    try await bench.settle()
    return id
  }

  /// T10: the network goes, and comes back.
  @Test func aNetworkThatFailsIsWaitedOut() async throws {
    let bench = ManagerBench()
    let id = try await one(bench, .connectionLost)
    let waiting = try #require(try await bench.manager.snapshot(of: id))
    #expect(waiting.state == .waiting && waiting.reason == .network && waiting.received == 40)
    #expect(waiting.failure?.code == "connection-lost")
    #expect((3.7...6.3).contains(waiting.secondsToRetry ?? 0))
    try await bench.pass(seconds: 7)
    #expect(try await bench.state(id) == .downloading)
    // It may take as long as it takes.
    for _ in 0..<20 {
      bench.engine.running("film")?.fail(.timeout)
      try await bench.settle()
      #expect(try await bench.manager.snapshot(of: id)?.reason == .network)
      bench.clock.advance(seconds: 400)
      try await bench.settle()
    }
    #expect(try await bench.state(id) == .downloading)
  }

  @Test func anAppThatKnowsOfTheNetworkSaysSo() async throws {
    let bench = ManagerBench()
    let id = try await bench.manager.add(try bench.request("film"))
    try await bench.settle()
    bench.manager.updateSettings { $0.isOnline = false }
    try await bench.settle()
    #expect(bench.engine.running.isEmpty)
    #expect(try await bench.manager.snapshot(of: id)?.reason == .network)
    bench.manager.updateSettings { $0.isOnline = true }
    try await bench.settle()
    #expect(bench.engine.running.count == 1)
  }

  /// D1: a full disk.
  @Test func aFullDiskIsWaitedOut() async throws {
    let bench = ManagerBench()
    bench.engine.setFreeBytes(1000)
    let id = try await one(bench, .diskFull)
    let waiting = try #require(try await bench.manager.snapshot(of: id))
    #expect(waiting.reason == .disk && waiting.failure?.code == "disk-full")
    try await bench.pass(seconds: 12)
    #expect(try await bench.manager.snapshot(of: id)?.reason == .disk)
    bench.engine.setFreeBytes(1 << 30)
    for _ in 0..<20 where try await bench.state(id) != .downloading {
      try await bench.pass(seconds: 1)
    }
    #expect(try await bench.state(id) == .downloading)
  }

  @Test func aServerThatFailsIsTriedSomeTimes() async throws {
    let bench = ManagerBench()
    let id = try await one(bench, .httpStatus, status: 503)
    for _ in 0..<5 {
      #expect(try await bench.manager.snapshot(of: id)?.reason == .retry)
      bench.clock.advance(seconds: 400)
      try await bench.settle()
      bench.engine.running("film")?.fail(.httpStatus, status: 503)
      try await bench.settle()
    }
    let failed = try #require(try await bench.manager.snapshot(of: id))
    #expect(
      failed.state == .failed && failed.reason == nil && failed.failure?.code == "http-status")
    bench.manager.retry(id)
    try await bench.settle()
    #expect(try await bench.manager.snapshot(of: id)?.failure == nil)
    #expect(bench.engine.running.count == 1)
  }

  /// Q7: limits take effect at once, also those for each server.
  @Test func limitsMayBeLoweredAndRaised() async throws {
    let bench = ManagerBench { $0.settings.parallel = 6 }
    let addresses = (0..<4).flatMap { ["https://a.example/\($0)", "https://b.example/\($0)"] }
    let ids = try await bench.manager.add(addresses.map { try DownloadRequest($0) })
    try await bench.settle()
    #expect(bench.engine.running.count == 6)
    bench.manager.updateSettings { $0.parallel = 2 }
    try await bench.settle()
    #expect(bench.engine.running.count == 2)
    bench.manager.updateSettings {
      $0.parallel = 6
      $0.perHost = 1
    }
    try await bench.settle()
    #expect(Set(bench.engine.running.map(\.request.url.host)) == ["a.example", "b.example"])
    #expect(bench.engine.running.count == 2)
    let reasons = try await bench.manager.page().items.compactMap(\.reason)
    #expect(reasons == Array(repeating: .host, count: 6))
    bench.manager.updateSettings { $0.perHost = nil }
    try await bench.settle()
    #expect(bench.engine.running.count == 6)
    bench.manager.setPriority(9, of: .id(ids[7]))
    bench.engine.running.first?.finish()
    try await bench.settle()
    #expect(try await bench.state(ids[7]) == .downloading)
    #expect(bench.engine.faults == [])
  }

  @Test func downloadsRunAtTheirHours() async throws {
    #expect(DownloadSchedule(from: 60, to: 120).isOpen(atMinute: 60))
    #expect(!DownloadSchedule(from: 60, to: 120).isOpen(atMinute: 120))
    #expect(DownloadSchedule(from: 1380, to: 360).isOpen(atMinute: 30))
    #expect(!DownloadSchedule(from: 1380, to: 360).isOpen(atMinute: 720))
    #expect(DownloadSchedule(from: 0, to: 1440).isOpen(atMinute: 1439))
    #expect(DownloadSchedule(from: 5, to: 5).isOpen(atMinute: 7))
    let bench = ManagerBench()
    // Half a day that is not now, in whichever zone this runs.
    let open =
      (0..<1440).first {
        DownloadSchedule(from: $0, to: $0 + 1).isOpen(atUnixTime: bench.clock.unixTime)
      } ?? 0
    let start = (open + 60) % 1440
    bench.manager.updateSettings {
      $0.schedule = DownloadSchedule(from: start, to: (start + 600) % 1440)
    }
    let id = try await bench.manager.add(try bench.request("film"))
    try await bench.settle()
    #expect(try await bench.manager.snapshot(of: id)?.reason == .schedule)
    bench.clock.advance(seconds: 3700)
    try await bench.settle()
    #expect(try await bench.state(id) == .downloading)
    bench.clock.advance(seconds: 36_000)
    try await bench.settle()
    #expect(try await bench.manager.snapshot(of: id)?.reason == .schedule)
    #expect(bench.engine.running.isEmpty)
  }
}
