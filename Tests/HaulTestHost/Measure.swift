import FoundationEssentials
import Glibc
import HaulRecords
import HaulSQLite
import HaulTestKit

/// What a list of some length costs, in milliseconds and MiB; to be built with `-c release`.
struct Measure {
  let path: String
  let count: Int

  func run() throws {
    let sample = RecordSample(seed: 1)
    let database = try SQLiteDatabase(path: path)
    var ids: [DownloadID] = []
    for first in stride(from: 0, to: count, by: 100_000) {
      let changes = try (first..<min(first + 100_000, count)).map { number in
        RecordChange.insert(try sample.waiting(position: Int64(number)))
      }
      ids += changes.prefix(1000).map(\.id)
      try time("insert \(changes.count) in one durable commit") {
        try database.commit(changes, .durable)
      }
    }
    let before = Self.residentMiB()
    var summaries: [DownloadSummary] = []
    try time("summaries of \(count)") { summaries = try database.summaries().items }
    print("resident before and after: \(before), \(Self.residentMiB()) MiB")
    var query = RecordQuery()
    try page("page of 100", database, query)
    query.offset = count - 100
    try page("last page of 100", database, query)
    (query.offset, query.states) = (0, [.waiting, .failed])
    try page("page of two states", database, query)
    query.search = "file-99"
    try page("page of two states and a search", database, query)
    (query.search, query.states, query.sort) = ("", nil, .name)
    try page("page by name", database, query)
    let progress = ids.prefix(1000).map {
      RecordChange.progress($0, attempt: 0, received: 5, total: 1 << 30)
    }
    for durability in [Durability.ordered, .durable] {
      try time("1000 progress changes, \(durability)") {
        try database.commit(progress, durability)
      }
    }
    try time("500 single durable commits") {
      for change in progress.prefix(500) { try database.commit([change], .durable) }
    }
    try time("check") { print(try database.check().count, "findings") }
    database.close()
    try time("open again, and summaries") {
      summaries = try SQLiteDatabase(path: path).summaries().items
    }
    print("\(summaries.count) summaries")
  }

  private func page(_ name: String, _ database: SQLiteDatabase, _ query: RecordQuery) throws {
    try time(name) { _ = try database.page(query) }
  }

  private func time(_ name: String, _ body: () throws -> Void) rethrows {
    let clock = ContinuousClock()
    let (start, processor) = (clock.now, Glibc.clock())
    try body()
    let processorTime = Double(Glibc.clock() - processor) / 1000
    let time = (clock.now - start).components
    let microseconds = time.seconds * 1_000_000 + time.attoseconds / 1_000_000_000_000
    print("\(name): \(Double(microseconds) / 1000) ms, \(processorTime) ms of a processor")
  }

  private static func residentMiB() -> Int {
    let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = text?.split(separator: "\n").first { $0.hasPrefix("VmRSS") }
    return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) / 1024
  }
}
