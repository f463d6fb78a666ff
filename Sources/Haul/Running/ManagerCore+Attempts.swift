internal import HaulRecords
internal import HaulTransfer

/// How attempts begin and end.
extension ManagerCore {
  /// Begins an attempt, or lets it wait until its source is free.
  mutating func run(
    _ id: DownloadID, _ number: UInt32, _ moment: ListMoment, _ effects: inout [ManagerEffect]
  ) -> [ListAction] {
    guard let entry = keeper.list.entry(id), entry.item.isRunning, entry.item.attempt == number
    else { return [] }
    do throws(RecordFailure) {
      let record = try record(of: id)
      let request = try request(of: record)
      guard isFree(request.sourceKey) else {
        deferred.append((id, number))
        return []
      }
      let running = world.engine.download(request) { [onEvent = world.onEvent] in
        onEvent(id, number, $0)
      }
      attempts[id] = Attempt(number: number, record: record, request: request, running: running)
      metrics.attempts += 1
      note(.info, id, "Attempt \(number) of \(record.url) begins.")
      effects.append(.start(running))
      return []
    } catch {
      // A record that is there and cannot be read stays so; all else may pass.
      return end(
        id, number, .failed(error.code == "record" ? .none : .soon), failure: error, moment)
    }
  }

  mutating func stop(
    _ id: DownloadID, _ number: UInt32, _ moment: ListMoment, _ effects: inout [ManagerEffect]
  ) -> [ListAction] {
    if let attempt = attempts[id], attempt.number == number {
      effects.append(.stop(attempt.running))
      return []
    }
    // It never began.
    deferred.removeAll { $0.id == id && $0.attempt == number }
    return end(id, number, .stopped, failure: nil, moment)
  }

  /// The engine tells of an attempt.
  mutating func heard(
    _ id: DownloadID, _ number: UInt32, _ event: TransferEvent, _ moment: ListMoment
  ) -> [ListAction] {
    guard var attempt = attempts[id], attempt.number == number else { return [] }
    switch event {
    case .started(let path, _, _):
      let actions = place(id, at: path)
      return actions + keeper.list.verifies(id, attempt: number, false, moment)
    case .verifying: return keeper.list.verifies(id, attempt: number, true, moment)
    case .damaged, .restarted:
      return keeper.list.verifies(id, attempt: number, false, moment)
    case .retrying(let failure, let delay):
      note(
        .warning, id, "\(failure.message) It is tried again in \(Int(delay.rounded(.up))) s.")
      board.changed(id)
    case .sourceDropped(let url, let failure):
      note(.warning, id, "\(url) is not asked any more: \(failure.message)")
    case .asked, .answered: break
    case .ended(let result):
      attempt.look(moment.now)
      attempts[id] = attempt
      return finish(id, attempt, result, moment)
    }
    return []
  }

  private mutating func finish(
    _ id: DownloadID, _ attempt: Attempt, _ result: TransferResult, _ moment: ListMoment
  ) -> [ListAction] {
    let progress = attempt.progress
    var received = progress?.received ?? 0
    var total = progress?.total
    var actions: [ListAction] = []
    var failure: RecordFailure?
    let end: ItemMachine.End
    switch result {
    case .finished(let file):
      end = .finished
      // A file that was found whole has brought nothing in this attempt.
      (received, total) = (file.byteCount, file.byteCount)
      actions += place(id, at: file.path)
    case .skipped(let path, _):
      end = .finished
      if let size = world.byteCount(path) { (received, total) = (size, size) }
      actions += place(id, at: path)
    case .failed(let reason):
      end = .failed(reason.outlook)
      failure = RecordFailure(reason)
      if !reason.isResumable { received = 0 }
    case .stopped(let count, let isResumable):
      end = .stopped
      received = isResumable ? count : 0
    case .planned: end = .stopped
    }
    metrics.receivedBytes &+= max(0, received - (progress?.resumedFrom ?? 0))
    return actions
      + self.end(
        id, attempt.number, end, failure: failure, received: received, total: total, moment)
  }

