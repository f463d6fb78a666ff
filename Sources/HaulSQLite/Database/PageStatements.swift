import HaulRecords

/// The statements of a page, put together of constants; states, text and numbers are bound.
struct PageStatements {
  /// How many records there are of the kind.
  let count: String
  /// The records of the page.
  let rows: String
  /// What is bound to `count`.
  let conditionValues: [SQLValue]
  /// What is bound to `rows`.
  let values: [SQLValue]

  init(_ query: RecordQuery) {
    var conditions: [String] = []
    if query.states != nil {
      conditions.append("state IN (SELECT value FROM json_each(?1))")
    }
    if !query.search.isEmpty {
      // `lower` knows ASCII only, and `instr` compares as it is, so that no character means something
      // else, as it would with LIKE.
      conditions.append("(instr(lower(url), ?2) > 0 OR instr(lower(name), ?2) > 0)")
    }
    let condition = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
    count = "SELECT count(*) FROM downloads" + condition
    // The rows are chosen by the narrow columns first, so that those passed over are not read.
    rows =
      "SELECT \(RecordRow.columns) FROM downloads JOIN (SELECT row AS chosen FROM downloads"
      + condition + Self.order(query) + " LIMIT ?3 OFFSET ?4) ON row = chosen" + Self.order(query)
    // The raw values are words of ASCII letters.
    let states = query.states.map { states in
      "[" + states.map { "\"\($0.rawValue)\"" }.sorted().joined(separator: ",") + "]"
    }
    conditionValues = [.text(ifAny: states), .text(query.foldedSearch)]
    values =
      conditionValues + [
        .integer(Int64(query.boundedLimit)), .integer(Int64(query.boundedOffset)),
      ]
  }

  private static func order(_ query: RecordQuery) -> String {
    query.isDescending ? descending(query.sort) : ascending(query.sort)
  }

  private static func ascending(_ sort: RecordQuery.Sort) -> String {
    switch sort {
    case .position: " ORDER BY position, id"
    case .added: " ORDER BY added, position, id"
    case .name: " ORDER BY name COLLATE NOCASE, position, id"
    case .received: " ORDER BY received, position, id"
    case .total: " ORDER BY total, position, id"
    case .state: " ORDER BY state, position, id"
    }
  }

  private static func descending(_ sort: RecordQuery.Sort) -> String {
    switch sort {
    case .position: " ORDER BY position DESC, id DESC"
    case .added: " ORDER BY added DESC, position DESC, id DESC"
    case .name: " ORDER BY name COLLATE NOCASE DESC, position DESC, id DESC"
    case .received: " ORDER BY received DESC, position DESC, id DESC"
    case .total: " ORDER BY total DESC, position DESC, id DESC"
    case .state: " ORDER BY state DESC, position DESC, id DESC"
    }
  }
}
