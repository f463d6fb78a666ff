import Haul
import HaulRecords
import HaulSQLite
import HaulTestKit

/// A manager on SQLite and the real clock, whose list lies in a folder of its own.
struct TroubleBench {
  let folder: TemporaryFolder
  /// The folder of the list.
  let state: String

  init(state: String? = nil) throws {
    folder = try TemporaryFolder()
    self.state = state ?? folder.path("state")
    try folder.makeFolder("downloads")
    if state == nil { try folder.makeFolder("state") }
  }

  var path: String { state + "/downloads.sqlite" }

  /// Nothing runs by itself.
  func manager(_ change: (inout DownloadConfiguration) -> Void = { _ in }) -> DownloadManager {
    var configuration = DownloadConfiguration(
      stateFolder: state, downloads: folder.path("downloads"))
    configuration.settings.parallel = 0
    change(&configuration)
    return DownloadManager(configuration)
  }

  /// Makes a list, past the manager.
  @discardableResult
  func fill(_ count: Int) throws -> [DownloadRecord] {
    let sample = RecordSample(seed: 1)
    let records = try (0..<Int64(count)).map { try sample.waiting(position: $0) }
    let database = try SQLiteDatabase(path: path)
    defer { database.close() }
    try database.commit(records.map(RecordChange.insert), .durable)
    return records
  }

  /// What lies in the folder of the list; its lock is empty and says nothing.
  func contents() -> [String: [UInt8]] {
    var contents: [String: [UInt8]] = [:]
    for name in folder.names(in: "state") where name != "lock" && !name.hasSuffix("-shm") {
      contents[name] = folder.read("state/" + name)
    }
    // Reading makes an empty log.
    if contents["downloads.sqlite-wal"] == [] { contents["downloads.sqlite-wal"] = nil }
    return contents
  }

  /// What opening fails with.
  func failure(
    _ change: (inout DownloadConfiguration) -> Void = { _ in }
  ) async -> DownloadManagerFailure? {
    let manager = manager(change)
    do throws(DownloadManagerFailure) { try await manager.open() } catch { return error }
    await manager.close()
    return nil
  }
}
