internal import HaulHTTP

/// The life of one transfer as a value: inputs in, actions out; no threads, no clock, no I/O.
///
/// The shell (`Transfer`) feeds it and carries out its actions in order. Of the jobs of the
/// part only one runs at a time (`partJob`), besides writes, one checkpoint, and the reading
/// back of what an earlier run left.
struct TransferMachine {
  /// What the shell tells.
  enum Input {
    case started
    case found(FileOutcome<FoundPartial>)
    /// A request is on its way; only told when the owner wants to hear of it.
    case sent(ConnectionID)
    /// Its server has no room for a further connection; nothing was sent.
    case noPlace(ConnectionID)
    case head(ConnectionID, ResponseHead)
    /// All bytes up to this position were put into buffers and are on their way to the disk.
    ///
    /// A position, not a count: reports come from several threads and may overtake each other.
    case landed(ConnectionID, to: Int64)
    /// The exchange ended; all its bytes were reported before.
    case ended(ConnectionID, TransportOutcome)
    /// A connection takes no more bytes from `end` on, which another one wanted to take over; that end
    /// is later than the one wanted where the connection was further already.
    case limited(ConnectionID, end: Int64, for: ConnectionID)
    /// The bytes of the answer differ from those on disk where both were to be equal.
    case overlapDiffers(ConnectionID)
    case created(FileOutcome<CreatedPartial>)
    /// A small file is in memory as a whole; false when it is not, and more is not waited for.
    case gathered(ConnectionID, isWhole: Bool)
    case kept(FileOutcome<KeptFile>)
    /// A restart, a reservation, or a reading of overlap bytes is done.
    case prepared(FileOutcome<Void>)
    case verifiedStored(FileOutcome<IntervalSet>)
    case writeFailed(FileFailure)
    case flushed
    case checkpointed(FileOutcome<Void>)
    case digested(FileOutcome<[Digest]>)
    case rangeDigested(FileOutcome<Digest>)
    /// The digests of the coded bytes, before they were decoded.
    case codedDigests([Digest])
    case published(FileOutcome<PublishedFile>)
    /// So many bytes have gone where nobody can take them back; told before the end.
    case passedOn(Int64)
    case closed
    case tick(unreported: [ConnectionID: Int64])
    case stop
  }

  /// What the shell does.
  enum Action {
    case find
    case request(ConnectionID, TransportRequest, Origin)
    /// The rest of the body is of no interest.
    case abandon(ConnectionID)
    case cancel(ConnectionID)
    case accept(ConnectionID, Landing, digests: Set<DigestAlgorithm>)
    /// Lets a connection take no bytes from a position on, and reports `limited`.
    case limit(ConnectionID, to: Int64, for: ConnectionID)
    case create(suggestedName: String, FileVersion, mayAdopt: Bool)
    /// Collects the bytes of an answer in memory, and reports `gathered`.
    case gather(ConnectionID, total: Int64)
    /// Gives a file that was gathered to the store.
    case keep(ConnectionID, suggestedName: String, FileVersion)
    case restart(FileVersion)
    case reserve(total: Int64)
    case readOverlap(ConnectionID, Range<Int64>)
    case verifyStored
    case beginDigests(Set<DigestAlgorithm>)
    case watch(RangeClaim)
    /// Hands over buffers that are not full, and reports `flushed` when all writes are done.
    case flush
    /// Hands over buffers that are not full, then makes everything durable.
    case checkpoint(FileVersion)
    case digests(Set<DigestAlgorithm>, byteCount: Int64)
    case digestRange(DigestAlgorithm, Range<Int64>)
    case publish(byteCount: Int64, FileVersion)
    case close(PartialDisposition)
    case wake(Instant)
    case postpone(Origin, Instant)
    /// A server refused a request, maybe since it has others to answer.
    case crowded(ConnectionID, Origin)
    case emit(TransferEvent)
  }

  enum Mode {
    case finding
    case active
    case finishing(FinishStep)
    case ending(TransferResult, PartialDisposition, EndStep)
    case ended
  }

