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
      try Meter.time("insert \(changes.count) in one durable commit") {
        try database.commit(changes, .durable)
      }
    }
    let before = Meter.residentMiB
    var summaries: [DownloadSummary] = []
    try Meter.time("summaries of \(count)") { summaries = try database.summaries().items }
    print("resident before and after: \(before), \(Meter.residentMiB) MiB")
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
      try Meter.time("1000 progress changes, \(durability)") {
        try database.commit(progress, durability)
      }
    }
    try Meter.time("500 single durable commits") {
      for change in progress.prefix(500) { try database.commit([change], .durable) }
    }
    try Meter.time("check") { print(try database.check().count, "findings") }
    database.close()
    try Meter.time("open again, and summaries") {
      summaries = try SQLiteDatabase(path: path).summaries().items
    }
    print("\(summaries.count) summaries")
  }

  private func page(_ name: String, _ database: SQLiteDatabase, _ query: RecordQuery) throws {
    try Meter.time(name) { _ = try database.page(query) }
  }
}
