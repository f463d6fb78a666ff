import HaulHTTP
import HaulRecords
import HaulTestKit
import HaulTransfer
import Synchronization

@testable import Haul

/// A manager with a fake engine on a virtual clock, its list in memory.
struct ManagerBench {
  let clock = VirtualClock()
  let engine = FakeEngine()
  let database: any RecordDatabase
  let secrets = MemorySecrets()
  let manager: DownloadManager

  init(
    _ database: any RecordDatabase = MemoryDatabase(),
    _ change: (inout DownloadConfiguration) -> Void = { _ in }
  ) {
    self.database = database
    var configuration = DownloadConfiguration(stateFolder: "/nowhere", downloads: "/downloads")
    configuration.engine = engine
    configuration.database = database
    configuration.secrets = secrets
    configuration.clock = clock
    change(&configuration)
    manager = DownloadManager(configuration)
  }

  func request(
    _ name: String, _ change: (inout DownloadRequest) -> Void = { _ in }
  ) throws -> DownloadRequest {
    var request = try DownloadRequest("https://example.org/\(name)")
    change(&request)
    return request
  }

  /// Waits until all that was asked for and all that came of it is done.
  func settle() async throws {
    // What an effect brings in its turn is behind it in line.
    for _ in 0..<8 { try await manager.stored() }
  }

  /// Lets time pass in steps, and everything happen in it.
  func pass(seconds: Double) async throws {
    for _ in 0..<Int((seconds * 10).rounded(.up)) {
      clock.advance(seconds: 0.1)
      try await settle()
    }
  }

  func state(_ id: DownloadID) async throws -> DownloadState? {
    try await manager.snapshot(of: id)?.state
  }

  func stored(_ id: DownloadID) throws -> DownloadRecord? {
    try database.records([id]).items.first
  }
}
