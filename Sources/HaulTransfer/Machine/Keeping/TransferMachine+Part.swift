internal import HaulHTTP

extension TransferMachine {
  mutating func takeFound(_ outcome: FileOutcome<FoundPartial>) {
    partJob = false
    switch outcome {
    case .failure(let failure): fail(failure)
    case .success(.nothing): begin()
    case .success(.existing(let path)): end(.skipped(path: path, by: .digest), .keep)
    case .success(.likely(let file)):
      likely = file
      begin()
    case .success(.published(let file)): takeAlreadyPublished(file)
    case .success(.part(let part)):
      hasPart = true
      version = part.version
      if let former = request.keptUnder, former.origin != request.url.origin, request.digest == nil
      {
        // Validators of two servers prove nothing to each other.
        (version.validator, version.weakTag) = (nil, nil)
      }
      sources[0].version = version
      path = part.plannedPath
      plan.begin(with: part.stored, total: version.total)
      partHasBytes = !plan.done.isEmpty
      isKept = partHasBytes
      hasBytesFromBefore = partHasBytes
      resumedFrom = plan.done.byteCount
      budget.noteProgress(resumedFrom)
      noteLoss(part)
      // Stopped meanwhile: what was found is closed as it is.
      guard case .finding = mode else { return }
      if !request.isDryRun {
        isVerifyingStored = true
        actions.append(.verifyStored)
        beginDigests()
      }
      begin()
    }
  }

  private mutating func begin() {
    if case .finding = mode { mode = .active }
  }

  private mutating func takeAlreadyPublished(_ file: PublishedFile) {
    // It was checked before it got its name, though not against what is asked for today.
    let hasDigest =
      request.digest.map { file.version.digests.contains($0) } ?? (request.pieces == nil)
    guard hasDigest, lengthFailure(file.byteCount) == nil else {
      begin()
      return
    }
    switch mode {
    case .finding: break
    // It was over before it could be stopped; its note may be gone now, and nobody would find it again.
    case .ending(.stopped, _, _): mode = .finding
    default: return
    }
    path = file.path
    plan.begin(with: IntervalSet([0..<file.byteCount]), total: file.byteCount)
    resumedFrom = file.byteCount
    version = file.version
    if request.isDryRun { return endDryRun(.publish) }
    checkedDigest = file.version.digests.first
    end(.finished(finished(file)), .keep)
  }

  mutating func takeCreated(_ outcome: FileOutcome<CreatedPartial>) {
    partJob = false
    switch outcome {
    case .failure(let failure): fail(failure)
    case .success(.skipped(let path, let likeness)): skip(path, by: likeness)
    case .success(.part(let part)):
      hasPart = true
      path = part.plannedPath
      rules.isPassingOn = !part.isRestartable
      partOutlives = part.outlivesTransfer
      guard case .active = mode else { return }
      noteLoss(part)
      if request.isDryRun {
        let count = part.stored.byteCount
        return endDryRun(count > 0 ? .resume(from: count) : firstStep)
      }
      dropComparison()
      if !part.stored.isEmpty { adopt(part) }
      beginDigests()
      acceptPrepared()
    }
  }

  /// An earlier run's bytes are fetched again: that is told, since nobody would expect it.
  private mutating func noteLoss(_ part: any PartialFile) {
    guard part.stored.isEmpty, let reason = part.lossReason else { return }
    lossReason = reason
    if !request.isDryRun { actions.append(.emit(.restarted(reason))) }
  }

  /// What a dry run says of a file that begins with its first byte.
  var firstStep: PlannedTransfer.Step { lossReason.map { .restart($0) } ?? .fetch }

  /// Bytes of the same file, left by another URL: the answer at hand brings them again, so they
  /// are kept only as what a later try may continue from.
  private mutating func adopt(_ part: any PartialFile) {
    plan.begin(with: part.stored, total: version.total)
    partHasBytes = true
    isKept = true
    resumedFrom = plan.done.byteCount
    isVerifyingStored = true
    actions.append(.verifyStored)
    version.isCombined = true
    // Bytes of another version may be among them; then only the digest will tell.
    if part.version.validator != version.validator { version.validator = nil }
    for id in connections.keys { drop(id) }
  }

  mutating func takePrepared(_ outcome: FileOutcome<Void>) {
    partJob = false
    switch outcome {
    case .failure(let failure): fail(failure)
    case .success:
      guard case .active = mode else { return }
      beginDigests()
      acceptPrepared()
    }
  }

  private mutating func acceptPrepared() {
    for connection in connections.values {
      guard case .preparing = connection.phase else { continue }
      accept(connection.id)
    }
  }

