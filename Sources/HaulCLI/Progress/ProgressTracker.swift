import HaulSystem
import HaulTransfer

/// Follows the running files from look to look, for what one look cannot tell: rates, and shares
/// that never go back.
struct ProgressTracker {
  private struct Standing {
    var meter = RateMeter()
    var received: Int64 = 0
    var share = 0.0
    var step = 0
  }

  private let text: DisplayText
  private var standings: [Int: Standing] = [:]
  private var whole = RateMeter()
  private var wholeShare = 0.0
  private var longestName = 0

  init(_ text: DisplayText) {
    self.text = text
  }

  /// A file starts again, or lost bytes: this time its share does go back, and it was told.
  mutating func restart(_ file: Int) { standings[file]?.share = 0 }

  /// What is shown at one moment, with rows for so many files; `now` is in seconds.
  mutating func view(
    _ run: RunStanding, _ ledger: RunLedger, rows: Int, now: Double
  ) -> BoardView {
    var view = BoardView()
    let shown = run.running.prefix(rows)
    view.rows = shown.map { row($0, now) }
    if standings.count > shown.count {
      let files = Set(shown.map(\.file))
      standings = standings.filter { files.contains($0.key) }
    }
    view.hidden = run.running.count - shown.count
    longestName = view.rows.reduce(longestName) { max($0, DisplayWidth.of($1.name)) }
    view.longestName = longestName
    whole.note(ledger.fetched, at: now)
    if run.hasSeveral || run.isStopping { view.whole = wholeRow(run, ledger) }
    return view
  }

  private mutating func row(_ file: RunningFile, _ now: Double) -> FileRow {
    let progress = file.progress
    var standing = standings[file.file] ?? Standing()
    if progress.received > standing.received { standing.step += 1 }
    standing.received = progress.received
    // A pause is no slow part of the way.
    if progress.state != .receiving { standing.meter.reset() }
    standing.meter.note(progress.received, at: now)
    let share = progress.total.map { Self.share(progress.received, of: $0) }
    standing.share = max(standing.share, share ?? 0)
    standings[file.file] = standing
    return FileRow(
      name: text.name(path: file.path, url: file.url), received: progress.received,
      total: progress.total, share: share.map { _ in standing.share }, step: standing.step,
      rate: standing.meter.rate,
      secondsLeft: progress.total.flatMap {
        let left = Self.secondsLeft($0 - progress.received, standing.meter.rate)
        return Self.longest(left, [progress])
      },
      connections: progress.connections, note: RowNote(progress, now: now))
  }

  private mutating func wholeRow(_ run: RunStanding, _ ledger: RunLedger) -> WholeRow {
    let waiting = run.waiting(ledger)
    var row = WholeRow(
      done: ledger.finished + ledger.skipped, running: run.files.count, waiting: waiting,
      failed: ledger.failed + ledger.interrupted, isOpen: run.isListOpen, fetched: ledger.fetched,
      rate: whole.rate, isStopping: run.isStopping)
    let count = ledger.over + run.files.count + waiting
    guard !run.isListOpen, count > 0 else { return row }
    row.bytes = bytes(run, ledger, waiting)
    row.share =
      row.bytes.map { Self.share($0.received, of: $0.total) } ?? fileShare(run, ledger, count)
    guard let left = row.bytes.map({ $0.total - $0.received }) ?? bytesLeft(run, ledger, waiting)
    else { return row }
    row.isEstimate = row.bytes == nil
    row.secondsLeft = Self.longest(
      Self.secondsLeft(left, whole.rate), run.files.map(\.progress))
    return row
  }

  /// The bytes of all files, but of those that failed or were left out; nil as long as a length is not
  /// known.
  private func bytes(_ run: RunStanding, _ ledger: RunLedger, _ waiting: Int) -> ByteStanding? {
    guard let toCome = waiting > 0 ? run.waitingBytes : 0 else { return nil }
    var bytes = ByteStanding(
      received: ledger.finishedBytes, total: Self.sum(ledger.finishedBytes, toCome))
    for file in run.files {
      guard let total = file.progress.total else { return nil }
      bytes.received = Self.sum(bytes.received, min(file.progress.received, total))
      bytes.total = Self.sum(bytes.total, total)
    }
    return bytes.total > 0 ? bytes : nil
  }

  /// The part of the files that is over: what is known of lengths moves it forward only.
  private mutating func fileShare(_ run: RunStanding, _ ledger: RunLedger, _ count: Int) -> Double {
    let shares = run.files.reduce(0.0) { sum, file in
      sum + (file.progress.total.map { Self.share(file.progress.received, of: $0) } ?? 0)
    }
    wholeShare = max(wholeShare, (Double(ledger.over) + shares) / Double(count))
    return min(wholeShare, Self.nearlyAll)
  }

  /// The bytes that are still to come; files that have not begun count like those that are known.
  private func bytesLeft(_ run: RunStanding, _ ledger: RunLedger, _ waiting: Int) -> Int64? {
    var left: Int64 = 0
    var sum: Int64 = 0
    for file in run.files {
      guard let total = file.progress.total else { return nil }
      left = Self.sum(left, total - file.progress.received)
      sum = Self.sum(sum, total)
    }
    guard waiting > 0 else { return left }
    let running = run.files.isEmpty ? nil : sum / Int64(run.files.count)
    guard let average = [ledger.averageSize, running].compactMap(\.self).max() else { return nil }
    let (rest, overflow) = average.multipliedReportingOverflow(by: Int64(waiting))
    return overflow ? nil : Self.sum(left, rest)
  }

  private static func sum(_ a: Int64, _ b: Int64) -> Int64 {
    let (sum, overflow) = a.addingReportingOverflow(b)
    return overflow ? .max : sum
  }

  private static let nearlyAll = 0.9999

  private static func share(_ received: Int64, of total: Int64) -> Double {
    total > 0 ? min(Double(received) / Double(total), nearlyAll) : nearlyAll
  }

  /// A time left that is not below what the connections of a file take for their last bytes; nil when
  /// these stand still.
  private static func longest(_ seconds: Double?, _ files: [TransferProgress]) -> Double? {
    guard let seconds else { return nil }
    let longest = files.compactMap(\.secondsLeft).reduce(seconds, max)
    return longest.isFinite ? longest : nil
  }

  private static func secondsLeft(_ bytes: Int64, _ rate: Double?) -> Double? {
    guard let rate, rate >= 1 else { return nil }
    return Double(max(0, bytes)) / rate
  }
}
