import HaulHTTP
import HaulTransfer

/// Tells the user what happens to the files of one run. Used on the main thread only.
protocol Report {
  /// Takes something that happened.
  mutating func take(_ news: FileNews)

  /// Shows where the run stands; called about ten times a second. `now` is in seconds.
  mutating func show(_ run: RunStanding, now: Double)

  /// Takes away whatever was drawn, before others write to the terminal.
  mutating func hide()

  /// Says what is left to say; the exit status of the program.
  ///
  /// `isCutShort` says that an interrupt came before every file had begun.
  mutating func finish(_ run: RunStanding, isCutShort: Bool) -> ExitStatus
}

extension Report {
  mutating func hide() {}
}

/// Something that happened to one file.
struct FileNews: Sendable {
  enum Kind: Sendable {
    case event(TransferEvent)
    /// It was never begun: what was asked for cannot be carried out.
    case refused(UsageError)
    /// It was asked for before in the same run, and is fetched once.
    case repeated
  }

  /// The number of the file in this run, from 1.
  var file: Int
  /// Its address without secrets, or nil where there is none that can be read.
  var url: String?
  var kind: Kind
  /// The path that was asked for, if its owner, a list or a document names the file.
  var target: String?
  /// The checksum file that its digest is from, if it is.
  var digestSource: String?
  /// The digests of its pieces, if a document tells them.
  var pieces: PieceDigests?
  /// The other addresses that it has.
  var mirrorCount = 0
}

/// A file that is being fetched.
struct RunningFile: Sendable {
  var file: Int
  var url: String
  /// The path that was asked for, if its owner, a list or a document names the file.
  var target: String?
  var progress: TransferProgress

  /// Where it goes, as far as that is known by now.
  var path: String? { progress.path ?? target }
}

/// Where a run stands.
struct RunStanding: Sendable {
  /// The files that are being fetched, by their numbers.
  var running: [RunningFile]
  /// The files that are known so far, those that are over included.
  var known: Int
  /// Whether a list may bring more.
  var isListOpen: Bool
  /// The bytes of the known files that have not begun; nil where a length is not known.
  var waitingBytes: Int64?
  /// Whether the user asked it to stop.
  var isStopping = false

  var hasSeveral: Bool { known > 1 || isListOpen }

  /// The running files that were asked for: not the list of checksums, which has the number 0.
  var files: ArraySlice<RunningFile> { running.drop { $0.file == 0 } }

  /// The known files that have not begun.
  func waiting(_ ledger: RunLedger) -> Int {
    max(0, known - ledger.repeated - ledger.over - files.count)
  }
}

/// How the files of a run ended.
struct Tally {
  private(set) var files = 0
  private(set) var finished = 0
  private var failures: Set<ExitStatus> = []

  mutating func finish() {
    files += 1
    finished += 1
  }

  /// Notes a file that is not there.
  mutating func fail(_ status: ExitStatus) {
    files += 1
    failures.insert(status)
  }

  /// Notes a failure that is of no file.
  mutating func note(_ status: ExitStatus) { failures.insert(status) }

  /// The status for all files: that of the failures when they agree, `several` when not.
  var status: ExitStatus {
    if failures.contains(.interrupted) { return .interrupted }
    return failures.count > 1 ? .several : failures.first ?? .right
  }
}
