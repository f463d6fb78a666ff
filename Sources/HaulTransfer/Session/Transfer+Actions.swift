internal import HaulHTTP
internal import Synchronization

extension Transfer {
  func perform(_ action: TransferMachine.Action) {
    switch action {
    case .find:
      environment.store.find(identity, at: request.storeDestination) { [self] outcome in
        if case .success(.part(let part)) = outcome { keep(part) }
        feed(.found(outcome))
      }
    case .request(let id, let message, let origin): send(message, id, origin)
    case .abandon(let id):
      if receiver(id)?.abandon() == true { environment.transport.resume(id) }
      drain(id)
    case .cancel(let id):
      // What has come with the head is taken, so that the connection can be used again.
      receiver(id)?.abandon()
      // First, so that a request which waits is not sent after its cancellation.
      forget(id)
      environment.transport.cancel(id)
    case .accept(let id, let landing, let digests):
      let overlap = state.withLock { $0.overlaps.removeValue(forKey: id) } ?? []
      let decoder = environment.decoders.makeDecoder(landing.coding, digests: digests)
      guard landing.coding == .identity || decoder != nil else { return refuseCoding(id) }
      let isEager = state.withLock { $0.part?.isRestartable == false }
      switch receiver(id)?.accept(landing, overlap: overlap, decoder: decoder, isEager: isEager) {
      case .resume: environment.transport.resume(id)
      case .cancel: environment.transport.cancel(id)
      case .leave, nil: break
      }
    case .create(let name, let version, let mayAdopt):
      environment.store.create(
        identity, at: request.storeDestination, suggestedName: name, version: version,
        mayAdopt: mayAdopt
      ) { [self] outcome in
        if case .success(.part(let part)) = outcome { keep(part) }
        feed(.created(outcome))
      }
    case .gather(let id, let total): gather(id, total)
    case .limit(let id, let end, let other): limit(id, to: end, for: other)
    case .keep(let id, let name, let version): keepWhole(id, name, version)
    case .wake(let instant):
      environment.clock.schedule(at: instant) { [weak self] in self?.tick() }
    case .postpone(let origin, let instant): environment.hosts.close(origin, until: instant)
    case .crowded(let id, let origin):
      environment.hosts.noteRefusal(id, origin, clock: environment.clock)
    case .emit(let event): emit(event)
    default: performOnPart(action)
    }
  }

  private func tick() {
    // Receivers are asked outside the lock: they take it while they hold their own.
    let receivers = state.withLock { $0.receivers }
    feed(.tick(unreported: receivers.mapValues(\.unreported)))
  }

  private func limit(_ id: ConnectionID, to end: Int64, for other: ConnectionID) {
    let limited = receiver(id)?.limit(to: end)
    if let limited { feed(.landed(id, to: limited.position)) }
    feed(.limited(id, end: limited?.end ?? end, for: other))
  }

  /// Collects a small file for a second at most, so that a slow one is on disk before it is whole.
  private func gather(_ id: ConnectionID, _ total: Int64) {
    guard let receiver = receiver(id) else { return }
    receiver.gather(total)
    let second = environment.clock.now.advanced(seconds: 1)
    environment.clock.schedule(at: second) { [weak receiver] in receiver?.endGathering() }
  }

  private func keepWhole(_ id: ConnectionID, _ name: String, _ version: FileVersion) {
    guard let receiver = receiver(id), let content = receiver.takeHeld() else {
      return feed(.kept(.success(.declined)))
    }
    environment.store.keep(
      identity, at: request.storeDestination, suggestedName: name, version: version,
      content: content
    ) { [self] outcome in
      if case .success(.published) = outcome {
        environment.buffers.takeBack(content)
        forget(id)
      } else {
        receiver.putBack(content)
      }
      feed(.kept(outcome))
    }
  }

  private func performOnPart(_ action: TransferMachine.Action) {
    guard let part = state.withLock({ $0.part }) else { return }
    switch action {
    case .restart(let version): part.restart(version) { self.feed(.prepared($0)) }
    case .reserve(let total): part.reserve(total: total) { self.feed(.prepared($0)) }
    case .readOverlap(let id, let range):
      part.read(range) { [self] outcome in
        if case .success(let bytes) = outcome {
          state.withLock { $0.overlaps[id] = bytes }
        }
        feed(.prepared(outcome.map { _ in () }))
      }
    case .verifyStored: part.verifyStored { self.feed(.verifiedStored($0)) }
    case .beginDigests(let algorithms): part.beginDigests(algorithms)
    case .watch(let claim): part.watch(claim.range, claim.digest.algorithm)
    case .flush: flush()
    case .checkpoint(let version):
      flushReceivers()
      state.withLock { $0.checkpoint = ($0.writesStarted, version) }
      checkpointIfDue()
    case .digests(let algorithms, let byteCount):
      part.digests(algorithms, byteCount: byteCount) { self.feed(.digested($0)) }
    case .digestRange(let algorithm, let range):
      part.digest(algorithm, of: range) { self.feed(.rangeDigested($0)) }
    case .publish(let byteCount, let version):
      part.publish(byteCount: byteCount, version: version) { self.feed(.published($0)) }
    case .close(let disposition):
      part.close(disposition) {
        self.feed(.passedOn(part.passedOn))
        self.feed(.closed)
      }
    default: break
    }
  }

