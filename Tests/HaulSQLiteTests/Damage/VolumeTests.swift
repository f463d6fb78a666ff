import HaulRecords
import HaulTestKit
import Testing

@testable import HaulSQLite

/// Volumes that are full, or that cannot be written to.
@Suite(.enabled(if: Mount.isPossible)) struct VolumeTests {
  @Test func aFullVolumeKeepsWhatIsThere() async throws {
    let volume = try await Mount(options: "size=512k")
    let path = volume.path + "/list"
    let database = try SQLiteDatabase(path: path)
    let sample = RecordSample(seed: 1)
    var stored: [DownloadRecord] = []
    var failure: DatabaseFailure?
    while failure == nil, stored.count < 10_000 {
      let records = try (0..<20).map { try sample.waiting(position: Int64(stored.count + $0)) }
      do throws(DatabaseFailure) {
        try database.commit(records.map(RecordChange.insert), .durable)
        stored += records
      } catch {
        failure = error
      }
    }
    #expect(failure?.code == .diskFull, "\(String(describing: failure))")
    #expect(failure?.message.contains("Free some space") == true)
    #expect(try database.summaries().items == stored.map(\.summary))
    try await volume.remount(options: "size=4m")
    let last = try sample.waiting(position: .max)
    try database.commit([.insert(last)], .durable)
    database.close()
    let again = try SQLiteDatabase(path: path)
    #expect(try again.summaries().items == (stored + [last]).map(\.summary))
    #expect(try again.check() == [])
  }

  @Test func aListCannotBeMadeOnAFullVolume() async throws {
    let volume = try await Mount(options: "size=8k")
    for _ in 0..<2 {
      let failure = #expect(throws: DatabaseFailure.self) {
        try SQLiteDatabase(path: volume.path + "/list")
      }
      #expect(failure?.code == .diskFull)
      #expect(!volume.names.contains("list"))
    }
    try await volume.remount(options: "size=4m")
    #expect(try SQLiteDatabase(path: volume.path + "/list").summaries().items.isEmpty)
  }

  @Test func aReadOnlyVolumeIsNamed() async throws {
    let volume = try await Mount(options: "size=4m")
    let path = volume.path + "/list"
    let record = try RecordSample(seed: 2).any()
    let database = try SQLiteDatabase(path: path)
    try database.commit([.insert(record)], .durable)
    database.close()
    try await volume.remount(options: "ro")
    for name in ["list", "other"] {
      let failure = #expect(throws: DatabaseFailure.self) {
        try SQLiteDatabase(path: volume.path + "/" + name)
      }
      #expect(failure?.code == .readOnly, "\(name): \(String(describing: failure))")
    }
    try await volume.remount(options: "rw")
    #expect(try SQLiteDatabase(path: path).records([record.id]).items == [record])
  }
}
