import Synchronization

/// A list in memory: for tests, and for apps that want no file. Nothing of it survives the process.
public final class MemoryDatabase: RecordDatabase {
  private let records = Mutex<[DownloadID: DownloadRecord]>([:])

  /// Makes an empty list.
  public init() {}

  /// Makes changes, in their order, all or none.
  ///
  /// - Throws: `invalid` when one of them does not fit.
  public func commit(
    _ changes: [RecordChange], _ durability: Durability
  ) throws(DatabaseFailure) {
    try records.withLock { records throws(DatabaseFailure) in
      // What the changed records were, so that only those cost something.
      var before: [DownloadID: DownloadRecord?] = [:]
      do throws(DatabaseFailure) {
        for change in changes {
          if before[change.id] == nil { before[change.id] = .some(records[change.id]) }
          try change.check()
          try Self.apply(change, to: &records)
        }
      } catch {
        for (id, record) in before { records[id] = record }
        throw error
      }
    }
  }

  private static func apply(
    _ change: RecordChange, to records: inout [DownloadID: DownloadRecord]
  ) throws(DatabaseFailure) {
    switch change {
    case .insert(let record):
      guard records[record.id] == nil else { throw .isThere(record.id) }
      records[record.id] = record
    case .replace(let record):
      guard records[record.id] != nil else { throw .isMissing(record.id) }
      records[record.id] = record
    case .state(let id, let state, let attempt, let failure, let time):
      records[id]?.state = state
      records[id]?.attempt = attempt
      records[id]?.failure = failure
      records[id]?.updated = time
      records[id]?.finished = state == .finished ? time : nil
    case .progress(let id, let attempt, let received, let total):
      guard records[id]?.attempt == attempt else { return }
      records[id]?.received = received
      records[id]?.total = total
    case .position(let id, let position): records[id]?.position = position
    case .priority(let id, let priority): records[id]?.priority = priority
    case .remove(let id): records[id] = nil
    }
  }

  /// The narrow part of all records, in the order of the list.
  public func summaries() -> RecordListing<DownloadSummary> {
    var listing = RecordListing<DownloadSummary>()
    listing.items = records.withLock { $0.values.map(\.summary) }
      .sorted { ($0.position, $0.id) < ($1.position, $1.id) }
    return listing
  }

  /// Records by their ids, in the order of the ids.
  public func records(_ ids: [DownloadID]) -> RecordListing<DownloadRecord> {
    var listing = RecordListing<DownloadRecord>()
    listing.items = records.withLock { records in ids.compactMap { records[$0] } }
    return listing
  }

  /// A part of the list.
  public func page(_ query: RecordQuery) -> RecordPage {
    let search = Array(query.foldedSearch.utf8)
    let found = records.withLock { Array($0.values) }
      .filter { query.states?.contains($0.state) != false && $0.contains(folded: search) }
      .sorted { one, other in
        query.isDescending
          ? other.precedes(one, by: query.sort) : one.precedes(other, by: query.sort)
      }
    var page = RecordPage(total: found.count)
    page.listing.items = Array(
      found.dropFirst(query.boundedOffset).prefix(query.boundedLimit))
    return page
  }

  /// Nothing can be wrong with it.
  public func check() -> [String] { [] }
}
