internal import HaulHTTP

extension TransferMachine {
  mutating func advanceFinish() {
    guard case .finishing(let step) = mode, !partJob, !isCheckpointing else { return }
    switch step {
    case .begin:
      mode = .finishing(.flushing)
      actions.append(.flush)
    case .flushing, .publishing: break
    case .flushed:
      guard !isVerifyingStored, let total else { return }
      if let failure = lengthFailure(total) { return fail(failure) }
      if request.digest == nil, checkPieces(total) { return }
      // The owner's digests are of everything, and rule alone.
      if request.digest == nil, pieceCheck != .right, let claim = rangeClaims.first {
        partJob = true
        actions.append(.digestRange(claim.digest.algorithm, claim.range))
        return
      }
      actions.append(.emit(.verifying))
      let algorithms = wantedDigests
      guard !algorithms.isEmpty else {
        takeDigests(.success([]))
        return
      }
      partJob = true
      actions.append(.digests(algorithms, byteCount: total))
    case .digested:
      guard let total else { return }
      mode = .finishing(.publishing)
      partJob = true
      // What was checked is noted, for whoever finds the file published but the work unfinished.
      var checked = version
      checked.digests = checkedDigest.map { [$0] } ?? []
      version = checked
      actions.append(.publish(byteCount: total, storable(checked)))
    }
  }

  mutating func takeFlushed() {
    switch mode {
    case .finishing(.flushing): mode = .finishing(.flushed)
    case .ending(let result, let disposition, .flushing):
      mode = .ending(result, disposition, .flushed)
    default: break
    }
  }

  mutating func takeDigests(_ outcome: FileOutcome<[Digest]>) {
    partJob = false
    guard case .finishing(.flushed) = mode else { return }
    switch outcome {
    case .failure(let failure): fail(failure)
    case .success(let digests):
      let expected = request.digest.map { [$0] } ?? (pieceCheck == .right ? [] : version.digests)
      let computed = digests + (request.digest == nil ? codedDigests ?? [] : [])
      let wrong = expected.first { want in
        // The owner's digest has to be there; one of the server's that nobody computed is no proof.
        want == request.digest
          ? !computed.contains(want)
          : computed.contains { $0.algorithm == want.algorithm && $0 != want }
      }
      if let wrong {
        takeWrongDigest(wrong, computed: computed.first { $0.algorithm == wrong.algorithm })
        return
      }
      checkedDigest = expected.first { computed.contains($0) }
      if checkedDigest != nil { tellSuspects() }
      // What the server said of coded bytes is checked, but is no digest of the file.
      if isCoded, request.digest == nil, checkedDigest != nil {
        checkedDigest = nil
        isCodingChecked = true
      }
      mode = .finishing(.digested)
      advanceFinish()
    }
  }

  /// Compares the next claim of a partial answer with what is stored of its body.
  mutating func takeRangeDigest(_ outcome: FileOutcome<Digest>) {
    partJob = false
    guard case .finishing(.flushed) = mode else { return }
    if case .checking = pieceCheck { return takePieceDigest(outcome) }
    guard let claim = rangeClaims.first else { return }
    switch outcome {
    case .failure(let failure): fail(failure)
    case .success(claim.digest): rangeClaims.removeFirst()
    case .success(let digest):
      guard !refetchedForRange, !isPassingOn else {
        failDigest(claim.digest, computed: digest)
        return
      }
      refetchedForRange = true
      rangeClaims.removeAll { $0.range.overlaps(claim.range) }
      lose(IntervalSet([claim.range]))
      let count = claim.range.upperBound - claim.range.lowerBound
      actions.append(.emit(.damaged(byteCount: count, .digest)))
      mode = .active
    }
  }

