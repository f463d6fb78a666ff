import Glibc
import HaulRecords
import HaulSQLite
import HaulTestKit

/// What a test runs as a process of its own, in order to kill it.
///
/// `HaulTestHost commit PATH FIRST` opens a database and commits the records FIRST, FIRST + 1, … of the
/// list, each in a commit of its own, until it is killed. It writes the number of each to standard output
/// once its commit returned.
///
/// `HaulTestHost measure PATH COUNT` tells what a new list of so many records costs.
@main
enum Main {
  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let number = Int64(arguments[3]), number >= 0 else { exit(2) }
    do {
      switch arguments[1] {
      case "commit": try commit(to: arguments[2], from: number)
      case "measure": try Measure(path: arguments[2], count: Int(number)).run()
      default: exit(2)
      }
    } catch {
      write("failed: \(error)")
      exit(1)
    }
  }

  private static func commit(to path: String, from first: Int64) throws {
    let database = try SQLiteDatabase(path: path)
    for number in first... {
      let record = try RecordSample(seed: UInt64(number)).waiting(position: number)
      try database.commit([.insert(record)], number % 3 == 0 ? .durable : .ordered)
      write("\(number)")
    }
  }

  private static func write(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    // The array lives through the call; a line is shorter than what a pipe takes at once.
    _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(1, $0.baseAddress, $0.count) }
  }
}
