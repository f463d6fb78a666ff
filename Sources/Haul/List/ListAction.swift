internal import HaulRecords
internal import HaulTransfer

/// What is to be done after a change of the list. Everything that is to be stored is stored before the
/// rest is done.
enum ListAction: Sendable, Hashable {
  /// Store this.
  case store(RecordChange)
  /// Begin this attempt.
  case run(DownloadID, attempt: UInt32)
  /// Stop this attempt; its end follows.
  case stop(DownloadID, attempt: UInt32)
  /// Remove what was received.
  case discard(DownloadID)
  /// It is out of the list; its file goes, or stays.
  case removed(DownloadID, withFile: Bool)
  /// It is not what it was.
  case changed(DownloadID)
  /// The one terminal event of an attempt.
  case ended(DownloadID, attempt: UInt32, AttemptEnd)
}

/// When something happens to a list.
struct ListMoment: Sendable {
  /// By the monotonic clock, which rules all waiting.
  var now: Instant
  /// By the calendar, in milliseconds since 1970; only to be shown.
  var time: Int64
  /// Evenly drawn from 0 up to 1, so that many do not try again at once.
  var jitter: Double
}