  enum FinishStep { case begin, flushing, flushed, digested, publishing }
  enum EndStep { case begin, flushing, flushed, checkpointing, checkpointed, closing, closed }

  enum Phase {
    case requested
    /// The body, which is small, is collected in memory.
    case gathering(Landing)
    /// The connection that has the answer's bytes is being told to stop before them.
    case takingOver(Landing)
    /// The part is being made ready for the answer's bytes.
    case preparing(Landing)
    case receiving(Landing)
  }

  struct Connection {
    let id: ConnectionID
    var asked: Asked
    let url: HTTPURL
    let redirects: Int
    /// Which of the sources it was opened for.
    let source: Int
    var phase = Phase.requested
    /// The exchange was over before the part was ready.
    var pendingEnd: TransportOutcome?
    /// What it was opened for beside others; nil for the first one.
    var share: Segmenter.Share?
    /// The bytes that it brought.
    var landed: Int64 = 0
    /// Whether others fetch the last bytes of its answer.
    var isLimited = false

    var isReceiving: Bool {
      if case .receiving = phase { true } else { false }
    }
  }

  let request: TransferRequest
  let session: ConnectionID
  let random: any RandomSource
  /// Whether small files are collected in memory, and kept in one go.
  let gathers: Bool
  var rules: AnswerRules

  var mode = Mode.finding
  var plan = Plan()
  var segmenter: Segmenter
  /// Its first request was refused once, which may have been a matter of how many there were.
  var wasCrowded = false
  var sources: SourceList
  /// The source that the version is of.
  var versionSource = 0
  /// How many sources the owner gave.
  let givenSources: Int
  /// Whether it had several connections at once.
  var hadSeveral = false
  /// When more connections are thought of again.
  var nextLook: Instant?
  var version = FileVersion()
  var connections: [ConnectionID: Connection] = [:]
  var budget: RetryBudget
  var retryAt: Instant?
  var lastFailure: TransferFailure?
  /// An earlier run left bytes: somebody was there once.
  var hasBytesFromBefore = false

  var hasPart = false
  var partHasBytes = false
  var partOutlives = true
  /// A checkpoint was made of some of the bytes, or they were found.
  var isKept = false
  var partJob = false
  var isVerifyingStored = false
  /// The part was restarted meanwhile: what is read back says nothing any more.
  var isVerificationStale = false
  var isCheckpointing = false
  /// What the checkpoint under way says of the bytes.
  var checkpointVersion = FileVersion()
  /// A restart that waits for the checkpoint under way.
  var waitingRestart: FileVersion?
  var landedSinceCheckpoint: Int64 = 0
  var isCheckpointWanted = false
  var nextTick: Instant?

  var path: String?
  var startedAt: Instant?
  var resumedFrom: Int64 = 0
  var hasAnnounced = false

  /// From now on only whole answers count.
  var onlyWhole = false
  /// The next answer must be a whole one, since what is stored cannot be continued.
  var mustRestart = false
  var changes = 0
  /// Answers in a row that ended before the length that they announced.
  var shortEnds = 0
  /// The last of them ended in good order there, by its own framing.
  var isShortInOrder = false
  var restarts = 0
  var rangeFaults = 0
  var restartReason: RestartReason?
  /// Why what an earlier run left is of no use.
  var lossReason: RestartReason?
  var redirectTargetWorked = false
  var refetchedForDigest = false
  /// The sources of the bytes that were wrong together.
  var suspects: [Int] = []
  var endedByClose = false
  /// The length that an earlier answer gave.
  var announced: Int64 = 0
  /// Answers in a row that brought far less than was asked for.
  var shortAnswers = 0
  var isCoded = false
  /// The server said of a body that it is coded with gzip, which may be meant of the file itself.
  var isPackedOrCoded = false
  var triesOtherCoding = false
  var codedDigests: [Digest]?
  var checkedDigest: Digest?
  /// The server's digest of the coded bytes was right.
  var isCodingChecked = false
  /// What servers said of the bodies of partial answers that were stored; checked at the end.
  var rangeClaims: [RangeClaim] = []
  var refetchedForRange = false
  var pieceCheck = PieceCheck.none
  /// How often pieces were found to be wrong.
  var pieceRounds = 0
  /// The bytes that nobody can take back.
  var passedOn: Int64 = 0

