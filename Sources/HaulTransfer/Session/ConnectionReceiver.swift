internal import HaulHTTP
internal import Synchronization

/// Takes the bytes of one exchange, once the machine has accepted its answer, into buffers that
/// end at multiples of their size in the file.
final class ConnectionReceiver: TransportReceiver {
  enum Stage {
    /// The answer is being judged, or the part made ready. The first bytes are held in memory.
    case holding
    /// The rest is of no interest; so many bytes are read to keep the connection.
    case draining(left: Int)
    case landing
    case closed
  }

  struct State {
    var stage = Stage.holding
    var position: Int64 = 0
    var end: Int64?
    var skipped: Int64 = 0
    var overlap: ArraySlice<UInt8> = []
    var decoder: (any BodyDecoder)?
    /// Whether bytes may be held before the answer is accepted.
    var mayHold = false
    /// What came before the answer was accepted.
    var held: TransferBuffer?
    /// The exchange was over before its held bytes were accepted.
    var heldOutcome: TransportOutcome?
    /// The length of a body that is collected as a whole.
    var gathers: Int64?
    var buffer: TransferBuffer?
    var buffersInFlight = 0
    /// Bytes at the start of the next chunk that were taken before the receiver paused.
    var takenAhead = 0
    /// Whether the exchange waits to be resumed, by us and not by a rate limit.
    var isPaused = false
    /// Bytes that may be taken within the rate limits.
    var credit = 0
    /// Its turn at a rate limit, for which the exchange waits.
    var rateWait: RateWait?
    /// How often it drew, which tells late grants from those that count.
    var draws: UInt64 = 0
    /// Whether somebody waits for the bytes, so that they must not lie here for long.
    var isEager = false
    /// Whether a look at the buffer is scheduled.
    var isLookScheduled = false
    /// The buffer has lain here long enough, and goes as soon as the part is idle.
    var isOverdue = false
    /// Stored in buffers, not yet reported to the machine.
    var unreported: Int64 = 0
    var failure: TransportFailure?
  }

  /// A body that is of no interest is read up to here, so that the connection can be used again.
  static let maximumDrain = 64 * 1024

  let id: ConnectionID
  let origin: Origin
  /// Whether it may be one of several on an HTTP/2 connection.
  private let mayShare: Bool
  let transfer: Transfer
  let state = Mutex(State())

  init(
    _ id: ConnectionID, to origin: Origin, mayShare: Bool, of transfer: Transfer
  ) {
    self.id = id
    self.origin = origin
    self.mayShare = mayShare
    self.transfer = transfer
  }

  /// Bytes that are stored in buffers and not yet known to the machine.
  var unreported: Int64 { state.withLock { $0.unreported } }

  /// Lets the bytes in, those that are held first; says what becomes of the exchange.
  func accept(
    _ landing: Landing, overlap: [UInt8], decoder: (any BodyDecoder)?, isEager: Bool
  ) -> AfterAccepting {
    let (held, outcome, isPaused, mustLook) = state.withLock { state in
      guard case .holding = state.stage else {
        return (.taken, nil, takePause(&state), false) as (HeldBytes, TransportOutcome?, Bool, Bool)
      }
      state.stage = .landing
      state.position = landing.start
      state.end = landing.end
      state.skipped = landing.skipped
      state.overlap = overlap[...]
      state.decoder = decoder
      state.isEager = isEager
      let held = landHeld(&state)
      return (held, state.heldOutcome.take(), takePause(&state), mustLookLater(&state))
    }
    if mustLook { lookLater() }
    switch held {
    case .taken:
      if let outcome { finish(outcome) }
      return isPaused ? .resume : .leave
    case .differ:
      transfer.feed(.overlapDiffers(id))
      if let outcome { finish(outcome) }
      return isPaused ? .resume : .leave
    case .tooMany:
      finish(.stopped)
      return outcome == nil ? .cancel : .leave
    }
  }

  /// What has to be done with an exchange whose bytes were let in.
  enum AfterAccepting {
    case leave, resume, cancel
  }

  /// What came of the bytes that were held.
  enum HeldBytes {
    case taken
    /// They are not those on disk where both were to be equal.
    case differ
    /// There are more of them than the answer was to have.
    case tooMany
  }

