import HaulRecords
import HaulTransfer
import Synchronization

@testable import Haul

/// What holds after every step, and at the end.
extension ManagerSimulation {
  mutating func check() {
    engine.state.withLock { state in
      problems += state.faults
      state.faults = []
    }
    let list = core.keeper.list
    let running = core.attempts.keys.compactMap { list.entry($0) }
    let active = running.filter { $0.item.wish == nil }
    if active.count > core.settings.parallel { problems.append("\(active.count) run") }
    if let perHost = core.settings.perHost,
      Dictionary(grouping: active, by: \.origin).values.contains(where: { $0.count > perHost })
    {
      problems.append("too many run from one server")
    }
    for id in known.subtracting(removing) where list.entry(id) == nil {
      problems.append("\(id) is lost")
      known.remove(id)
    }
    for entry in list.entries where (entry.item.state == .waiting) != (list.reason(entry.id) != nil)
    {
      problems.append(
        "\(entry.id) is \(entry.item.state) for \(list.reason(entry.id).map(\.rawValue) ?? "no reason")"
      )
    }
    if steps.isMultiple(of: 20), !core.keeper.isUnsaved { compare() }
  }

  /// What is stored is what is known.
  private mutating func compare() {
    let records = (try? core.keeper.database.records(core.keeper.list.ordered()).items) ?? []
    if records.count != core.keeper.list.count { problems.append("\(records.count) are stored") }
    for record in records {
      guard let entry = core.keeper.list.entry(record.id) else { continue }
      let isSame =
        record.state == entry.item.state && record.attempt == entry.item.attempt
        && record.position == entry.position && record.priority == entry.priority
        && (entry.item.isRunning || record.received == entry.received)
      if !isSame {
        problems.append("\(record.id) is stored as \(record.summary), is \(entry.summary)")
      }
    }
  }

  /// Everything is let run to its end, in a world without faults.
  mutating func finish() {
    core.settings = DownloadSettings()
    round { core, moment in core.keeper.list.setLimits(core.limits(), moment) }
    for _ in 0..<2000 {
      let isOver = core.keeper.list.entries.allSatisfy { $0.item.state == .finished }
      if isOver, core.over.isEmpty, work.isEmpty, !core.keeper.isUnsaved { break }
      round { core, moment in
        let states: Set<DownloadState> = [.none, .paused, .failed]
        return core.keeper.list.take(.start, core.keeper.list.ids(.states(states)), moment)
      }
      for download in engine.state.withLock({ $0.running }) {
        if download.isStopping { download.stopNow() } else { download.finish() }
      }
      while hear(1) {}
      while !work.isEmpty { workOn() }
      pass(1)
      check()
    }
    for entry in core.keeper.list.entries where entry.item.state != .finished {
      problems.append("\(entry.id) is stuck: \(entry.item)")
    }
    if !core.attempts.isEmpty || !core.over.isEmpty || !core.deferred.isEmpty
      || !core.discarding.isEmpty || !core.leaving.isEmpty
    {
      problems.append(
        "left: \(core.attempts.keys) \(core.over.keys) \(core.deferred) \(core.discarding) \(core.leaving.keys)"
      )
    }
    compare()
  }
}

/// What holds of events: one end for each attempt, after it is stored, and nothing after the removal.
struct EventRules {
  private struct Key: Hashable {
    var id: DownloadID
    var attempt: UInt32
  }

  var problems: [String] = []
  private var ended: Set<Key> = []
  private var removed: Set<DownloadID> = []
  private var last: UInt64 = 0
  private var isFailing = false

  mutating func restart() {
    self = EventRules()
  }

  mutating func take(_ events: [DownloadEvent], _ core: ManagerCore) {
    for event in events {
      if event.number != last + 1 { problems.append("event \(event.number) follows \(last)") }
      last = event.number
      switch event.kind {
      case .added: break
      case .changed(let id):
        if removed.contains(id) { problems.append("\(id) changed after it was removed") }
      case .ended(let id, let attempt, _, _):
        if removed.contains(id) { problems.append("\(id) ended after it was removed") }
        if !ended.insert(Key(id: id, attempt: attempt)).inserted {
          problems.append("attempt \(attempt) of \(id) ended twice")
        }
        if let record = try? core.keeper.database.records([id]).items.first, !core.keeper.isUnsaved,
          record.attempt == attempt, record.state == .downloading || record.state == .verifying
        {
          problems.append("the end of attempt \(attempt) of \(id) is not stored")
        }
      case .removed(let id):
        removed.insert(id)
        if (try? core.keeper.database.records([id]).items.isEmpty) == false {
          problems.append("the removal of \(id) is not stored")
        }
      case .storageFailed:
        if isFailing { problems.append("the storage fails twice") }
        isFailing = true
      case .storageRecovered:
        if !isFailing { problems.append("the storage recovered and did not fail") }
        isFailing = false
      }
    }
  }
}
