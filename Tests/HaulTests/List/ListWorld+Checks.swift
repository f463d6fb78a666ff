import HaulRecords

@testable import Haul

/// What must hold after each step.
extension ListWorld {
  func check() {
    checkTotals()
    checkOrder()
    checkPlaces()
    checkItems()
    steps += 1
    // It costs the most, and what is stored wrongly stays so.
    if isLogging || steps % 10 == 0 { checkStored() }
    if begun != ended + running.count { fail("\(begun) began, \(ended) ended, others run") }
  }

  private func checkTotals() {
    var sum = ListTotals()
    for entry in list.entries { sum.add(entry.summary) }
    if sum != list.totals { fail("totals \(list.totals), not \(sum)") }
    if list.count != order.count { fail("\(list.count) entries of \(order.count)") }
    for (place, entry) in list.entries.enumerated() where list.index[entry.id] != place {
      fail("\(entry.id) is not where it is looked for")
    }
    for entry in list.entries where !list.ids(key: entry.key).contains(entry.id) {
      fail("\(entry.id) is not found by what it asks for")
    }
  }

  private func checkOrder() {
    let ordered = list.ordered()
    if ordered != order { fail("order \(ordered), not \(order)") }
    let sorted = list.entries.sorted { ($0.position, $0.id) < ($1.position, $1.id) }
    if ordered != sorted.map(\.id) { fail("the order is not that of the positions") }
  }

  /// Never more than allowed, unless limits were lowered: then what is too much is being stopped.
  private func checkPlaces() {
    let limits = list.limits
    let mayRun = limits.isOpen && limits.isOnline
    var counts: [OriginKey: (all: Int, kept: Int)] = [:]
    var kept = 0
    for attempt in running.values {
      counts[attempt.origin, default: (0, 0)].all += 1
      guard !attempt.isStopping else { continue }
      counts[attempt.origin, default: (0, 0)].kept += 1
      kept += 1
    }
    let perHost = limits.perHost ?? .max
    if kept > (mayRun ? limits.parallel : 0) || counts.values.contains(where: { $0.kept > perHost })
    {
      fail("\(kept) run and are not stopped")
    }
    let isTooMuch =
      !running.isEmpty && !mayRun || running.count > limits.parallel
      || counts.values.contains { $0.all > perHost }
    if isTooMuch, !isOver { fail("\(running.count) run") }
    if !isTooMuch { isOver = false }
    if list.queue.runningCount != running.count {
      fail("\(list.queue.runningCount) of \(running.count) have places")
    }
    for entry in list.entries { checkReason(entry, counts.mapValues(\.all)) }
  }

  private func checkReason(_ entry: ListMachine.Entry, _ counts: [OriginKey: Int]) {
    let limits = list.limits
    let expected: WaitReason?
    switch entry.item.hold {
    case _ where entry.item.state != .waiting: expected = nil
    case .network: expected = .network
    case .retry: expected = .retry
    case .disk: expected = .disk
    case .none:
      if !limits.isOnline {
        expected = .network
      } else if !limits.isOpen {
        expected = .schedule
      } else if running.count >= limits.parallel {
        expected = .queue
      } else if counts[entry.origin, default: 0] >= limits.perHost ?? .max {
        expected = .host
      } else {
        return fail("\(entry.id) waits although there is a place")
      }
    }
    let reason = list.reason(entry.id)
    if reason != expected { fail("\(entry.id) waits for \(reason as Any), not \(expected as Any)") }
  }

  private func checkItems() {
    let due = list.nextDue()
    for entry in list.entries {
      let (id, item) = (entry.id, entry.item)
      let attempt = running[id]
      if item.isRunning != (attempt != nil) { fail("\(id) runs, or does not") }
      if let attempt, attempt.attempt != item.attempt { fail("\(id) runs as another attempt") }
      if (item.wish != nil) != (attempt?.isStopping ?? false) { fail("\(id) is stopped, or not") }
      let hold = list.holds[id]
      switch item.hold {
      case .none: if hold != nil { fail("\(id) is held for nothing") }
      case .disk:
        if hold != .some(nil) || !list.roomless.contains(id) { fail("\(id) waits for no room") }
      case .network, .retry:
        guard let at = hold ?? nil else { return fail("\(id) waits for no time") }
        if due.map({ $0 > at }) ?? true { fail("\(id) is never woken") }
      }
      if item.hold != .disk, list.roomless.contains(id) { fail("\(id) waits for room") }
    }
    if list.holds.count > list.count || list.roomless.count > list.count { fail("too many held") }
  }

  /// What is stored is what the list has, but for progress that is stored when there is time.
  private func checkStored() {
    let stored = database.summaries().items
    let leaving = list.entries.count { $0.item.isLeaving }
    if stored.count != list.count - leaving {
      fail("\(stored.count) of \(list.count) are stored, \(leaving) are leaving")
    }
    for summary in stored {
      guard var entry = list.entry(summary.id)?.summary else {
        fail("\(summary.id) is stored, and not in the list")
        continue
      }
      if running[summary.id] != nil {
        (entry.received, entry.total) = (summary.received, summary.total)
      }
      // A record keeps what it did when the program ended, until it does something else.
      if lost.contains(summary.id), entry.state == .waiting { entry.state = summary.state }
      if entry != summary { fail("stored as \(summary), not \(entry)") }
    }
  }
}