  /// Takes no more bytes than keep the connection usable; whether the exchange is to be resumed.
  @discardableResult
  func abandon() -> Bool {
    let (outcome, isPaused) = state.withLock { state in
      handOver(&state)
      dropHeld(&state)
      state.unreported = 0
      state.gathers = nil
      state.stage = .draining(left: Self.maximumDrain)
      defer { leaveLimits(&state) }
      return (state.heldOutcome.take(), takePause(&state))
    }
    // It was over before anybody asked for its bytes.
    if let outcome { finish(outcome) }
    return isPaused
  }

  /// Takes nothing any more. What was taken is on its way to the disk.
  func close() {
    state.withLock { state in
      handOver(&state)
      dropHeld(&state)
      state.unreported = 0
      state.stage = .closed
      leaveLimits(&state)
    }
  }

  /// Takes no byte from a position on, or from where it is if it is further; returns that position,
  /// and where it is.
  func limit(to end: Int64) -> (end: Int64, position: Int64) {
    state.withLock { state in
      guard case .landing = state.stage else { return (end, state.position) }
      let end = min(max(end, state.position), state.end ?? .max)
      state.end = end
      if let buffer = state.buffer {
        let room = end - state.position
        if room == 0 {
          handOver(&state)
        } else if room < Int64(buffer.limit - buffer.count) {
          buffer.restrict(to: buffer.count + Int(room))
        }
      }
      state.unreported = 0
      return (end, state.position)
    }
  }

  /// Sends a buffer that is not full on its way; returns the position to report, if it is new.
  func flush() -> Int64? {
    state.withLock { state in
      handOver(&state)
      return takeReport(&state)
    }
  }

  /// A buffer came back from the disk; whether the exchange waits for that.
  func bufferWasWritten() -> Bool {
    state.withLock { state in
      state.buffersInFlight -= 1
      handOverIfOverdue(&state)
      guard state.isPaused, state.buffersInFlight < transfer.maximumBuffersInFlight else {
        return false
      }
      state.isPaused = false
      return true
    }
  }

  func received(_ head: ResponseHead) {
    transfer.environment.hosts.noteAnswer(
      id, origin, isShared: mayShare && head.version == .http2, clock: transfer.environment.clock)
    // Coded bytes may grow, and limited ones are drawn when they land: those wait in libcurl.
    let isLimited = transfer.limits(to: origin)?.isLimited == true
    let mayHold = !isLimited && head.fields.first("Content-Encoding") == nil
    state.withLock { $0.mayHold = mayHold }
    transfer.feed(.head(id, head))
  }

  func received(_ bytes: RawSpan) -> ReceiveVerdict {
    let (verdict, report, differs, mustLook) = state.withLock { state in
      let verdict = takeWithinLimits(bytes, &state)
      return (verdict.0, takeReportIfDue(&state), verdict.1, mustLookLater(&state))
    }
    if mustLook { lookLater() }
    if let report { transfer.feed(.landed(id, to: report)) }
    if differs { transfer.feed(.overlapDiffers(id)) }
    if verdict == .pause { endGathering() }
    return verdict
  }

  func released() { transfer.noteRelease(id) }

  func completed(_ outcome: TransportOutcome) {
    let (isHeld, isWhole) = state.withLock { state in
      guard case .holding = state.stage, state.held != nil else {
        return (false, nil) as (Bool, Bool?)
      }
      state.heldOutcome = outcome
      return (true, takeGathered(&state))
    }
    if let isWhole { transfer.feed(.gathered(id, isWhole: isWhole)) }
    guard !isHeld else { return }
    // Without a byte it is not to be waited for.
    endGathering()
    finish(outcome)
  }

  private func finish(_ outcome: TransportOutcome) {
    let (report, digests, failure) = state.withLock { state in
      handOver(&state)
      let digests = state.decoder?.digests()
      if let decoder = state.decoder, outcome == .complete, !decoder.isComplete,
        state.failure == nil
      {
        state.failure = TransportFailure(
          code: .badCoding, isRetryable: true, message: "ended in the middle of its coded content")
      }
      if outcome == .complete, state.skipped > 0, state.failure == nil {
        // Where no length is known, its end would pass for the end of the file.
        state.failure = TransportFailure(
          code: .lengthMismatch, isRetryable: true,
          message: "ended before the bytes that are there already")
      }
      state.stage = .closed
      leaveLimits(&state)
      // Also when it was taken by a flush: that one may not have told the machine yet, and the
      // end of a body of unknown length is where the last byte landed.
      state.unreported = 0
      return (state.position, digests, state.failure)
    }
    if report > 0 { transfer.feed(.landed(id, to: report)) }
    if let digests { transfer.feed(.codedDigests(digests)) }
    transfer.feed(.ended(id, failure.map(TransportOutcome.failed) ?? judged(outcome)))
    transfer.forget(id)
  }

