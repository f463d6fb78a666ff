internal import HaulHTTP
internal import HaulRecords

extension DatabaseRule {
  static let changes: [DatabaseRule] = [
    DatabaseRule("a new database is empty") { fixture in
      let database = try fixture.open()
      try require(database.summaries().items.isEmpty, "no summaries")
      try require(database.page(RecordQuery()).total == 0, "an empty page")
      try database.commit([], .durable)
      try require(database.check().isEmpty, "nothing to find")
    },
    DatabaseRule("records come back as they were stored") { fixture in
      let sample = RecordSample(seed: 7)
      let records = try (0..<200).map { _ in try sample.any() }
      var database = try fixture.open()
      try database.commit(records.map(RecordChange.insert), .durable)
      for _ in 0..<2 {
        let listing = try database.records(records.map(\.id))
        try require(listing.items == records, "all of every record")
        try require(listing.unreadable.isEmpty, "all can be read")
        let summaries = Set(try database.summaries().items)
        try require(summaries == Set(records.map(\.summary)), "all summaries")
        database = try fixture.open()
      }
    },
    DatabaseRule("a commit counts as a whole or not at all") { fixture in
      let sample = RecordSample(seed: 8)
      let (one, two) = (try sample.any(), try sample.any())
      let database = try fixture.open()
      try database.commit([.insert(one)], .ordered)
      let changes: [RecordChange] = [.insert(two), .position(one.id, 77), .remove(one.id)]
      for misfit in [RecordChange.insert(two), .replace(one), .insert(try sample.negative())] {
        try requireFailure(.invalid, "\(misfit)") { () throws(DatabaseFailure) in
          try database.commit(changes + [misfit], .durable)
        }
        let items = try database.records([one.id, two.id]).items
        try require(items == [one], "as it was")
      }
      try database.commit(changes, .durable)
      try require(database.records([one.id, two.id]).items == [two], "changed")
    },
    DatabaseRule("what may not be stored is refused") { fixture in
      let database = try fixture.open()
      let good = try RecordSample(seed: 9).waiting(position: 0)
      try database.commit([.insert(good)], .ordered)
      for edit in RecordSample.misdeeds {
        var bad = good
        try edit(&bad)
        try requireFailure(.invalid, "\(bad)") { () throws(DatabaseFailure) in
          try database.commit([.replace(bad)], .ordered)
        }
      }
      for (received, total) in [(Int64(-1), Int64?.none), (0, -1), (2, 1)] {
        try requireFailure(.invalid, "\(received)") { () throws(DatabaseFailure) in
          let change = RecordChange.progress(good.id, attempt: 0, received: received, total: total)
          try database.commit([change], .ordered)
        }
      }
      try require(database.records([good.id]).items == [good], "as it was")
    },
    DatabaseRule("changes of one commit are made in their order") { fixture in
      let sample = RecordSample(seed: 10)
      let database = try fixture.open()
      var record = try sample.waiting(position: 4)
      let first = record
      record.wantedName = "second"
      try database.commit(
        [
          .insert(first), .replace(record), .remove(first.id), .insert(first),
          .position(first.id, 5), .replace(record), .priority(first.id, 9),
        ], .ordered)
      record.priority = 9
      try require(database.records([first.id]).items == [record], "the last word counts")
    },
    DatabaseRule("news of another attempt, and of what is gone, change nothing") { fixture in
      let sample = RecordSample(seed: 11)
      let database = try fixture.open()
      var record = try sample.waiting(position: 1)
      record.attempt = 3
      try database.commit([.insert(record)], .ordered)
      let gone = sample.id()
      try database.commit(
        [
          .progress(record.id, attempt: 2, received: 5, total: 9),
          .progress(gone, attempt: 0, received: 5, total: 9), .position(gone, 1),
          .state(gone, .failed, attempt: 1, failure: nil, at: 1), .priority(gone, 1), .remove(gone),
        ], .ordered)
      try require(database.records([record.id, gone]).items == [record], "as it was")
      try database.commit([.progress(record.id, attempt: 3, received: 5, total: 9)], .ordered)
      (record.received, record.total) = (5, 9)
      try require(database.records([record.id]).items == [record], "its own news count")
    },
    DatabaseRule("a state brings its attempt, failure and times") { fixture in
      let database = try fixture.open()
      var record = try RecordSample(seed: 12).waiting(position: 1)
      try database.commit([.insert(record)], .ordered)
      let failure = RecordFailure(code: "tls", message: "no")
      for (state, failure) in [(DownloadState.failed, failure), (.finished, nil), (.waiting, nil)] {
        record.state = state
        record.attempt += 1
        record.failure = failure
        record.updated += 10
        record.finished = state == .finished ? record.updated : nil
        let change = RecordChange.state(
          record.id, state, attempt: record.attempt, failure: failure, at: record.updated)
        try database.commit([change], .durable)
        try require(database.records([record.id]).items == [record], "\(state)")
      }
    },
  ]
}

extension RecordSample {
  /// A record that may not be stored.
  fileprivate func negative() throws -> DownloadRecord {
    var record = try any()
    record.received = -1
    return record
  }

  /// What makes a good record one that may not be stored.
  fileprivate static let misdeeds: [@Sendable (inout DownloadRecord) throws -> Void] = [
    { $0.received = -1 },
    { $0.total = -1 },
    { ($0.received, $0.total) = (2, 1) },
    { $0.url = try HTTPURL(parsing: "https://me:secret@a.example/") },
    { $0.wantedName = "a\0b" },
    { $0.file = try RecordPath(base: "elsewhere", relative: "a") },
    { $0.options.connections = 0 },
    { $0.options.rateLimit = 0 },
    { $0.options.mirrors = [try HTTPURL(parsing: "https://me@a.example/")] },
  ]
}
