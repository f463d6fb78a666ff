import HaulHTTP
import HaulRecords
import HaulTestKit
import HaulTransfer

@testable import Haul

/// What a list lives among: an engine that runs attempts, a database, a clock, and an owner who asks for
/// anything at any time. Each step draws one thing that happens, and checks all that must hold.
final class ListWorld {
  /// An attempt as the engine has it.
  struct Running {
    var attempt: UInt32
    var origin: OriginKey
    var received: Int64
    var isStopping = false
  }

  let random: SeededRandom
  let database = MemoryDatabase()
  let hosts: Int
  var list: ListMachine
  var now = Instant(nanoseconds: 0)
  /// The ids in the order that the list should have.
  var order: [DownloadID] = []
  var running: [DownloadID: Running] = [:]
  var steps = 0
  var begun = 0
  var ended = 0
  var finished = 0
  var removed: [DownloadID] = []
  /// Those whose attempt was lost with a program that ended, and whose record says that it runs.
  var lost: Set<DownloadID> = []
  /// The news of attempts that ended, to be told again later.
  var old: [(id: DownloadID, attempt: UInt32)] = []
  /// Those whose attempt is over by what is being done.
  var ending: Set<DownloadID> = []
  /// Whether limits were lowered, and what is too much still stops.
  var isOver = false
  var problems: [String] = []
  var log: [String] = []
  let isLogging: Bool

  init(seed: UInt64, isLogging: Bool) {
    random = SeededRandom(seed: seed)
    hosts = [1, 2, 4, 12][Int(random.next() % 4)]
    list = ListMachine([], limits: QueueLimits())
    self.isLogging = isLogging
  }

  func draw(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }

  func pick<Element>(_ elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[draw(elements.count)]
  }

  func note(_ text: @autoclosure () -> String) { if isLogging { log.append(text()) } }

  func fail(_ text: String) {
    problems.append(text)
    note("WRONG: \(text)")
  }

  var moment: ListMoment {
    ListMoment(
      now: now, time: now.nanoseconds / 1_000_000, jitter: Double(random.next() % 1000) / 1000)
  }

  /// Stores all that is to be stored, then does the rest, as the list wants it.
  func perform(_ actions: [ListAction]) {
    var changes: [RecordChange] = []
    ending = Set(actions.compactMap { if case .ended(let id, _, _) = $0 { id } else { nil } })
    for case .store(let change) in actions {
      changes.append(change)
      if case .state(let id, _, _, _, _) = change { lost.remove(id) }
    }
    do { try database.commit(changes, .ordered) } catch { fail("not stored: \(error.message)") }
    for action in actions {
      note("  \(action)")
      perform(action)
    }
  }

  private func perform(_ action: ListAction) {
    switch action {
    case .store(let change):
      if removed.contains(change.id) { fail("a change of one that is out") }
    case .run(let id, let attempt): begin(id, attempt)
    case .stop(let id, let attempt):
      guard let there = running[id], there.attempt == attempt else {
        return fail("a stop of an attempt that does not run")
      }
      if there.isStopping { fail("a second stop") }
      running[id]?.isStopping = true
    case .discard(let id):
      if running[id] != nil, !ending.contains(id) { fail("bytes are given up while they arrive") }
      tell(id)
    case .removed(let id, _):
      if running[id] != nil { fail("out of the list while it runs") }
      tell(id)
      removed.append(id)
      order.removeAll { $0 == id }
    case .changed(let id): tell(id)
    case .ended(let id, let attempt, let end):
      tell(id)
      guard running[id]?.attempt == attempt else { return fail("the end of no attempt") }
      check(end, of: id)
      running[id] = nil
      old.append((id, attempt))
      ended += 1
    }
  }

  private func begin(_ id: DownloadID, _ attempt: UInt32) {
    tell(id)
    guard let entry = list.entry(id) else { return fail("one that is not there begins") }
    if running[id] != nil { fail("a second attempt begins before the first has ended") }
    if old.contains(where: { $0.id == id && $0.attempt == attempt }) { fail("an attempt twice") }
    running[id] = Running(attempt: attempt, origin: entry.origin, received: entry.received)
    begun += 1
  }

  private func tell(_ id: DownloadID) {
    if removed.contains(id) { fail("told of one that is out") }
  }

  private func check(_ end: AttemptEnd, of id: DownloadID) {
    let state = list.entry(id)?.item.state
    switch end {
    case .finished:
      finished += 1
      if let entry = list.entry(id), entry.total != entry.received { fail("finished in part") }
    case .failed(let isTriedAgain):
      if state != (isTriedAgain ? .waiting : .failed) { fail("a failure, and \(state as Any)") }
    case .paused, .interrupted, .cancelled, .removed: break
    }
  }

  /// Ends the program and starts it again: no attempt has an end.
  func restart() {
    note("the program ends and starts again")
    let limits = list.limits
    begun -= running.count
    for (id, attempt) in running { old.append((id, attempt.attempt)) }
    running = [:]
    isOver = false
    // One that was to leave as soon as it stops is stored no more.
    for entry in list.entries where entry.item.isLeaving {
      removed.append(entry.id)
      order.removeAll { $0 == entry.id }
    }
    let stored = database.summaries().items
    lost = Set(stored.filter { $0.state == .downloading || $0.state == .verifying }.map(\.id))
    list = ListMachine(stored, limits: limits)
    perform(list.wake(moment))
  }

  func record() throws -> DownloadRecord {
    var record = DownloadRecord(
      id: DownloadID.random { self.random.next() },
      url: try HTTPURL(parsing: "http://host\(draw(hosts)).test/\(draw(1000))"),
      folder: try RecordPath(base: "downloads"))
    record.state = draw(4) == 0 ? .none : .waiting
    record.priority = Int16(draw(3) - 1)
    if draw(3) == 0 { record.total = Int64(draw(1000)) }
    return record
  }
}
