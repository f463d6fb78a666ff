public import HaulRecords
internal import Synchronization

/// A database whose commits can be made to fail, as a disk would make them.
///
/// ```swift
/// let database = FaultyDatabase(MemoryDatabase())
/// database.failNextCommit(.diskFull)
/// ```
public final class FaultyDatabase: RecordDatabase {
  private let database: any RecordDatabase
  private let failures = Mutex<[DatabaseFailure]>([])

  /// Wraps a database.
  public init(_ database: any RecordDatabase) {
    self.database = database
  }

  /// Makes the next commit that is not yet to fail do so; nothing is changed by it.
  public func failNextCommit(_ code: DatabaseFailure.Code) {
    failures.withLock { $0.append(DatabaseFailure(code: code, message: "A test wanted \(code).")) }
  }

  /// Makes changes, unless it is to fail.
  public func commit(
    _ changes: [RecordChange], _ durability: Durability
  ) throws(DatabaseFailure) {
    if let failure = failures.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { throw failure }
    try database.commit(changes, durability)
  }

  /// The narrow part of all records.
  public func summaries() throws(DatabaseFailure) -> RecordListing<DownloadSummary> {
    try database.summaries()
  }

  /// Records by their ids.
  public func records(
    _ ids: [DownloadID]
  ) throws(DatabaseFailure) -> RecordListing<DownloadRecord> {
    try database.records(ids)
  }

  /// A part of the list.
  public func page(_ query: RecordQuery) throws(DatabaseFailure) -> RecordPage {
    try database.page(query)
  }

  /// Looks through everything.
  public func check() throws(DatabaseFailure) -> [String] { try database.check() }
}
