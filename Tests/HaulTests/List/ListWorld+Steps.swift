import HaulHTTP
import HaulRecords
import HaulTransfer

@testable import Haul

/// What may happen to a list.
extension ListWorld {
  static let commands: [ItemMachine.Command] =
    [.start, .start, .start, .resume, .resume, .retry, .pause, .pause, .cancel]
  static let ends: [ItemMachine.End] =
    [.finished, .finished, .failed(.none), .failed(.network), .failed(.soon), .failed(.room)]

  /// One thing happens.
  func step() throws {
    switch draw(40) {
    case 0..<5: try insert()
    case 5..<9: command(Self.commands[draw(Self.commands.count)], some())
    case 9: command(draw(2) == 0 ? .remove : .removeWithFile, some())
    case 10: commandAll()
    case 11..<13: setLimits()
    case 13..<15: move()
    case 15: prioritise()
    case 16..<20: progress()
    case 20..<22: verify()
    case 22..<30: end()
    case 30..<33: sayLateNews()
    case 33..<36: wake()
    case 36: room()
    case 37: try replace()
    case 38: reconcile()
    default: if draw(12) == 0 { restart() }
    }
    check()
  }

  /// Some of those that are there; now and then one that is not.
  private func some() -> [DownloadID] {
    var ids: [DownloadID] = []
    for _ in 0..<[1, 1, 1, 2, 5][draw(5)] { if let id = pick(order) { ids.append(id) } }
    if draw(10) == 0, let id = pick(removed) { ids.append(id) }
    return ids
  }

  private func insert() throws {
    guard order.count < 14 else { return }
    let count = [1, 1, 1, 4][draw(4)]
    note("insert \(count)")
    let (positions, actions) = list.endPositions(count, moment)
    perform(actions)
    var records: [DownloadRecord] = []
    for position in positions {
      records.append(try record())
      records[records.count - 1].position = position
    }
    if records.count != count { fail("no positions for \(count)") }
    try database.commit(records.map { .insert($0) }, .durable)
    order += records.map(\.id)
    perform(list.insert(records.map(\.summary), moment))
    // Those that are there already are passed over.
    perform(list.insert(records.prefix(1).map(\.summary), moment))
  }

  private func command(_ command: ItemMachine.Command, _ ids: [DownloadID]) {
    note("\(command) \(ids)")
    perform(list.take(command, ids, moment))
  }

  private func commandAll() {
    switch draw(12) {
    case 0..<3: command(.pause, list.ordered())
    case 3..<9: command([.start, .resume, .retry][draw(3)], list.ordered())
    case 9: command(.cancel, list.ordered())
    default: if draw(6) == 0 { command(.remove, list.ordered()) }
    }
  }

  private func setLimits() {
    var limits = list.limits
    limits.parallel = [0, 1, 2, 3, 6, 10][draw(6)]
    limits.perHost = [nil, nil, 1, 2, 4][draw(5)]
    limits.isOpen = draw(6) > 0
    limits.isOnline = draw(6) > 0
    note("\(limits)")
    let actions = list.setLimits(limits, moment)
    perform(actions)
    isOver = true
  }

  private func move() {
    let ids = some()
    let place: ListPlace
    switch (draw(4), pick(order)) {
    case (0, _), (_, nil): place = .top
    case (1, _): place = .bottom
    case (2, let id?): place = .before(id)
    case (_, let id?): place = .after(id)
    }
    note("move \(ids) \(place)")
    order = ListOrder.moved(ids, to: place, in: order)
    perform(list.move(ids, to: place, moment))
  }

  private func prioritise() {
    let (ids, priority) = (some(), Int16(draw(3) - 1))
    note("priority \(priority) \(ids)")
    perform(list.setPriority(ids, priority, moment))
  }
}

// MARK: - The engine

extension ListWorld {
  private func anyRunning() -> DownloadID? { pick(running.keys.sorted()) }

  private func progress() {
    guard let id = anyRunning(), let attempt = running[id] else { return }
    // From zero again, now and then: the server has another version.
    let received = draw(8) == 0 ? Int64(draw(10)) : attempt.received + Int64(draw(200))
    let total: Int64? = draw(4) == 0 ? received + Int64(draw(3) * 100) : nil
    running[id]?.received = received
    note("progress of \(id): \(received) of \(total as Any)")
    _ = list.note(id, attempt: attempt.attempt, received: received, total: total)
    if draw(2) == 0, let entry = list.entry(id) {
      perform([
        .store(
          .progress(
            id, attempt: attempt.attempt, received: entry.received, total: entry.total))
      ])
    }
  }

  private func verify() {
    guard let id = anyRunning(), let attempt = running[id] else { return }
    let isVerifying = draw(3) > 0
    note("verifying \(id): \(isVerifying)")
    perform(list.verifies(id, attempt: attempt.attempt, isVerifying, moment))
  }

  private func end() {
    guard let id = anyRunning(), let attempt = running[id] else { return }
    var end = Self.ends[draw(Self.ends.count)]
    if draw(20) < (attempt.isStopping ? 14 : 1) { end = .stopped }
    let received = attempt.received + Int64(draw(3) * 50)
    note("\(id) \(attempt.attempt) ended: \(end), \(received)")
    let failure = RecordFailure(code: "some", message: "It failed.")
    var isFailure = false
    if case .failed = end { isFailure = true }
    perform(
      list.ended(
        id, attempt: attempt.attempt, end, failure: isFailure ? failure : nil, received: received,
        total: nil, moment))
    if running[id]?.attempt == attempt.attempt { fail("an end that is not told") }
  }

  /// News of attempts that are over, and of downloads that are out.
  private func sayLateNews() {
    guard let (id, attempt) = pick(old), running[id]?.attempt != attempt else { return }
    note("late news of \(id) \(attempt)")
    let before = list.entry(id)?.summary
    let isNews = list.note(id, attempt: attempt, received: 1_000_000, total: 1)
    let verifies = list.verifies(id, attempt: attempt, true, moment)
    let end = list.ended(
      id, attempt: attempt, Self.ends[draw(Self.ends.count)], failure: nil, received: 1_000_000,
      total: nil, moment)
    if isNews || !verifies.isEmpty || !end.isEmpty || list.entry(id)?.summary != before {
      fail("late news count")
    }
  }

  private func wake() {
    if let due = list.nextDue(), draw(4) > 0 { now = max(now, due) }
    now = now.advanced(seconds: Double(draw(10)))
    note("wake at \(now.nanoseconds / 1_000_000_000) s")
    perform(list.wake(moment))
    if let due = list.nextDue(), due <= now { fail("not woken") }
  }

  private func room() {
    guard let id = pick(list.holds.filter { $0.value == nil }.keys.sorted()) ?? pick(order) else {
      return
    }
    note("room for \(id)")
    perform(list.room(id, moment))
  }

  private func replace() throws {
    guard let id = pick(order), var record = database.records([id]).items.first else { return }
    record.url = try HTTPURL(parsing: "http://host\(draw(hosts)).test/\(draw(1000))")
    note("\(id) is at \(record.url)")
    try database.commit([.replace(record)], .durable)
    perform(list.replaced(id, origin: record.origin, key: record.key, moment))
  }

  private func reconcile() {
    guard let id = pick(order) else { return }
    note("reconcile \(id)")
    perform(list.reconcile(id, received: Int64(draw(500)), total: nil, moment))
  }
}
