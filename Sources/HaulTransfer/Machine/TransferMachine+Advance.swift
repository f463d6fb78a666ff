internal import HaulHTTP

extension TransferMachine {
  /// Does what can be done next, after every input.
  mutating func advance() {
    var before: Stage
    repeat {
      before = stage
      switch mode {
      case .finding, .ended: break
      case .active: advanceActive()
      case .finishing: advanceFinish()
      case .ending: advanceEnd()
      }
      // What was tried may have ended it or begun it anew, and no input would follow to say so.
    } while stage != before
  }

  private enum Stage { case finding, active, finishing, ending, ended }

  private var stage: Stage {
    switch mode {
    case .finding: .finding
    case .active: .active
    case .finishing: .finishing
    case .ending: .ending
    case .ended: .ended
    }
  }

  private mutating func advanceActive() {
    guard !partJob else { return }
    // A reader who has everything may go; nothing has to be looked for any more.
    if isPassingOn, connections.isEmpty, isEverythingThere { isCheckpointWanted = false }
    if isCheckpointWanted, !isCheckpointing, landedOrPending, hasPart, !isCoded || isPassingOn {
      isCheckpointWanted = false
      isCheckpointing = true
      checkpointVersion = version
      landedSinceCheckpoint = 0
      actions.append(.checkpoint(storable(version)))
    }
    if isEverythingThere { dropIdle() }
    guard connections.isEmpty else { return advanceSegments() }
    if isEverythingThere {
      if request.isDryRun { return endDryRun(.publish) }
      mode = .finishing(.begin)
      advanceFinish()
      return
    }
    guard retryAt == nil, !isReaderBehind else { return }
    let source = sources.current
    send(askedToCompare() ?? nextAsked(), to: sources[source].url, redirects: 0, from: source)
  }

  /// Something may have arrived since the last checkpoint.
  private var landedOrPending: Bool {
    landedSinceCheckpoint > 0 || !connections.isEmpty || isPassingOn
  }

  private var isEverythingThere: Bool {
    guard hasPart, !mustRestart, let total else { return false }
    return plan.isComplete(total: total) && rules.mayPublish(version)
  }

  private mutating func nextAsked() -> Asked {
    let combining = rules.combining(version)
    guard hasPart, partHasBytes, !onlyWhole, !mustRestart, !isCoded, combining != .never,
      !plan.done.isEmpty, let gap = plan.nextGap(total: total)
    else { return .whole }
    let overlap: Int64
    switch combining {
    case .byOverlap:
      // A seam at the end of a gap would not be compared.
      guard plan.done.prefixEnd == gap.lowerBound, plan.end == gap.lowerBound else {
        return .whole
      }
      overlap = plan.continuous(before: gap.lowerBound, limit: 65536)
    case .byValidator where total == nil:
      // All may be there already. A server that is asked for more than it has shows no validator;
      // with one byte to send it does, and tells the total.
      overlap = plan.continuous(before: gap.lowerBound, limit: 1)
    case .byValidator, .byDigest, .never: overlap = 0
    }
    // The last gap is asked for without an end: one more way for a server to say the total.
    let isLast = total.map { gap.upperBound >= $0 } ?? true
    return Asked(
      start: gap.lowerBound - overlap, end: isLast ? nil : gap.upperBound, overlap: overlap)
  }

  mutating func send(
    _ asked: Asked, to url: HTTPURL, redirects: Int, from source: Int,
    share: Segmenter.Share? = nil
  ) {
    guard url.scheme == "http" || url.scheme == "https" else {
      fail(.scheme, "has the scheme “\(url.scheme)”", remedy: "Haul fetches http and https")
      return
    }
    let id = makeConnectionID()
    connections[id] = Connection(
      id: id, asked: asked, url: url, redirects: redirects, source: source, share: share)
    if let share, share.holder == nil {
      plan.claim(id, from: share.range.lowerBound, to: share.range.upperBound)
    }
    var message = TransportRequest(
      url: url.requestText, fields: fields(asked, url, source), options: request.connection,
      session: session)
    message.mayShareConnection = share == nil
    actions.append(.request(id, message, url.origin))
  }