  private mutating func takeWrongDigest(_ wanted: Digest, computed: Digest?) {
    if wanted == request.digest, let total, checkPieces(total) { return }
    if version.isCombined || endedByClose, !refetchedForDigest, !isPassingOn {
      // Perhaps bytes of two versions met, or the end was a cut: once more, in one answer.
      refetchedForDigest = true
      suspects = sources.senders
      onlyWhole = true
      mustRestart = true
      restartReason = .digestMismatch
      mode = .active
      return
    }
    if wanted == request.digest, takesOtherCoding() { return }
    failDigest(wanted, computed: computed)
  }

  /// Fetches the file once more, to take its coding the other way; false when that was done.
  private mutating func takesOtherCoding() -> Bool {
    guard isPackedOrCoded, !triesOtherCoding, !isPassingOn else { return false }
    triesOtherCoding = true
    onlyWhole = true
    mustRestart = true
    restartReason = .digestMismatch
    mode = .active
    return true
  }

  mutating func failDigest(_ wanted: Digest, computed: Digest?) {
    let isOwners = request.digest != nil || request.pieces?.digests.contains(wanted) == true
    let origin = isOwners ? "that was asked for" : "that the server sent"
    let found = computed.map { ", and it is \($0.hex)" } ?? ""
    let what = "does not have the digest \(origin): \(wanted) was expected\(found)"
    guard !takesOtherSource(after: failure(.digestMismatch, what)) else { return }
    let rest =
      request.destination.keepsBadFile
      ? "; it is kept as \(path ?? "NAME")\(Self.badSuffix)" : "; nothing was kept"
    let remedy = "the file or the digest is wrong" + (isPassingOn ? "" : rest)
    giveUp(failure(.digestMismatch, what, remedy: remedy), disposition: .bad)
  }

  private static let badSuffix = ".haul-bad"

  mutating func takePublished(_ outcome: FileOutcome<PublishedFile>) {
    partJob = false
    guard case .finishing(.publishing) = mode else { return }
    switch outcome {
    case .failure(let failure): fail(failure)
    case .success(let file):
      hasPart = false
      path = file.path
      end(.finished(finished(file)), .keep)
    }
  }

  func finished(_ file: PublishedFile) -> FinishedTransfer {
    let verification: Verification =
      checkedDigest != nil || isCodingChecked || pieceCheck == .right
      ? .digest
      : version.isJoinedByOverlap ? .overlap : endedByClose ? .unverified : .length
    return FinishedTransfer(
      path: file.path, wantedName: file.wantedName, byteCount: file.byteCount,
      seconds: startedAt.map { moment.now.seconds(since: $0) } ?? 0, digest: checkedDigest,
      verification: verification, isDecoded: isCoded)
  }

  /// A failure on the disk, told with the URL: in a list of many the path alone says too little.
  mutating func fail(_ failure: FileFailure) {
    guard failure.code != .interrupted else {
      return end(
        .stopped(received: plan.done.byteCount, isResumable: isResumable), .keep)
    }
    var told = TransferFailure(failure)
    told.message = "\(request.url) could not be kept: \(failure.message)"
    fail(told)
  }

  mutating func fail(_ failure: TransferFailure, disposition: PartialDisposition = .keep) {
    guard !takesOtherSource(after: failure) else { return }
    giveUp(failure, disposition: disposition)
  }

  /// Fails, with no other source to be asked.
  private mutating func giveUp(_ failure: TransferFailure, disposition: PartialDisposition) {
    var failure = failure
    failure.message += otherSources(than: sources.current, failure.code)
    failure.isResumable = disposition == .keep && isResumable
    let isFull = failure.code == .diskFull && hasPart && partOutlives && !plan.done.isEmpty
    if isFull, !failure.isResumable, disposition == .keep {
      failure.message += "; what was received is not kept, since \(reasonNotToResume)"
    }
    guard disposition == .keep, isFull || [.integrity, .policy].contains(failure.code.category)
    else { return end(.failed(failure), disposition) }
    // A part that no run can go on from is not left behind without a word.
    if !failure.isResumable, hasPart, partOutlives { return end(.failed(failure), .discard) }
    if failure.isResumable, failure.code != .wrongType, !isFull {
      failure.message += "; what was received is kept"
    }
    end(.failed(failure), .keep)
  }