  /// Coded bytes that nobody decodes are not the file.
  private func refuseCoding(_ id: ConnectionID) {
    perform(.cancel(id))
    let failure = TransportFailure(
      code: .badCoding, isRetryable: false, message: "sent a content coding that cannot be undone")
    feed(.ended(id, .failed(failure)))
  }

  private func keep(_ part: any PartialFile) {
    state.withLock { $0.part = part }
  }

  private func receiver(_ id: ConnectionID) -> ConnectionReceiver? {
    state.withLock { $0.receivers[id] }
  }

  func forget(_ id: ConnectionID) {
    let wasSent = state.withLock { state in
      state.receivers[id] = nil
      state.overlaps[id] = nil
      state.unsent[id] = nil
      if state.occupying[id] != nil { state.occupying[id] = .leaving }
      return state.occupying[id] != nil
    }
    // What was sent keeps its place until its connection is closed, or free for the next one.
    if !wasSent { leavePlace(id) }
  }

  /// Called by a receiver under its lock, which keeps the writes of a connection in order.
  func write(
    _ buffer: TransferBuffer, at offset: Int64, from receiver: ConnectionReceiver,
    _ id: ConnectionID
  ) {
    let part = state.withLock { state in
      state.writesStarted += 1
      return state.part
    }
    guard let part else { return }
    part.write(buffer, at: offset) { [self, weak receiver] outcome in
      environment.buffers.takeBack(buffer)
      if case .failure(let failure) = outcome { feed(.writeFailed(failure)) }
      state.withLock { $0.writesDone += 1 }
      if receiver?.bufferWasWritten() == true { environment.transport.resume(id) }
      flushedIfDone()
      checkpointIfDue()
    }
  }

  /// Buffers of one connection that may wait for the disk before it is paused; fewer where there are many
  /// connections, since all of them write to one disk.
  var maximumBuffersInFlight: Int {
    let connections = state.withLock { $0.receivers.count }
    return max(2, min(4, 16 / max(1, connections)))
  }

  func flushReceivers() {
    let receivers = state.withLock { $0.receivers }
    for (id, receiver) in receivers {
      if let position = receiver.flush() { feed(.landed(id, to: position)) }
    }
  }

  private func flush() {
    flushReceivers()
    state.withLock { $0.isFlushWanted = true }
    flushedIfDone()
  }

  private func flushedIfDone() {
    let isDone = state.withLock { state in
      guard state.isFlushWanted, state.writesDone == state.writesStarted else { return false }
      state.isFlushWanted = false
      return true
    }
    if isDone { feed(.flushed) }
  }

  private func checkpointIfDue() {
    let due = state.withLock { state -> ((any PartialFile)?, FileVersion)? in
      guard let checkpoint = state.checkpoint, state.writesDone >= checkpoint.after else {
        return nil
      }
      state.checkpoint = nil
      return (state.part, checkpoint.version)
    }
    guard let (part, version) = due else { return }
    part?.checkpoint(version) { self.feed(.checkpointed($0)) }
  }
}

extension TransferMachine {
  /// Where the transfer stands, but for bytes that were not reported yet.
  var progress: TransferProgress {
    TransferProgress(
      state: shownState, received: plan.done.byteCount, resumedFrom: resumedFrom, total: total,
      path: path, connections: connections.count, resumesAt: retryAt, segments: segments)
  }

  private var segments: [TransferSegment] {
    plan.claims.sorted { $0.value.position < $1.value.position }.compactMap { id, claim in
      guard let connection = connections[id], connection.isReceiving else { return nil }
      let source = sources[connection.source].url.redacted
      return TransferSegment(position: claim.position, end: claim.end, source: source)
    }
  }

  /// What its connections take for the rest; nil where there was never more than one.
  func secondsLeft(_ unreported: [ConnectionID: Int64], at now: Instant) -> Double? {
    guard hadSeveral, case .active = mode, let total else { return nil }
    let holders = plan.claims.filter { connections[$0.key]?.isReceiving == true }
      .map { id, claim in
        Segmenter.Holder(
          id: id, position: claim.position + (unreported[id] ?? 0), end: claim.end ?? total)
      }
    return segmenter.timeLeft(holders, at: now)
  }

  private var shownState: TransferState {
    switch mode {
    case .finding: return .connecting
    case .active:
      if retryAt != nil, let lastFailure { return .waiting(lastFailure) }
      let isReceiving = connections.values.contains {
        switch $0.phase {
        case .receiving, .gathering: true
        case .requested, .takingOver, .preparing: false
        }
      }
      return isReceiving ? .receiving : .connecting
    case .finishing: return .verifying
    case .ending, .ended: return .ended
    }
  }
}
