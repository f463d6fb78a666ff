/// What is shown of one running file.
struct FileRow: Hashable, Sendable {
  /// A harmless name.
  var name: String
  var received: Int64
  var total: Int64?
  /// The part that is there, from 0 up to and without 1; nil while the length is not known.
  var share: Double?
  /// Grows whenever bytes arrive: it moves the mark of a file without a length.
  var step = 0
  var rate: Double?
  var secondsLeft: Double?
  var connections = 1
  /// Why no bytes arrive, or nil when they do.
  var note: RowNote?
}

/// What is shown of all files of a run.
struct WholeRow: Hashable, Sendable {
  /// Files that are there.
  var done = 0
  var running = 0
  /// Files that are known and have not begun.
  var waiting = 0
  var failed = 0
  /// Whether a list may bring more.
  var isOpen = false
  /// Bytes that were fetched in this run.
  var fetched: Int64 = 0
  var rate: Double?
  var secondsLeft: Double?
  /// Whether the lengths of files that have not begun were guessed.
  var isEstimate = false
  /// The part that is there: of the bytes where the lengths of all files are known, otherwise of the
  /// files, a running one counted by its own part. Nil as long as more may come.
  var share: Double?
  /// The bytes of all files that are there or to come, and those of them that are there; nil as long as
  /// a length is not known.
  var bytes: ByteStanding?
  var isStopping = false
}

/// So many bytes of so many.
struct ByteStanding: Hashable, Sendable {
  var received: Int64
  var total: Int64
}

/// Everything that is shown at one moment.
struct BoardView: Hashable, Sendable {
  var rows: [FileRow] = []
  /// Running files that no row is left for.
  var hidden = 0
  var whole: WholeRow?
  /// The widest name so far, so that columns keep their place when files come and go.
  var longestName = 0
}
