import Foundation
import HaulRecords
import HaulSystem
import HaulTestKit
import Synchronization

@testable import HaulSQLite

/// A folder with a database, which is opened and closed by turns.
final class Place: DatabaseFixture {
  let folder: TemporaryFolder
  private let opened = Mutex<SQLiteDatabase?>(nil)

  init() throws { folder = try TemporaryFolder() }

  var path: String { folder.path("list") }

  func open() throws -> any RecordDatabase { try reopen() }

  func reopen() throws(DatabaseFailure) -> SQLiteDatabase {
    close()
    let database = try SQLiteDatabase(path: path)
    opened.withLock { $0 = database }
    return database
  }

  func close() {
    opened.withLock { database in
      database?.close()
      database = nil
    }
  }

  /// Fills the database, closes it, and gives the records.
  @discardableResult
  func fill(_ count: Int, seed: UInt64 = 1) throws -> [DownloadRecord] {
    let sample = RecordSample(seed: seed)
    let records = try (0..<Int64(count)).map { try sample.waiting(position: $0) }
    let database = try reopen()
    try database.commit(records.map(RecordChange.insert), .durable)
    close()
    return records
  }

  /// A connection past the database, for what it would never do itself.
  func connection() throws -> Connection {
    try Connection(path, .readWrite, busyMilliseconds: 0)
  }

  /// The bytes of all files, to see whether anything was touched. An empty log beside a list, as reading
  /// it makes, is nothing.
  func contents() -> [String: [UInt8]] {
    var contents: [String: [UInt8]] = [:]
    for name in folder.names() where !name.hasSuffix("-shm") { contents[name] = folder.read(name) }
    if contents["list-wal"] == [] { contents["list-wal"] = nil }
    return contents
  }

  /// What opening fails with.
  func failure() -> DatabaseFailure.Code? {
    do throws(DatabaseFailure) {
      _ = try reopen()
      return nil
    } catch {
      return error.code
    }
  }

  func permissions(_ name: String) throws -> UInt32? {
    try PosixDisk().status(name, inFolder: folder.path)?.permissions
  }
}

/// The program that tests run in order to kill it; it stands beside the test bundle.
enum TestHost {
  static let path: String = {
    let bundle = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let own = bundle ?? CommandLine.arguments[0]
    return URL(fileURLWithPath: own).deletingLastPathComponent()
      .appendingPathComponent("HaulTestHost").path
  }()
}

let environment = ProcessInfo.processInfo.environment

extension Place {
  func size(_ name: String) throws -> Int64 {
    try PosixDisk().status(name, inFolder: folder.path)?.byteCount ?? 0
  }

  /// Changes bytes of the closed database.
  func damage(_ change: (inout [UInt8]) -> Void) throws {
    var bytes = folder.read("list") ?? []
    change(&bytes)
    try folder.write(bytes, to: "list")
  }
}

extension TemporaryFolder {
  func open(_ name: String) throws -> any DiskFile {
    try PosixDisk().openFolder(path, create: false).open(name, .update)
  }

  func remove(_ name: String) throws {
    try PosixDisk().openFolder(path, create: false).remove(name)
  }
}
