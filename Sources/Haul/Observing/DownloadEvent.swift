public import HaulRecords

/// Something that happened to a list of downloads.
public struct DownloadEvent: Sendable, Hashable {
  /// The kinds of events.
  public enum Kind: Sendable, Hashable {
    /// Downloads were added; they are stored.
    case added([DownloadID])
    /// A download is not what it was: its state, its place, its priority, or what is asked for.
    case changed(DownloadID)
    /// An attempt is over, and that is stored. Each attempt has one of these, and nothing of it follows.
    case ended(DownloadID, attempt: UInt32, AttemptEnd, RecordFailure?)
    /// A download is out of the list, and that is stored. Nothing of it follows.
    case removed(DownloadID)
    /// Changes cannot be stored. They are kept and tried again each second; until then ends of attempts
    /// are not told, and what was changed since is lost with the process.
    case storageFailed(DatabaseFailure)
    /// Everything is stored again.
    case storageRecovered
  }

  /// Its number in this manager, from 1, each one more than the one before: a reader who was too slow sees
  /// a gap.
  public var number: UInt64
  /// What happened.
  public var kind: Kind
}