  mutating func takeSent(_ id: ConnectionID) {
    guard let connection = connections[id] else { return }
    let fields = fields(connection.asked, connection.url, connection.source)
    let summary = RequestSummary(connection.url, from: connection.asked.start, fields)
    actions.append(.emit(.asked(summary)))
  }

  private func fields(_ asked: Asked, _ url: HTTPURL, _ source: Int) -> [HeaderField] {
    var fields = [
      HeaderField(name: "User-Agent", value: request.userAgent),
      HeaderField(name: "Accept", value: "*/*"),
      // Length and positions of a coded body would say nothing of the file.
      HeaderField(name: "Accept-Encoding", value: "identity"),
    ]
    if mayWantDigest { fields.append(DigestFields.wanted) }
    let maySeeSecrets = HeaderScope.mayCarrySecrets(to: url, given: request.url)
    if let credentials = credentials(for: url, maySeeSecrets: maySeeSecrets) {
      let value = BasicAuthorization.value(
        user: credentials.user, password: credentials.password)
      fields.append(HeaderField(name: "Authorization", value: value))
    }
    for extra in request.fields where maySeeSecrets || !extra.isSecret {
      fields.removeAll { $0.name.equalsIgnoringASCIICase(extra.field.name) }
    }
    fields += request.fields.filter { maySeeSecrets || !$0.isSecret }.map(\.field)
    if let start = asked.start {
      let value = asked.end.map { RangeField.value(start..<$0) } ?? RangeField.value(from: start)
      fields.append(HeaderField(name: "Range", value: value))
      let date = asked.comparing.map { HTTPDate.format($0.modified) }
      if let condition = date ?? knownVersion(of: source).validator?.fieldValue {
        fields.append(HeaderField(name: "If-Range", value: condition))
      }
    }
    return fields
  }

  /// Forgets a connection; its bytes so far were reported and stay.
  mutating func drop(_ id: ConnectionID) {
    connections[id] = nil
    _ = plan.release(id)
    segmenter.end(id, at: moment.now)
    actions.append(.abandon(id))
  }

  mutating func takeEnd(_ id: ConnectionID, _ outcome: TransportOutcome) {
    guard let connection = connections[id] else { return }
    if let leaving {
      connections[id] = nil
      return end(leaving, .keep)
    }
    switch connection.phase {
    case .gathering:
      connections[id]?.pendingEnd = outcome
      // It ended without a byte that could be held, maybe before anybody began to collect.
      takeGathered(id, false)
    case .takingOver, .preparing:
      connections[id]?.pendingEnd = outcome
    case .requested where hasOthers(id):
      lose(connection)
    case .requested:
      connections[id] = nil
      _ = plan.release(id)
      switch outcome {
      case .failed(let failure): takeTransportFailure(failure, by: connection)
      case .complete, .stopped:
        retry(
          failure(.badResponse, "ended without an answer", by: connection), retryAfter: nil)
      }
    case .receiving(let landing):
      let position = plan.claims[id]?.position ?? landing.start
      // What it leaves, others fetch.
      if hasOthers(id), let end = landing.end, position < end { return lose(connection) }
      connections[id] = nil
      segmenter.end(id, at: moment.now)
      let claim = plan.release(id)
      if isPassingOn { isCheckpointWanted = true }
      takeBodyEnd(
        landing, position: claim?.position ?? landing.start, outcome, by: connection)
    }
  }

  private mutating func takeBodyEnd(
    _ landing: Landing, position: Int64, _ outcome: TransportOutcome,
    by connection: Connection
  ) {
    if let end = landing.end, position >= end {
      rangeClaims += landing.claims
      return noteAnswered(connection, to: end)
    }
    switch outcome {
    case .failed(let failure): takeTransportFailure(failure, by: connection)
    case .complete where landing.coding != .identity && codedDigests == nil:
      // It ended before the decoder was in place, hence without a byte: the coding of no file.
      takeTransportFailure(
        TransportFailure(
          code: .badCoding, isRetryable: true, message: "ended without its coded content"),
        by: connection)
    case .complete where landing.end == nil && isCut(position),
      .stopped where landing.end == nil && isCut(position):
      takeTransportFailure(
        TransportFailure(
          code: .lengthMismatch, isRetryable: true,
          message: "ended after \(position) bytes, and \(announced) had been announced"),
        by: connection, isInOrder: true)
    case .complete where landing.end == nil, .stopped where landing.end == nil:
      version.total = position
    case .complete, .stopped:
      let missing = (landing.end ?? position) - position
      takeTransportFailure(
        TransportFailure(
          code: .lengthMismatch, isRetryable: true,
          message: "ended \(missing) bytes before the length that it announced"),
        by: connection, isInOrder: true)
    }
  }

