internal import HaulHTTP

extension TransferMachine {
  mutating func takeHead(_ id: ConnectionID, _ head: ResponseHead) {
    guard var connection = connections[id], case .requested = connection.phase else { return }
    if request.tellsExchanges {
      actions.append(.emit(.answered(AnswerSummary(head))))
    }
    sources[connection.source].hasContact = true
    if connection.asked.comparing != nil, takeComparison(&connection, head) { return }
    if takeSegmentHead(connection, head) { return }
    switch StatusKind(head.status) {
    case .redirect: takeRedirect(connection, head)
    case .ok:
      do {
        let verdict = try rules.judgeWhole(
          head, now: moment.unixTime, isPackedFile: isPackedFile(head, from: connection.url))
        apply(verdict, connection, head)
      } catch {
        fail(.badResponse, "sent a malformed \(error.name): “\(error.value)”")
      }
    case .partial:
      let asked = connection.asked
      apply(
        rules.judgePart(
          head, asked: asked, stored: knownVersion(of: connection.source), now: moment.unixTime),
        connection, head)
    case .rangeNotSatisfiable where connection.asked.start != nil:
      let asked = connection.asked
      apply(
        rules.judgeUnsatisfied(
          head, asked: asked, stored: knownVersion(of: connection.source), now: moment.unixTime),
        connection, head)
    case .retryable:
      drop(id)
      let wait = head.fields.first("Retry-After").flatMap {
        RetryAfter.seconds($0, now: moment.unixTime)
      }
      if let wait {
        let capped = min(Double(wait), request.retries.maximumRetryAfter)
        actions.append(.postpone(connection.url.origin, moment.now.advanced(seconds: capped)))
      }
      // Once: what is refused again and again is so for itself, and others need not suffer.
      if !wasCrowded { actions.append(.crowded(id, connection.url.origin)) }
      wasCrowded = true
      var failure = statusFailure(head, by: connection)
      if let wait, Double(wait) > request.retries.maximumRetryAfter {
        failure.message += "; it asks for a pause of \(wait) s: --retry-max-delay S allows so much"
      }
      retry(failure, retryAfter: wait)
    case .proxyAuthentication:
      // What is no https here is http: over SOCKS there is no such answer.
      let isSecure = request.connection.proxy?.hasPrefix("https://") == true
      fail(
        .proxy, status: 407,
        "could not be asked: the proxy wants a user and a password, or others than it got",
        remedy: "give them in the proxy's URL: "
          + "--proxy \(isSecure ? "https" : "http")://USER:PASSWORD@HOST:PORT")
    case .permanent where isDigestRefused(head):
      // At once, without the wish: no try is lost by it.
      mayWantDigest = false
      drop(id)
    case .permanent, .rangeNotSatisfiable:
      let mayBeResolvedAnew = [401, 403, 404, 410].contains(head.status)
      if connection.redirects > 0, redirectTargetWorked, mayBeResolvedAnew {
        // An expired redirect target: the next try starts at the first URL (T4).
        drop(id)
        retry(statusFailure(head, by: connection), retryAfter: nil)
      } else {
        fail(statusFailure(head, by: connection))
      }
    }
  }

  /// Whether the bytes that are sent with a coding are the file as they are. Type and name tell; where
  /// a digest showed that they told wrong, it is the other way round.
  private mutating func isPackedFile(_ head: ResponseHead, from url: HTTPURL) -> Bool {
    guard ContentCoding.parse(head.fields) == .gzip else { return false }
    isPackedOrCoded = true
    let suggested = FileName.suggested(
      disposition: head.fields.first("Content-Disposition"), firstURL: request.url, finalURL: url,
      mediaType: nil)
    let names = [suggested, request.destination.name].compactMap(\.self)
    return PackedFile.isSaid(by: head.fields, names: names) != triesOtherCoding
  }

  /// A server that has no digest of a kind that was asked for may refuse the request, and say what
  /// it has (RFC 9530 appendix C.3). The file is what was wanted.
  private func isDigestRefused(_ head: ResponseHead) -> Bool {
    let name = DigestFields.wanted.name
    let isOwners = request.fields.contains { $0.field.name.equalsIgnoringASCIICase(name) }
    return head.status == 400 && mayWantDigest && !isOwners && head.fields.first(name) != nil
  }

  private mutating func takeRedirect(_ connection: Connection, _ head: ResponseHead) {
    let decision = Redirect.decide(
      status: head.status, location: head.fields.first("Location"), from: connection.url,
      allowsDowngrade: request.allowsDowngrade)
    switch decision {
    case .follow(let url):
      guard connection.redirects < request.maximumRedirects else {
        fail(
          .redirectLoop, status: head.status,
          "redirected more than \(request.maximumRedirects) times, at last to \(url)",
          remedy: "check the address; --max-redirs N allows more")
        return
      }
      actions.append(.abandon(connection.id))
      connections[connection.id] = nil
      _ = plan.release(connection.id)
      send(
        connection.asked, to: url, redirects: connection.redirects + 1, from: connection.source,
        share: connection.share)
    case .refused(let reason):
      refuse(reason, status: head.status)
    case nil:
      fail(statusFailure(head, by: connection))
    }
  }