  /// Whether the exchange has to be resumed now.
  private func takePause(_ state: inout State) -> Bool {
    defer { state.isPaused = false }
    return state.isPaused || state.rateWait != nil
  }

  /// Somebody who answered another transfer is there, and worth waiting for.
  private func judged(_ outcome: TransportOutcome) -> TransportOutcome {
    guard case .failed(var failure) = outcome, failure.absence != nil,
      transfer.environment.hosts.hasAnswered(origin)
    else { return outcome }
    failure.absence = nil
    return .failed(failure)
  }

  private func takeReport(_ state: inout State) -> Int64? {
    guard state.unreported > 0 else { return nil }
    state.unreported = 0
    return state.position
  }

  private func takeReportIfDue(_ state: inout State) -> Int64? {
    let isAtEnd = state.end == state.position
    return state.unreported >= Int64(TransferBuffer.capacity) || isAtEnd ? takeReport(&state) : nil
  }

  /// Takes bytes; says also whether they differ from those on disk.
  func take(_ bytes: RawSpan, _ state: inout State) -> (ReceiveVerdict, Bool) {
    switch state.stage {
    case .holding: return (hold(bytes, &state) ? .taken : .pause, false)
    case .closed: return (.stop, false)
    case .draining(let left):
      guard bytes.byteCount <= left else { return (.stop, false) }
      state.stage = .draining(left: left - bytes.byteCount)
      return (.taken, false)
    case .landing: break
    }
    if state.decoder != nil { return (decode(bytes, &state), false) }
    // What is shown again after a pause may be cut in other places than before.
    let ahead = min(state.takenAhead, bytes.byteCount)
    state.takenAhead -= ahead
    var rest = bytes.extracting(droppingFirst: ahead)
    let skipped = Int(min(state.skipped, Int64(rest.byteCount)))
    state.skipped -= Int64(skipped)
    rest = rest.extracting(droppingFirst: skipped)
    while !rest.isEmpty, let expected = state.overlap.first {
      guard rest.unsafeLoadFirstByte() == expected else {
        state.stage = .closed
        return (.stop, true)
      }
      state.overlap.removeFirst()
      rest = rest.extracting(droppingFirst: 1)
    }
    while !rest.isEmpty {
      if let end = state.end, state.position >= end { return (.stop, false) }
      guard let buffer = buffer(&state) else {
        state.takenAhead = bytes.byteCount - rest.byteCount
        state.isPaused = true
        return (.pause, false)
      }
      let taken = buffer.fill(from: rest)
      rest = rest.extracting(droppingFirst: taken)
      state.position += Int64(taken)
      state.unreported += Int64(taken)
      if buffer.isFull { handOver(&state) }
    }
    return (.taken, false)
  }

  private func decode(_ bytes: RawSpan, _ state: inout State) -> ReceiveVerdict {
    guard let decoder = state.decoder else { return .stop }
    // What is shown again after a pause was fed before it.
    let ahead = min(state.takenAhead, bytes.byteCount)
    state.takenAhead -= ahead
    if ahead < bytes.byteCount { decoder.feed(bytes.extracting(droppingFirst: ahead)) }
    do {
      var hasMore = true
      while hasMore {
        if let end = state.end, state.position >= end { return .stop }
        // One chunk may hold a thousand times its size: it waits for the disk in its middle too.
        guard let buffer = buffer(&state) else {
          state.takenAhead += bytes.byteCount
          state.isPaused = true
          return .pause
        }
        let before = buffer.count
        hasMore = try decoder.decode(into: buffer)
        let made = Int64(buffer.count - before)
        state.position += made
        state.unreported += made
        if buffer.isFull { handOver(&state) }
      }
      return .taken
    } catch {
      state.failure = TransportFailure(
        code: .badCoding, isRetryable: false, message: "sent \(error.message)")
      return .stop
    }
  }
}

extension RawSpan {
  /// The first byte of a span that is not empty.
  fileprivate func unsafeLoadFirstByte() -> UInt8 {
    // One byte is loaded at offset zero, and `unsafeLoad` checks that it lies inside.
    unsafe unsafeLoad(fromByteOffset: 0, as: UInt8.self)
  }
}
