internal import HaulHTTP
internal import HaulRecords

extension DatabaseRule {
  static let listing: [DatabaseRule] = [
    DatabaseRule("the list stands in the order of positions, then of ids") { fixture in
      let sample = RecordSample(seed: 20)
      let database = try fixture.open()
      var model = ListModel()
      for position: Int64 in [5, .max, -3, 5, 5, 0, .min, 5] {
        let changes = [RecordChange.insert(try sample.waiting(position: position))]
        try database.commit(changes, .ordered)
        _ = model.commit(changes)
      }
      let summaries = try database.summaries().items
      try require(summaries == model.ordered.map(\.summary), "in order")
    },
    DatabaseRule("records come in the order of the ids asked for") { fixture in
      let sample = RecordSample(seed: 21)
      let database = try fixture.open()
      let (one, two) = (try sample.any(), try sample.any())
      try database.commit([.insert(one), .insert(two)], .ordered)
      let listing = try database.records([two.id, sample.id(), one.id, two.id])
      try require(listing.items == [two, one, two], "in the order asked for")
      try require(database.records([]).items.isEmpty, "none")
    },
  ]

  static let pages: [DatabaseRule] = [
    DatabaseRule("pages are sorted, filtered, and cut") { fixture in
      let sample = RecordSample(seed: 22)
      let database = try fixture.open()
      var model = ListModel()
      let changes = try (0..<120).map { _ in RecordChange.insert(try sample.any()) }
      try database.commit(changes, .ordered)
      _ = model.commit(changes)
      for sort in RecordQuery.Sort.allCases {
        for isDescending in [false, true] {
          for states in [nil, [], [.paused, .failed], Set(DownloadState.allCases)] as [Set?] {
            var query = RecordQuery()
            query.sort = sort
            query.isDescending = isDescending
            query.states = states
            query.limit = 1000
            try compare(database, model, query)
            (query.offset, query.limit) = (7, 9)
            try compare(database, model, query)
          }
        }
      }
    },
    DatabaseRule("a search takes every character as it is") { fixture in
      let sample = RecordSample(seed: 23)
      let database = try fixture.open()
      var model = ListModel()
      let changes = try (0..<150).map { _ in RecordChange.insert(try sample.any()) }
      try database.commit(changes, .ordered)
      _ = model.commit(changes)
      for search in [
        "%", "_", "\\", "'", "\"", "NAME", "name_", "%c3", "\u{FC}", "\u{DC}", "n\u{301}a",
        "\u{301}",
        "\u{1F9FF}", "A.EXAMPLE", "sig=", "#part", "a\0", "\0", "https://", "*", "?", "[a]", "none",
        String(repeating: "%", count: 70_000),
      ] {
        var query = RecordQuery()
        query.search = search
        try compare(database, model, query)
        query.states = [.waiting]
        try compare(database, model, query)
      }
    },
    DatabaseRule("offset and limit are bounded") { fixture in
      let sample = RecordSample(seed: 24)
      let database = try fixture.open()
      let records = try (0..<1010).map { try sample.waiting(position: $0) }
      try database.commit(records.map(RecordChange.insert), .ordered)
      for (offset, limit, expected) in [
        (0, Int.max, 0..<1000), (-5, 2, 0..<2), (.min, 1, 0..<1), (0, 0, 0..<0), (0, .min, 0..<0),
        (1005, 100, 1005..<1010), (.max, 100, 0..<0),
      ] {
        var query = RecordQuery()
        (query.offset, query.limit) = (offset, limit)
        let page = try database.page(query)
        try require(page.listing.items == Array(records[expected]), "\(offset), \(limit)")
        try require(page.total == 1010, "the total is that of all")
      }
    },
  ]

  static func compare(
    _ database: any RecordDatabase, _ model: ListModel, _ query: RecordQuery, _ note: String = ""
  ) throws {
    let page = try database.page(query)
    let found = model.found(query)
    try require(page.total == found.count, "\(note)\(query): \(page.total), \(found.count)")
    let expected = found.dropFirst(query.offset).prefix(query.limit)
    try require(page.listing.items == Array(expected), "\(note)\(query)")
    try require(page.listing.unreadable.isEmpty, "\(note)all can be read")
  }
}
