/// Where the list of downloads is kept, so that it survives the program.
///
/// **Order.** Commits take effect one after another, in the order in which their calls began to be
/// worked on; a reader sees each of them whole or not at all, and every one that returned before it
/// began to read.
///
/// **Durability.** See `Durability`. A call that throws has changed nothing, except that a commit whose
/// sync failed may be there after a power cut.
///
/// **Threads.** Every call may be made from any thread and blocks it, for the disk or for the other
/// calls; none may be made on a thread of Swift's tasks. One process at a time may use a database: its
/// owner sees to that, by a lock on the folder.
public protocol RecordDatabase: Sendable {
  /// Makes changes, in their order, all or none. An empty list is no error.
  ///
  /// - Throws: `invalid` when one of them does not fit, `locked`, `readOnly`, `diskFull` and whatever
  ///   else befalls the database. Nothing was changed then.
  func commit(_ changes: [RecordChange], _ durability: Durability) throws(DatabaseFailure)

  /// The narrow part of all records, in the order of the list.
  ///
  /// A record whose other part cannot be read is among the items: it is named when that part is asked
  /// for.
  ///
  /// - Throws: What befalls the database as a whole, not what is wrong with single records.
  func summaries() throws(DatabaseFailure) -> RecordListing<DownloadSummary>

  /// Records by their ids, in the order of the ids; those that are not there are left out.
  ///
  /// - Throws: What befalls the database as a whole.
  func records(_ ids: [DownloadID]) throws(DatabaseFailure) -> RecordListing<DownloadRecord>

  /// A part of the list, and how many records there are of its kind, as they were at one moment.
  ///
  /// - Throws: What befalls the database as a whole.
  func page(_ query: RecordQuery) throws(DatabaseFailure) -> RecordPage

  /// Looks through everything, which may take long, and tells what is wrong, each in a sentence; empty
  /// when all is well. It changes nothing.
  ///
  /// - Throws: What keeps it from looking, such as `locked`; damage is told and not thrown.
  func check() throws(DatabaseFailure) -> [String]
}
