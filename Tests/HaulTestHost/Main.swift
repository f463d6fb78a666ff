import Glibc
import Haul
import HaulRecords
import HaulSQLite
import HaulTestKit

/// What a test runs as a process of its own, in order to kill it, and what measures.
///
/// `commit PATH FIRST` opens a database and commits the records FIRST, FIRST + 1, … of the list, each in a
/// commit of its own, until it is killed. It writes the number of each to standard output once its commit
/// returned.
///
/// `unrest STATE DOWNLOADS WISHES SEED` opens a list of downloads, adds those of the file WISHES that it has
/// not, and asks one thing after another of it until it is killed. It writes `open` once the list is open.
///
/// `finish STATE DOWNLOADS WISHES` lets the same list come to its end, and writes what it holds.
///
/// `hold STATE DOWNLOADS` opens a list, writes `open` and waits to be killed.
///
/// `measure PATH COUNT` tells what a new database of so many records costs, `measure-list FOLDER COUNT` what
/// a new list of downloads does, `measure-opening FOLDER` what it takes to open that again, and
/// `measure-running FOLDER COUNT OBSERVERS` what running downloads cost that are watched.
@main
enum Main {
  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      guard try await run(arguments) else { exit(2) }
    } catch {
      Output.output.write("failed: \(error)")
      exit(1)
    }
  }

  /// Whether it is a command.
  private static func run(_ arguments: [String]) async throws -> Bool {
    let numbers = arguments.map { Int($0) ?? -1 }
    switch (arguments.first, arguments.count) {
    case ("commit", 3) where numbers[2] >= 0:
      try commit(to: arguments[1], from: Int64(numbers[2]))
    case ("unrest", 5):
      guard let seed = UInt64(arguments[4]) else { return false }
      let owner = try Owner(state: arguments[1], downloads: arguments[2], wishes: arguments[3])
      try await owner.open()
      Output.output.write("open")
      try await Unrest(owner: owner, random: SeededRandom(seed: seed)).run()
    case ("finish", 4):
      let owner = try Owner(state: arguments[1], downloads: arguments[2], wishes: arguments[3])
      try await owner.open()
      try await Finish(owner: owner).run()
    case ("hold", 3):
      let manager = DownloadManager(
        DownloadConfiguration(stateFolder: arguments[1], downloads: arguments[2]))
      try await manager.open()
      Output.output.write("open")
      for await _ in manager.events() {}
    case ("measure", 3) where numbers[2] >= 0:
      try Measure(path: arguments[1], count: numbers[2]).run()
    case ("measure-list", 3) where numbers[2] > 0:
      try await ListMeasure(folder: arguments[1]).make(numbers[2])
    case ("measure-opening", 2): try await ListMeasure(folder: arguments[1]).open()
    case ("measure-running", 4) where numbers[2] > 0 && numbers[3] >= 0:
      try await RunningMeasure(folder: arguments[1], count: numbers[2], observers: numbers[3]).run()
    default: return false
    }
    return true
  }

  private static func commit(to path: String, from first: Int64) throws {
    let database = try SQLiteDatabase(path: path)
    for number in first... {
      let record = try RecordSample(seed: UInt64(number)).waiting(position: number)
      try database.commit([.insert(record)], number % 3 == 0 ? .durable : .ordered)
      Output.output.write("\(number)")
    }
  }
}