  /// Why no later run can go on from the bytes that are there.
  private var reasonNotToResume: String {
    isCoded
      ? "a packed answer cannot be gone on with"
      : mustRestart
        ? "all of it has to be fetched again"
        : "the server gives nothing by which a later run could know this version (--digest lets it go on)"
  }

  /// Whether a later run can go on from the bytes that are there.
  var isResumable: Bool {
    // A later run begins with the first source again, whose bytes these are.
    let isOfFirst = restartReason == .otherSource && versionSource == 0
    return hasPart && partOutlives && !isCoded && (!mustRestart || isOfFirst)
      && !plan.done.isEmpty && rules.combining(version) != .never
  }

  mutating func fail(
    _ code: TransferFailure.Code, status: Int? = nil, _ what: String, remedy: String? = nil,
    disposition: PartialDisposition = .keep
  ) {
    let failure = failure(code, status: status, what, remedy: remedy)
    fail(failure, disposition: disposition)
  }

  /// A failure whose message begins with the URL, without its secrets, and names the one that a
  /// redirect led to, where that is at fault.
  func failure(
    _ code: TransferFailure.Code, status: Int? = nil, _ what: String, remedy: String? = nil,
    by connection: Connection? = nil
  ) -> TransferFailure {
    let first = sources[connection?.source ?? sources.current].url
    var message = "\(first) "
    if let url = connection?.url, url.requestText != first.requestText {
      message += "was redirected to \(url), which "
    }
    message += what
    if let remedy { message += "; \(remedy)" }
    return TransferFailure(code: code, status: status, message: message)
  }

  func statusFailure(_ head: ResponseHead, by connection: Connection) -> TransferFailure {
    let status = head.status
    let phrase = StatusKind.reasonPhrase(status).map { " \($0)" } ?? ""
    let remedy: String? =
      switch status {
      case 401:
        remedyForUnauthorized(
          at: connection.url, accepts: Challenges.schemes(in: head.fields.all("WWW-Authenticate")))
      case 403: "the server refuses; a login, a cookie or a new link may be needed"
      case 404, 410: "check the address; the file is not there"
      case 429, 503: "the server is busy; try again later"
      default: nil
      }
    return failure(
      .httpStatus, status: status, "was answered with \(status)\(phrase)", remedy: remedy,
      by: connection)
  }

  /// Begins the end; the first one counts.
  mutating func end(_ result: TransferResult, _ disposition: PartialDisposition) {
    switch mode {
    case .ending, .ended: return
    default: break
    }
    for id in connections.keys.sorted(by: { $0.value < $1.value }) {
      actions.append(.cancel(id))
      _ = plan.release(id)
    }
    connections = [:]
    retryAt = nil
    mode = .ending(result, disposition, .begin)
  }

  mutating func advanceEnd() {
    guard case .ending(let result, let disposition, let step) = mode, !partJob else { return }
    switch step {
    case .begin:
      guard hasPart else {
        mode = .ending(result, disposition, .closed)
        return advanceEnd()
      }
      mode = .ending(result, disposition, .flushing)
      actions.append(.flush)
    case .flushing, .checkpointing, .closing: break
    case .flushed:
      guard !isCheckpointing else { return }
      guard disposition == .keep, partHasBytes, !isCoded, !request.isDryRun else {
        mode = .ending(result, disposition, .checkpointed)
        return advanceEnd()
      }
      mode = .ending(result, disposition, .checkpointing)
      isCheckpointing = true
      actions.append(.checkpoint(storable(version)))
    case .checkpointed:
      mode = .ending(result, disposition, .closing)
      partJob = true
      actions.append(.close(disposition))
    case .closed:
      mode = .ended
      actions.append(.emit(.ended(result)))
    }
  }
}