  private mutating func refuse(_ reason: Redirect.RefusalReason, status: Int) {
    switch reason {
    case .noLocation:
      fail(.badResponse, status: status, "answered \(status) without saying where to")
    case .malformedLocation:
      fail(.badResponse, status: status, "redirected to an address that cannot be read")
    case .scheme(let scheme):
      fail(
        .redirectRefused, status: status, "redirected to the scheme “\(scheme)”, which is refused",
        remedy: "only http and https are followed")
    case .downgrade:
      fail(
        .redirectRefused, status: status,
        "redirected from https to http, which anyone on the way could change",
        remedy: "ask for the http address itself if you trust the way")
    }
  }

  private mutating func apply(
    _ verdict: AnswerVerdict, _ connection: Connection, _ head: ResponseHead
  ) {
    switch verdict {
    case .whole(let version, let landing):
      noteAnswer(connection, head)
      takeWhole(connection, head, version, landing)
    case .part(let version, let landing):
      noteAnswer(connection, head)
      takePart(connection, head, version, landing)
    case .complete(let total):
      noteAnswer(connection, head)
      drop(connection.id)
      if plan.end > total { noteChange() } else { version.total = total }
    case .changed:
      drop(connection.id)
      noteChange()
    case .badRange(let what):
      drop(connection.id)
      rangeFaults += 1
      if rangeFaults == 2 { restartReason = .badRange }
      if rangeFaults >= 2 { onlyWhole = true }
      if rangeFaults > 2 {
        fail(.badRange, status: head.status, "keeps sending \(what)")
      }
    case .rangeRefused:
      drop(connection.id)
      onlyWhole = true
      restartReason = .badRange
    case .failed(let code, let what):
      fail(code, status: head.status, what)
    }
  }

  private mutating func takeWhole(
    _ connection: Connection, _ head: ResponseHead, _ new: FileVersion, _ landing: Landing
  ) {
    // Few transfers ask for it.
    var type: MediaType? { head.fields.first("Content-Type").flatMap(MediaType.init(parsing:)) }
    if let expected = request.expectedType, !(type?.matches(expected) ?? false) {
      let sent = type?.essence ?? "no type"
      fail(.wrongType, "sent \(sent) where \(expected) was expected")
      return
    }
    if partHasBytes, looksLikeLoginPage(type, new) {
      fail(
        .wrongType, "answered with a web page in place of the rest of the file",
        remedy: "a login or the network's own page may be in the way"
          + (isPassingOn ? "" : "; the bytes so far are kept"))
      return
    }
    guard hasExpectedLength(new) else { return }
    if let limit = request.maximumByteCount, let total = new.total, total > limit {
      fail(.tooLarge, "is \(total) bytes long, and at most \(limit) are allowed")
      return
    }
    if connection.redirects > 0 { redirectTargetWorked = true }
    sources.noteSuccess(connection.source)
    sources.makeCurrent(connection.source)
    for id in connections.keys where id != connection.id { drop(id) }
    // It may have been opened for a part that nobody else has.
    _ = plan.release(connection.id)
    var (new, landing) = (new, landing)
    if new.total == nil, landing.coding == .identity, let validator = new.validator,
      validator == version.validator
    {
      // The same version told its length before: a cut would otherwise pass for the end.
      new.total = version.total
      landing.end = version.total
    }
    noteAnnounced(before: new, of: connection.source)
    endedByClose = new.total == nil && (try? BodyFraming.of(head)) == .untilClose
    if partHasBytes, isPassingOn { return takeWholeAgain(connection, new, landing) }
    isCoded = landing.coding != .identity
    codedDigests = nil
    connections[connection.id]?.phase = .preparing(landing)
    partJob = true
    takeLinks(head, new, from: connection.url, of: connection.source)
    guard hasPart else {
      noteName(new, connection, head)
      if mayGather(new, landing) { gather(connection.id, landing) } else { create() }
      return
    }
    if request.isDryRun { return planWhole(new, connection) }
    if partHasBytes { countRestart(to: new, connection) }
    mustRestart = false
    plan.reset()
    sources.forgetLanded()
    rangeClaims = []
    pieceCheck = .none
    partHasBytes = false
    isVerificationStale = isVerifyingStored
    resumedFrom = 0
    version = new
    noteSource(connection.source)
    restart(new)
  }

  /// Remembers the length that earlier answers gave, unless this one is surely of another version.
  private mutating func noteAnnounced(before new: FileVersion, of source: Int) {
    let isOther =
      source != versionSource
      || version.validator != nil && new.validator != nil && version.validator != new.validator
    announced = isOther ? 0 : max(announced, version.total ?? 0)
  }

