import Foundation
import HaulRecords
import HaulSQLite
import HaulTestKit
import Testing

let environment = ProcessInfo.processInfo.environment

/// A folder with the state of a list and its files, and the program that has them in a process of its own.
struct Host {
  let folder: TemporaryFolder
  var state: String { folder.path("state") }
  var downloads: String { folder.path("downloads") }

  /// The program stands beside the test bundle.
  private static let program: String = {
    let bundle = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(fileURLWithPath: bundle ?? CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("HaulTestHost").path
  }()

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFolder("downloads")
  }

  func start(_ command: String, _ arguments: String...) throws -> ChildProcess {
    try ChildProcess(
      Self.program, [command, state, downloads] + arguments, folder: folder.path)
  }

  private func database() throws -> SQLiteDatabase {
    try SQLiteDatabase(path: state + "/downloads.sqlite")
  }

  /// Looks whether what a process left is whole.
  func checkDatabase(_ note: Comment) throws {
    guard folder.names(in: "state").contains("downloads.sqlite") else { return }
    let database = try database()
    defer { database.close() }
    #expect(try database.check() == [], note)
    #expect(try database.summaries().unreadable == [], note)
  }

  func ids() throws -> [DownloadID] {
    let database = try database()
    defer { database.close() }
    return try database.summaries().items.map(\.id)
  }
}
