/// One piece of work that all contestants do in turn.
struct Workload: Sendable {
  enum Work: Sendable, Hashable {
    /// Start and say the version.
    case version
    /// Fetch these files, so many at once, from this server.
    case fetch(FileSet, parallel: Int, from: Source)
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
  /// What Haul's peak memory may be, in MiB, when it is not told how many connections to use; nil
  /// without a target.
  var memoryLimit: Double?
  /// Whether a run takes milliseconds, so that more rounds are needed, and cost nothing.
  var isStart = false

  /// What an ideal contestant needs, or nil where there is no ideal.
  ///
  /// Its CPU time and memory are zero and mean nothing.
  func ideal(_ contestant: Contestant) -> Sample? {
    guard case .ideal(let connections) = contestant,
      case .fetch(let files, _, .paced(let pace)) = work
    else { return nil }
    return Sample(
      wall: pace.seconds(for: files.byteCount, connections: connections), cpu: 0, memory: 0)
  }
}
