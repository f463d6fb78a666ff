import HaulTestKit

/// One piece of work that all contestants do in turn.
struct Workload: Sendable {
  enum Work: Sendable, Hashable {
    /// Start and say the version.
    case version
    /// Fetch these files, so many at once, from this listener.
    case fetch(FileSet, parallel: Int, from: NginxServer.Listener)
  }

  enum Destination: Sendable, Hashable {
    /// A file system in memory.
    case memory
    /// A file system on a disk.
    case disk
  }

  /// A short name without spaces, for `--only`.
  var name: String
  /// What is done, as a phrase.
  var title: String
  var work: Work
  var destination: Destination
  var contestants: [Contestant]
  var comparisons: [Comparison]
  /// What Haul's peak memory may be, in MiB, or nil without a target.
  var memoryLimit: Double?
  /// Whether a run takes milliseconds, so that more rounds are needed, and cost nothing.
  var isStart = false
}