  /// Notes what a part would be made for.
  mutating func noteName(_ new: FileVersion, _ connection: Connection, _ head: ResponseHead) {
    suggestedName = FileName.suggested(
      disposition: head.fields.first("Content-Disposition"), firstURL: request.url,
      finalURL: connection.url,
      mediaType: head.fields.first("Content-Type").flatMap(MediaType.init(parsing:)))
    wantedName = request.destination.name ?? suggestedName
    version = new
    noteSource(connection.source)
  }

  /// The version is what a source said.
  private mutating func noteSource(_ source: Int) {
    versionSource = source
    sources[source].version = version
  }

  /// A file of another length is not the one that is wanted.
  private mutating func hasExpectedLength(_ new: FileVersion) -> Bool {
    guard let expected = request.expectedByteCount, let total = new.total, total != expected else {
      return true
    }
    fail(.lengthMismatch, "is \(total) bytes long, and \(expected) were expected")
    return false
  }

  /// A resume that is answered with a web page, for a file that is none (T9).
  private func looksLikeLoginPage(_ type: MediaType?, _ new: FileVersion) -> Bool {
    guard let type, ["text/html", "application/xhtml+xml"].contains(type.essence) else {
      return false
    }
    if let validator = version.validator, validator == new.validator { return false }
    let name = (path ?? "").lowercased()
    let pages = [".html", ".htm", ".xhtml", ".php", ".asp", ".aspx", ".jsp"]
    return !pages.contains { name.hasSuffix($0) }
  }

  /// Whether an answer is known to be of another version than what is stored.
  private func isOther(_ new: FileVersion) -> Bool {
    restartReason == .changed || rules.contradicts(new, version)
  }

  private func reasonToRestart(_ isOther: Bool, _ connection: Connection) -> RestartReason {
    if let restartReason { return restartReason }
    if connection.source != versionSource { return .otherSource }
    return isOther ? .changed : connection.asked.start == nil ? .noValidator : .rangeIgnored
  }

  /// What would come of a whole answer where there is a part.
  private mutating func planWhole(_ new: FileVersion, _ connection: Connection) {
    let reason = reasonToRestart(isOther(new), connection)
    if reason == .rangeIgnored { answer?.acceptsRanges = false }
    partJob = false
    version = new
    endDryRun(partHasBytes ? .restart(reason) : firstStep)
  }

  private mutating func countRestart(to new: FileVersion, _ connection: Connection) {
    let isOther = isOther(new)
    if isOther { changes += 1 }
    restarts += 1
    actions.append(.emit(.restarted(reasonToRestart(isOther, connection))))
    restartReason = nil
    // What comes next can be continued, so that it is progress; a whole answer has to get
    // further than the one before it. There are at most two such restarts.
    if restarts >= 2 { onlyWhole = true } else { budget.noteRestart() }
  }

  private mutating func takePart(
    _ connection: Connection, _ head: ResponseHead, _ new: FileVersion, _ landing: Landing
  ) {
    guard hasExpectedLength(new) else { return }
    if let limit = request.maximumByteCount, let total = new.total, total > limit {
      fail(.tooLarge, "is \(total) bytes long, and at most \(limit) are allowed")
      return
    }
    if let total = new.total, plan.end > total {
      // Shorter than what is stored of it: an equal validator or not, it is another file.
      drop(connection.id)
      noteChange()
      return
    }
    if connection.redirects > 0 { redirectTargetWorked = true }
    let isTotalNew = version.total == nil && new.total != nil
    let isDigestNew = version.digests != new.digests
    if new.total != nil { endedByClose = false }
    var (new, landing) = (new, landing)
    if isPassingOn {
      // What came before is gone, and cannot be digested any more.
      landing.claims.removeAll { $0.range.lowerBound < landing.start }
      new.digests = version.digests
    }
    join(new, of: connection.source, head)
    if request.isDryRun { return endDryRun(.resume(from: plan.done.byteCount)) }
    if isDigestNew { beginDigests() }
    if connection.share != nil { return takeOver(connection.id, landing) }
    connections[connection.id]?.phase = .preparing(landing)
    if landing.overlap > 0 {
      partJob = true
      let range = landing.start - landing.overlap..<landing.start
      actions.append(.readOverlap(connection.id, range))
    } else if isTotalNew, let total = new.total {
      partJob = true
      actions.append(.reserve(total: total))
    } else {
      accept(connection.id)
    }
  }

  /// Another version is on the server: nothing of it joins what is stored (R1–R5).
  mutating func noteChange() {
    guard !isPassingOn || !partHasBytes else { return failChanged() }
    for id in connections.keys { drop(id) }
    restartReason = .changed
    mustRestart = true
    // Without a byte there is no restart to count, and further connections would find the next version
    // for ever.
    guard !partHasBytes else { return }
    changes += 1
    if changes >= 2 { onlyWhole = true }
  }
}