  private mutating func end(
    _ id: DownloadID, _ number: UInt32, _ end: ItemMachine.End, failure: RecordFailure?,
    received: Int64? = nil, total: Int64? = nil, _ moment: ListMoment
  ) -> [ListAction] {
    if let failure {
      failures[id] = failure
      metrics.failures[failure.code, default: 0] += 1
    }
    if case .finished = end { metrics.finished += 1 }
    if var attempt = attempts[id], attempt.number == number {
      attempt.failure = failure
      // Its note stays until its record is stored.
      if end == .finished, attempt.path != nil { hold(attempt.request) }
      attempts[id] = nil
      over[AttemptKey(id: id, number: number)] = attempt
    }
    return keeper.list.ended(
      id, attempt: number, end, failure: failure,
      received: received ?? keeper.list.entry(id)?.received ?? 0, total: total, moment)
  }

  /// An attempt is over, and that is stored.
  mutating func ended(
    _ id: DownloadID, _ number: UInt32, _ end: AttemptEnd, _ effects: inout [ManagerEffect]
  ) {
    let attempt = over.removeValue(forKey: AttemptKey(id: id, number: number))
    if let attempt, end == .finished, let path = attempt.path {
      effects.append(.settle(attempt.request, path: path))
    }
    let failure = attempt?.failure ?? failures[id]
    switch end {
    case .failed(let isTriedAgain):
      let hope = isTriedAgain ? "" : " It is not tried again by itself."
      note(isTriedAgain ? .warning : .error, id, (failure?.message ?? "It failed.") + hope)
    default: note(.info, id, "Attempt \(number) has ended: \(end).")
    }
    board.tell(.ended(id, attempt: number, end, failure))
    board.changed(id)
  }

  /// Notes where the file is, or will be.
  private mutating func place(_ id: DownloadID, at path: String) -> [ListAction] {
    guard var attempt = attempts[id] else { return [] }
    attempt.path = path
    defer { attempts[id] = attempt }
    leaving[id]?.path = path
    guard let file = world.bases.record(of: path, below: attempt.record.folder),
      file != attempt.record.file
    else { return [] }
    attempt.record.file = file
    // The record of one that leaves is gone already.
    if let item = keeper.list.entry(id)?.item, item.isLeaving { return [.changed(id)] }
    return [.store(.replace(current(attempt.record))), .changed(id)]
  }

  /// A record with what the list knows better.
  func current(_ record: DownloadRecord) -> DownloadRecord {
    var record = record
    guard let entry = keeper.list.entry(record.id) else { return record }
    record.state = entry.item.state
    record.attempt = entry.item.attempt
    record.received = entry.received
    record.total = entry.total
    record.position = entry.position
    record.priority = entry.priority
    return record
  }

  private func record(of id: DownloadID) throws(RecordFailure) -> DownloadRecord {
    let listing: RecordListing<DownloadRecord>
    do throws(DatabaseFailure) { listing = try keeper.database.records([id]) } catch {
      throw RecordFailure(code: "list", message: error.message)
    }
    if let record = listing.items.first { return record }
    let reason = listing.unreadable.first?.reason ?? "it is not there"
    throw RecordFailure(
      code: "record", message: "Its record in the list cannot be read: \(reason). Remove it.")
  }

  private mutating func request(
    of record: DownloadRecord
  ) throws(RecordFailure) -> TransferRequest {
    let secrets: ItemSecrets?
    do throws(SecretFailure) {
      secrets = try world.secrets.secrets(of: record.id)
    } catch {
      throw RecordFailure(code: "secrets", message: error.message)
    }
    var limiter = limiters[record.id]
    if limiter == nil {
      limiter = RateLimiter(bytesPerSecond: record.options.rateLimit, clock: world.clock)
      limiters[record.id] = limiter
    }
    var request = try record.request(secrets, bases: world.bases, limiter: limiter)
    request.destination.isRecorded = true
    return request
  }

  private func isFree(_ source: String) -> Bool {
    busy[source] == nil && !attempts.values.contains { $0.source == source }
  }

  /// Begins what waited for its source.
  mutating func beginDeferred(
    _ moment: ListMoment, _ effects: inout [ManagerEffect]
  ) -> [ListAction] {
    let waiting = deferred
    deferred = []
    return waiting.flatMap { run($0.id, $0.attempt, moment, &effects) }
  }
}
