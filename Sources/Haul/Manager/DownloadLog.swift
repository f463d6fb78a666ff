public import HaulRecords

/// Something that a manager did, or met, to be written into a log. It holds no secrets.
public struct DownloadLogEntry: Sendable, Hashable {
  /// How much it matters.
  public enum Level: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// What happens to each download.
    case debug
    /// What downloads begin with and end with.
    case info
    /// What went wrong and is tried again.
    case warning
    /// What somebody has to see to.
    case error

    /// Whether the left one matters less.
    public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  /// How much it matters.
  public var level: Level
  /// The download that it is about, or nil.
  public var id: DownloadID?
  /// A sentence.
  public var message: String
}

/// Counts what a manager did since it was opened.
public struct DownloadMetrics: Sendable, Hashable {
  /// Attempts that began.
  public var attempts = 0
  /// Files that are there, whole and checked.
  public var finished = 0
  /// Attempts that failed, by the code of the failure.
  public var failures: [String: Int] = [:]
  /// Bytes that were received; those that were there before do not count.
  public var receivedBytes: Int64 = 0
  /// Commits of the database.
  public var commits = 0
  /// Commits that failed.
  public var failedCommits = 0

  init() {}
}