  /// Lets the bytes of an answer in.
  mutating func accept(_ id: ConnectionID) {
    guard var connection = connections[id], case .preparing(let landing) = connection.phase
    else { return }
    // A checkpoint under way takes what is on disk when its turn comes: it would vouch for the
    // bytes of this answer in the name of the version before it. It lets them in when it is done.
    guard !isCheckpointing || checkpointVersion == version else { return }
    let pendingEnd = connection.pendingEnd
    connection.phase = .receiving(landing)
    connection.pendingEnd = nil
    connections[id] = connection
    plan.claim(id, from: landing.start, to: landing.end)
    segmenter.begin(id, at: moment.now)
    if plan.claims.count > 1 { hadSeveral = true }
    if !hasAnnounced {
      hasAnnounced = true
      actions.append(
        .emit(.started(path: path ?? "", total: total, resumedFrom: resumedFrom)))
    }
    if let pendingEnd {
      takeEnd(id, pendingEnd)
      return
    }
    let coded = landing.coding == .identity ? [] : Set(version.digests.map(\.algorithm))
    if isPassingOn { for claim in landing.claims { actions.append(.watch(claim)) } }
    actions.append(.accept(id, capped(landing), digests: coded))
    if nextTick == nil { wakeForTick() }
  }

  mutating func beginDigests() {
    guard !isCoded || request.digest != nil else { return }
    let algorithms = wantedDigests
    if !algorithms.isEmpty { actions.append(.beginDigests(algorithms)) }
  }

  /// The owner's digest rules; without one, those that the server sent.
  var wantedDigests: Set<DigestAlgorithm> {
    if let digest = request.digest { return [digest.algorithm] }
    if pieceCheck == .right { return [] }
    return isCoded ? [] : Set(version.digests.map(\.algorithm))
  }

  mutating func takeVerified(_ outcome: FileOutcome<IntervalSet>) {
    isVerifyingStored = false
    switch outcome {
    case .failure(let failure): fail(failure)
    case .success(let damaged):
      let isStale = isVerificationStale
      isVerificationStale = false
      guard !damaged.isEmpty, !isStale else { return }
      let before = plan.done.byteCount
      lose(damaged)
      let lost = before - plan.done.byteCount
      guard lost > 0 else { return }
      resumedFrom = max(0, resumedFrom - lost)
      actions.append(.emit(.damaged(byteCount: lost, .disk)))
      if case .finishing = mode { mode = .active }
    }
  }

  /// Bytes turned out to be wrong: they are fetched again, and checked again.
  mutating func lose(_ bytes: IntervalSet) {
    plan.lose(bytes)
    pieceCheck = .none
  }

  mutating func takeLanded(_ id: ConnectionID, to position: Int64) {
    guard let claim = plan.claims[id], position > claim.position else { return }
    let count = position - claim.position
    plan.land(id, count)
    connections[id]?.landed += count
    segmenter.note(id, total: connections[id]?.landed ?? 0, at: moment.now)
    if sources.count > 1, let source = connections[id]?.source {
      sources[source].landed.insert(claim.position..<position)
    }
    partHasBytes = true
    landedSinceCheckpoint += count
    budget.noteProgress(plan.done.byteCount)
    if landedSinceCheckpoint >= Self.checkpointBytes { isCheckpointWanted = true }
    if let limit = request.maximumByteCount, plan.done.byteCount > limit {
      fail(
        .tooLarge, "is longer than the \(limit) bytes that are allowed",
        remedy: "a larger --max-filesize lets it go on")
    }
    endIfLimited(id)
  }

  /// A checkpoint is made after so many bytes, or a second.
  static let checkpointBytes: Int64 = 64 << 20

  /// `unreported` is what connections have brought beyond what landed.
  mutating func takeTick(_ unreported: [ConnectionID: Int64]) {
    for (id, count) in unreported {
      guard let landed = connections[id]?.landed else { continue }
      segmenter.note(id, total: landed + count, at: moment.now)
    }
    if let nextTick, moment.now >= nextTick {
      self.nextTick = nil
      isCheckpointWanted = true
      // A reader who goes away is missed between two tries as well.
      if !connections.isEmpty || (isPassingOn && isActive) { wakeForTick() }
    }
    if let retryAt, moment.now >= retryAt { self.retryAt = nil }
  }

  private var isActive: Bool {
    if case .active = mode { true } else { false }
  }

  private mutating func wakeForTick() {
    let tick = moment.now.advanced(seconds: 1)
    nextTick = tick
    actions.append(.wake(tick))
  }

  mutating func takeCheckpointed(_ outcome: FileOutcome<Void>) {
    isCheckpointing = false
    let waiting = waitingRestart
    waitingRestart = nil
    if waiting != nil { partJob = false }
    if case .ending(let result, let disposition, let step) = mode {
      // What the last checkpoint could not keep is fetched again; the end stays what it is.
      // One that was under way when the end began knows nothing of the last bytes.
      if case .success = outcome, partHasBytes { isKept = true }
      if step == .checkpointing {
        mode = .ending(isKept ? result : result.withNothingKept, disposition, .checkpointed)
      }
      return
    }
    if case .success = outcome, partHasBytes { isKept = true }
    if case .failure(let failure) = outcome {
      // A reader who goes once he has everything is no failure; what he has not, the part tells.
      if isPassingOn, case .finishing = mode { return }
      return fail(failure)
    }
    if let waiting { return restart(waiting) }
    if case .active = mode, !partJob { acceptPrepared() }
  }

  /// Empties the part for another version. A checkpoint that is under way is waited for: it
  /// carries the old version, and would write it beside the bytes of the new one.
  mutating func restart(_ version: FileVersion) {
    partJob = true
    isKept = false
    if isCheckpointing {
      waitingRestart = version
    } else {
      actions.append(.restart(storable(version)))
    }
  }
}