  /// Whether the server is asked for a digest of the file.
  var mayWantDigest = true
  /// A file that is there, until it was compared with the server's.
  var likely: LikelyFile?
  /// The end that follows once the body that nobody wants was read.
  var leaving: TransferResult?
  /// What the last answer said that is of no use but to tell it.
  var answer: AnswerNotes?
  /// The name that the file would have if no other file had it, once it is known.
  var wantedName: String?
  /// The name that the server suggests.
  var suggestedName = ""

  private var nextConnection: UInt64 = 0
  var moment: Moment
  var actions: [Action] = []

  /// When an input comes, and whether a rate limit holds the transfer back by then.
  struct Moment {
    var now: Instant
    var unixTime: Int64
    var isHeldBack = false
  }

  init(
    _ request: TransferRequest, session: ConnectionID, random: any RandomSource,
    gathers: Bool = false
  ) {
    self.gathers = gathers
    self.request = request
    self.session = session
    self.random = random
    rules = AnswerRules(
      hasDigest: request.digest != nil || request.pieces != nil, isStrict: request.isStrict,
      trustsOverlap: request.trustsOverlap)
    budget = RetryBudget(request.retries)
    segmenter = Segmenter(request.segments)
    sources = SourceList([request.url] + request.mirrors)
    givenSources = sources.count
    moment = Moment(now: Instant(nanoseconds: 0), unixTime: 0)
  }

  /// Takes an input and says what is to be done, in this order.
  mutating func handle(_ input: Input, at moment: Moment) -> [Action] {
    if case .ended = mode { return [] }
    self.moment = moment
    take(input)
    advance()
    defer { actions.removeAll() }
    return actions
  }

  /// The session's number in the upper half and a counter in the lower: unique in a process.
  mutating func makeConnectionID() -> ConnectionID {
    nextConnection += 1
    return ConnectionID(session.value << 24 | nextConnection)
  }

  var total: Int64? { version.total }

  private mutating func take(_ input: Input) {
    switch input {
    case .started:
      startedAt = moment.now
      actions.append(.find)
      partJob = true
    case .found(let outcome): takeFound(outcome)
    case .sent(let id): takeSent(id)
    case .noPlace(let id): takeNoPlace(id)
    case .head(let id, let head): takeHead(id, head)
    case .landed(let id, let position): takeLanded(id, to: position)
    case .ended(let id, let outcome): takeEnd(id, outcome)
    case .limited(let holder, let end, let id): takeLimited(holder, end: end, for: id)
    case .overlapDiffers(let id):
      guard connections[id] != nil else { return }
      drop(id)
      noteChange()
    case .created(let outcome): takeCreated(outcome)
    case .gathered(let id, let isWhole): takeGathered(id, isWhole)
    case .kept(let outcome): takeKept(outcome)
    case .prepared(let outcome): takePrepared(outcome)
    case .verifiedStored(let outcome): takeVerified(outcome)
    case .writeFailed(let failure): fail(failure)
    case .flushed: takeFlushed()
    case .checkpointed(let outcome): takeCheckpointed(outcome)
    case .digested(let outcome): takeDigests(outcome)
    case .rangeDigested(let outcome): takeRangeDigest(outcome)
    case .codedDigests(let digests): codedDigests = digests
    case .published(let outcome): takePublished(outcome)
    case .passedOn(let count): passedOn = count
    case .closed:
      partJob = false
      if case .ending(let result, let disposition, .closing) = mode {
        mode = .ending(told(result), disposition, .closed)
      }
    case .tick(let unreported): takeTick(unreported)
    case .stop:
      switch mode {
      case .ending, .ended: break
      // Too late to stop: the file is right and about to stand under its name. Where it is passed
      // on instead, the part hears of it, and says so.
      case .finishing(.publishing): break
      default:
        end(
          leaving ?? .stopped(received: plan.done.byteCount, isResumable: isResumable), .keep)
      }
    }
  }
}
