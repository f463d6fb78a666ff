public import HaulRecords

/// What was found when a list was opened.
public struct OpeningReport: Sendable, Hashable {
  /// How many downloads the list holds.
  public var count = 0
  /// Downloads that ran when the process ended, however it did; they wait for their turn.
  public var interrupted: [DownloadID] = []
  /// Records that cannot be read. They stay as they are; the rest of the list is there.
  public var unreadable: [UnreadableRecord] = []
  /// Where a damaged list lies now, which a new one was made of; nil when there was none.
  public var setAside: String?
  /// What of the damaged list could not be saved.
  public var lost: [UnreadableRecord] = []

  init() {}
}
