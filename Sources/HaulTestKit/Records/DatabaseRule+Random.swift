internal import HaulRecords

extension DatabaseRule {
  /// Random commits do what they do to a plain array, also after the database was opened anew. A failure
  /// names its seed, and `random(seeds: SEED...SEED)` does it again.
  public static func random(seeds: ClosedRange<UInt64>) -> DatabaseRule {
    DatabaseRule("random commits do what they do to a plain list, seeds \(seeds)") { fixture in
      var run = RandomRun(try fixture.open())
      for seed in seeds {
        run.begin(seed)
        for number in 1...60 {
          try run.commit()
          guard number % 13 == 0 else { continue }
          run.database = try fixture.open()
          try run.compare()
        }
        try run.compare()
      }
    }
  }
}

/// A database and the list that it should hold.
private struct RandomRun {
  var database: any RecordDatabase
  private var model = ListModel()
  private var sample = RecordSample(seed: 0)
  private var seed: UInt64 = 0

  init(_ database: any RecordDatabase) {
    self.database = database
  }

  mutating func begin(_ seed: UInt64) {
    self.seed = seed
    sample = RecordSample(seed: seed)
  }

  mutating func commit() throws {
    let changes = try (0..<sample.pick([1, 1, 2, 8])).map { _ in try change() }
    var isDone = true
    do throws(DatabaseFailure) {
      try database.commit(changes, sample.draw(2) == 0 ? .durable : .ordered)
    } catch {
      try require(error.code == .invalid, "seed \(seed): \(error)")
      isDone = false
    }
    try require(model.commit(changes) == isDone, "seed \(seed): \(changes)")
  }

  func compare() throws {
    let summaries = try database.summaries()
    try require(summaries.items == model.ordered.map(\.summary), "seed \(seed): the summaries")
    let records = try database.records(model.ordered.map(\.id))
    try require(records.items == model.ordered, "seed \(seed): the records")
    var query = RecordQuery()
    query.sort = sample.pick(RecordQuery.Sort.allCases)
    query.isDescending = sample.draw(2) == 0
    query.states = sample.pick([nil, [.waiting, .finished]])
    query.search = sample.pick(["", "a", "%"])
    query.offset = sample.draw(20)
    try DatabaseRule.compare(database, model, query, "seed \(seed): ")
    try require(database.check().isEmpty, "seed \(seed): nothing to find")
  }

  private func change() throws -> RecordChange {
    let known = model.records.isEmpty || sample.draw(12) == 0 ? nil : sample.pick(model.records)
    let id = known?.id ?? sample.id()
    switch sample.draw(10) {
    case 0, 1, 2, 3: return .insert(try sample.any())
    case 4:
      // Mostly one that is there, sometimes one that is not.
      guard var record = known else { return .replace(try sample.any()) }
      record.wantedName = sample.pick(["new", nil])
      record.options = try sample.any().options
      return .replace(record)
    case 5:
      return .state(
        id, sample.pick(DownloadState.allCases), attempt: sample.pick([0, 1, 2]),
        failure: sample.pick([nil, RecordFailure(code: "io", message: "m")]), at: 9)
    case 6:
      return .progress(
        id, attempt: known?.attempt ?? 0, received: sample.pick([0, 4, 4, 9]),
        total: sample.pick([nil, 9, 9, 5]))
    case 7: return .position(id, sample.pick([-1, 0, 1, 1]))
    case 8: return sample.draw(3) == 0 ? .insert(try known ?? sample.any()) : .priority(id, 3)
    default: return .remove(id)
    }
  }
}