  /// Whether a body that only the end of its connection ended is shorter than was said before.
  private func isCut(_ position: Int64) -> Bool {
    endedByClose && position < announced
  }

  /// A server that gives a few bytes only for each request is asked for everything at once.
  private mutating func noteAnswered(_ connection: Connection, to end: Int64) {
    let isShort =
      connection.landed < Self.leastAnswer && !connection.isLimited
      && end < connection.asked.end ?? total ?? end
    shortAnswers = isShort ? shortAnswers + 1 : 0
    guard shortAnswers >= Self.maximumShortAnswers, !isPassingOn else { return }
    shortAnswers = 0
    onlyWhole = true
    mustRestart = true
    restartReason = .badRange
  }

  private static let leastAnswer: Int64 = 64 << 10
  private static let maximumShortAnswers = 16

  private mutating func takeTransportFailure(
    _ transport: TransportFailure, by connection: Connection, isInOrder: Bool = false
  ) {
    // A connection that was closed too early may have been cut all the same. The announced length is
    // wrong when an answer that says itself where it ends contradicts it, or when the connection is
    // closed each time and nothing of what came can be continued.
    let isTooShort = transport.code == .lengthMismatch
    let failure = failure(
      isTooShort ? .connectionLost : transport.code, transport.message, by: connection)
    shortEnds = isTooShort ? shortEnds + 1 : 0
    isShortInOrder = isTooShort && isInOrder
    if transport.isRetryable {
      let hasContact = hasBytesFromBefore || sources[connection.source].hasContact
      retry(failure, retryAfter: nil, absence: hasContact ? nil : transport.absence)
    } else {
      fail(failure)
    }
  }

  mutating func retry(
    _ failure: TransferFailure, retryAfter: Int64?, absence: TransportFailure.Absence? = nil
  ) {
    guard case .active = mode else { return }
    guard !isPassingOn || mayContinue else { return failUncontinued(failure) }
    lastFailure = failure
    if onlyWhole, changes >= 3 {
      fail(
        .changing, "changes each time a part of it is fetched (\(changes) times)",
        remedy: "try again when it is at rest, or fetch it by a digest: --digest sha-256=HEX")
      return
    }
    if rotateSource() {
      // The other one may do at once what this one does not.
      var failure = failure
      failure.message += "; \(sources[sources.current].url) is asked now"
      actions.append(.emit(.retrying(failure, delay: 0)))
      return
    }
    var failure = failure
    let spare = sources.next.map { sources[$0].url }
    let verdict = budget.noteFailure(
      retryAfter: retryAfter, jitter: random.unit(), absence: absence,
      hasSpare: spare != nil && !mayMix)
    switch verdict {
    case .usedUp(let tries):
      failure.tries = tries
      if shortEnds > 1, isShortInOrder || !isResumable { failure.code = .lengthMismatch }
      if tries.allowed < request.retries.tries {
        failure.message += " (tried \(tries.made) times; --tries N tries longer)"
      } else if tries.allowed > 1 {
        failure.message += " (tried \(tries.allowed) times without getting further)"
      }
      fail(failure)
    case .again(let delay, let tries):
      failure.tries = tries
      if let spare, !mayMix { failure.message += "; \(spare) comes after it" }
      lastFailure = failure
      let until = moment.now.advanced(seconds: delay)
      retryAt = until
      actions.append(.emit(.retrying(failure, delay: delay)))
      actions.append(.wake(until))
    }
  }
}
