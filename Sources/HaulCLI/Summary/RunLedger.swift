import HaulTransfer

/// Keeps account of the files of one run: how many there are of each kind, and the bytes that this
/// run fetched.
struct RunLedger {
  private struct Open {
    /// The bytes that were there before this run.
    var base: Int64
    var received: Int64

    var fetched: Int64 { max(0, received - base) }
  }

  private(set) var finished = 0
  private(set) var skipped = 0
  private(set) var failed = 0
  private(set) var interrupted = 0
  /// Lines of a list that repeat others.
  private(set) var repeated = 0
  /// Whether bytes of an earlier run were there.
  private(set) var hasEarlierBytes = false
  private var open: [Int: Open] = [:]
  private var fetchedByEnded: Int64 = 0
  private var knownSizes: (count: Int64, sum: Int64) = (0, 0)

  /// The files that are over.
  var over: Int { finished + skipped + failed + interrupted }

  /// The bytes that this run fetched so far.
  var fetched: Int64 { open.values.reduce(fetchedByEnded) { $0 + $1.fetched } }

  /// The lengths of the files that were fetched.
  var finishedBytes: Int64 { knownSizes.sum }

  /// The average length of the files that were fetched, or nil while there is none.
  var averageSize: Int64? { knownSizes.count > 0 ? knownSizes.sum / knownSizes.count : nil }

  /// Takes something that happened; at the end of a file, the bytes of it that this run fetched.
  @discardableResult
  mutating func take(_ news: FileNews) -> Int64? {
    switch news.kind {
    case .refused: failed += 1
    case .repeated: repeated += 1
    case .event(.started(_, _, let resumedFrom)):
      if resumedFrom > 0 { hasEarlierBytes = true }
      open[news.file] = Open(base: resumedFrom, received: resumedFrom)
    case .event(.restarted): open[news.file] = Open(base: 0, received: 0)
    case .event(.ended(let result)): return end(news.file, result)
    case .event: break
    }
    return nil
  }

  /// Looks where the running files stand.
  mutating func look(_ running: [RunningFile]) {
    for file in running {
      let progress = file.progress
      open[file.file]? = Open(base: progress.resumedFrom, received: progress.received)
    }
  }

  private mutating func end(_ file: Int, _ result: TransferResult) -> Int64 {
    var last = open.removeValue(forKey: file)
    switch result {
    case .finished(let done):
      finished += 1
      last?.received = done.byteCount
      knownSizes.count += 1
      knownSizes.sum += done.byteCount
    case .skipped: skipped += 1
    case .planned: finished += 1
    case .failed: failed += 1
    case .stopped(let received, _):
      interrupted += 1
      last?.received = received
    }
    let fetched = last?.fetched ?? 0
    fetchedByEnded += fetched
    return fetched
  }
}
