internal import HaulHTTP
public import HaulRecords

/// The list as a plain array, worked on in the plainest way: what a database is compared with.
public struct ListModel: Sendable {
  /// All records, in no order.
  public private(set) var records: [DownloadRecord] = []

  /// Makes an empty list.
  public init() {}

  /// Makes changes; false, and nothing was changed, when one of them does not fit.
  public mutating func commit(_ changes: [RecordChange]) -> Bool {
    var copy = self
    for change in changes {
      guard copy.apply(change) else { return false }
    }
    self = copy
    return true
  }

  private mutating func apply(_ change: RecordChange) -> Bool {
    let index = records.firstIndex { $0.id == change.id }
    switch change {
    case .insert(let record):
      guard index == nil, (try? record.check()) != nil else { return false }
      records.append(record)
    case .replace(let record):
      guard let index, (try? record.check()) != nil else { return false }
      records[index] = record
    case .state(_, let state, let attempt, let failure, let time):
      guard let index else { return true }
      records[index].state = state
      records[index].attempt = attempt
      records[index].failure = failure
      records[index].updated = time
      records[index].finished = state == .finished ? time : nil
    case .progress(_, let attempt, let received, let total):
      guard received >= 0, total ?? .max >= received else { return false }
      guard let index, records[index].attempt == attempt else { return true }
      records[index].received = received
      records[index].total = total
    case .position(_, let position):
      if let index { records[index].position = position }
    case .priority(_, let priority):
      if let index { records[index].priority = priority }
    case .remove:
      if let index { records.remove(at: index) }
    }
    return true
  }

  /// The list in its order.
  public var ordered: [DownloadRecord] {
    records.sorted { ($0.position, $0.id.signed) < ($1.position, $1.id.signed) }
  }

  /// All records that a query is for, in its order.
  public func found(_ query: RecordQuery) -> [DownloadRecord] {
    let search = Array(query.search.utf8).map(Self.fold)
    let found = ordered.filter { record in
      let isInState = query.states?.contains(record.state) ?? true
      let texts = [record.url.textWithoutUser, record.name]
      return isInState
        && (search.isEmpty || texts.contains { Self.bytes($0).map(Self.fold).contains(search) })
    }
    // The list is in its order, and sorting keeps the order of equal ones by their index.
    let sorted = found.enumerated().sorted { one, two in
      let order = Self.compare(one.element, two.element, query.sort)
      return order == 0 ? one.offset < two.offset : order < 0
    }.map(\.element)
    return query.isDescending ? sorted.reversed() : sorted
  }

  private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
  private static func fold(_ byte: UInt8) -> UInt8 { byte >= 65 && byte <= 90 ? byte + 32 : byte }

  private static func compare(
    _ one: DownloadRecord, _ two: DownloadRecord, _ sort: RecordQuery.Sort
  ) -> Int {
    switch sort {
    case .position: 0
    case .added: order(one.added, two.added)
    case .received: order(one.received, two.received)
    case .total: order(one.total ?? -1, two.total ?? -1)
    case .name: order(bytes(one.name).map(fold), bytes(two.name).map(fold))
    case .state: order(bytes(one.state.rawValue), bytes(two.state.rawValue))
    }
  }

  private static func order(_ one: Int64, _ two: Int64) -> Int {
    one < two ? -1 : one > two ? 1 : 0
  }
  private static func order(_ one: [UInt8], _ two: [UInt8]) -> Int {
    one.lexicographicallyPrecedes(two) ? -1 : two.lexicographicallyPrecedes(one) ? 1 : 0
  }
}
