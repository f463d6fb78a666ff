import HaulHTTP
import HaulRecords
import HaulTestKit
import HaulTransfer
import Synchronization

@testable import Haul

/// A manager without threads in a simulated world: commands, what the engine tells, time, failures of the
/// database and kills, all in an order drawn from a seed.
struct ManagerSimulation {
  let seed: UInt64
  let random: SeededRandom
  let database: FaultyDatabase
  let secrets = MemorySecrets()
  let engine = SimulatedEngine()
  let clock = VirtualClock()
  let told = Inbox()
  var core: ManagerCore
  /// Work of the engine that is on its way: notes, removals, looks for room.
  var work: [ManagerEffect] = []
  /// All that was added and not removed.
  var known: Set<DownloadID> = []
  var removing: Set<DownloadID> = []
  var events = EventRules()
  private var names = 0
  var problems: [String] = []
  private(set) var steps = 0
  /// Whether what happens is printed.
  var isLogging = false

  /// What the engine tells waits here for its turn.
  final class Inbox: Sendable {
    let heard = Mutex<[(DownloadID, UInt32, TransferEvent)]>([])
    let events = Mutex<[DownloadEvent]>([])
  }

  init(seed: UInt64, database: any RecordDatabase = MemoryDatabase()) {
    self.seed = seed
    random = SeededRandom(seed: seed)
    self.database = FaultyDatabase(database)
    core = Self.makeCore(self.database, secrets, engine, clock, random, told)
    core.settings.parallel = 3
    open()
  }

  private static func makeCore(
    _ database: any RecordDatabase, _ secrets: MemorySecrets, _ engine: SimulatedEngine,
    _ clock: VirtualClock, _ random: SeededRandom, _ told: Inbox
  ) -> ManagerCore {
    let listing = (try? database.summaries()) ?? RecordListing()
    var report = OpeningReport()
    report.take(listing)
    let world = ManagerWorld(
      engine: engine, secrets: secrets, bases: DownloadBases(["downloads": "/d"]), clock: clock,
      bits: { random.next() },
      onEvent: { id, attempt, event in told.heard.withLock { $0.append((id, attempt, event)) } })
    return ManagerCore(
      ListKeeper(ListMachine(listing.items, limits: QueueLimits(parallel: 0)), database: database),
      world,
      DownloadSettings(), report: report)
  }

  private mutating func open() {
    core.board.listen(
      1, tell: { [told] event in told.events.withLock { $0.append(event) } }, end: {})
    round { core, moment in
      core.restore(moment)
      return core.wake(moment)
    }
  }

  private func draw(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
  private func pick<Element>(_ all: [Element]) -> Element? {
    all.isEmpty ? nil : all[draw(all.count)]
  }

  mutating func round(
    storesByItself: Bool = false,
    _ body: @escaping @Sendable (inout ManagerCore, ListMoment) -> [ListAction]
  ) {
    let moment = ListMoment(now: clock.now, time: clock.unixTime * 1000, jitter: random.unit())
    let round = core.round([ManagerJob(body: body, storesByItself: storesByItself)], moment)
    for effect in round.effects {
      note("-> \(Self.name(of: effect))")
      switch effect {
      case .start(let running): running.start()
      case .stop(let running): running.stop()
      case .settle, .discard, .removeFile, .lookForRoom: work.append(effect)
      }
    }
    events.take(
      told.events.withLock { events in
        defer { events = [] }
        return events
      }, core)
    problems += events.problems
    events.problems = []
  }

  private static func name(of effect: ManagerEffect) -> String {
    switch effect {
    case .start(let running): "start \((running as? SimulatedDownload)?.key ?? "")"
    case .stop(let running): "stop \((running as? SimulatedDownload)?.key ?? "")"
    case .settle(let request, _): "settle \(request.sourceKey)"
    case .discard(let request): "discard \(request.sourceKey)"
    case .removeFile(let request, _, _): "remove the file of \(request.sourceKey)"
    case .lookForRoom(let id, _, _): "look for room for \(id)"
    }
  }

  /// One thing happens.
  mutating func step() {
    steps += 1
    switch draw(100) {
    case 0..<12: add()
    case 12..<40: command()
    case 40..<46: settings()
    case 46..<72: move()
    case 72..<82: hear(draw(5))
    case 82..<88: workOn()
    case 88..<94: pass(Double(draw(40)) / 10)
    case 94..<96: database.failNextCommit([.locked, .diskFull][draw(2)])
    case 96: if draw(4) == 0 { kill() }
    default: order()
    }
    check()
  }

  private func note(_ text: @autoclosure () -> String) {
    if isLogging { print("\(steps): \(text())") }
  }

  private mutating func add() {
    guard core.keeper.list.count < 40 else { return }
    let count = 1 + draw(4)
    // Some are asked for again.
    let requests = (0..<count).compactMap { _ -> DownloadRequest? in
      names += draw(4) == 0 ? 0 : 1
      var request = try? DownloadRequest("https://h\(names % 3).example/f\(names)")
      request?.priority = Int16(draw(3))
      request?.starts = draw(5) > 0
      request?.onDuplicate = [.join, .replace, .refuse][draw(3)]
      return request
    }
    let replaced = Set(requests.filter { $0.onDuplicate == .replace }.map(\.url))
    let before = core.records(core.keeper.list.ordered()).filter { replaced.contains($0.url) }
    let added = Box<[DownloadID]>()
    round(storesByItself: true) { core, moment in
      guard let outcome = try? core.add(requests, moment) else { return [] }
      added.set(outcome.answer)
      return outcome.actions
    }
    note("add \(requests.map(\.url.path)) -> \(added.value.map { "\($0)" } ?? "refused")")
    if added.value != nil { removing.formUnion(before.map(\.id)) }
    for id in added.value ?? [] where core.keeper.list.entry(id)?.item.isLeaving == false {
      known.insert(id)
      if core.records([id]).isEmpty { problems.append("\(id) was added and is not stored") }
    }
  }

  private mutating func command() {
    var ids: [DownloadID] = []
    switch draw(20) {
    case 0: ids = core.keeper.list.ordered()
    case 1..<5: ids = core.keeper.list.ordered().filter { _ in draw(3) == 0 }
    default: if let id = pick(core.keeper.list.ordered()) { ids = [id] }
    }
    let commands: [ItemMachine.Command] = [
      .start, .start, .resume, .resume, .retry, .pause, .pause, .cancel, .remove, .removeWithFile,
    ]
    guard let command = pick(commands) else { return }
    if command == .remove || command == .removeWithFile { removing.formUnion(ids) }
    note("\(command) \(ids)")
    round { [ids] core, moment in core.keeper.list.take(command, ids, moment) }
  }

  private mutating func settings() {
    var settings = core.settings
    settings.parallel = draw(6)
    settings.perHost = draw(3) == 0 ? 1 + draw(2) : nil
    settings.isOnline = draw(6) > 0
    core.settings = settings
    note("parallel \(core.settings.parallel) perHost \(core.settings.perHost ?? 0)")
    round { core, moment in core.keeper.list.setLimits(core.limits(), moment) }
  }

  /// Something happens to a download that runs.
  private mutating func move() {
    guard let download = pick(engine.state.withLock { $0.running }) else { return }
    let failures: [(TransferFailure.Code, Int?)] = [
      (.connectionLost, nil), (.httpStatus, 404), (.httpStatus, 503), (.diskFull, nil),
    ]
    switch draw(12) {
    case 0..<5: download.receive(Int64(draw(400)))
    case 5: download.verify()
    case 6..<9: download.finish()
    case 9: if let (code, status) = pick(failures) { download.fail(code, status: status) }
    default: if download.isStopping { download.stopNow() }
    }
  }

  /// The manager hears some of what the engine told.
  @discardableResult
  mutating func hear(_ count: Int) -> Bool {
    for _ in 0..<count {
      let heard = told.heard.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      guard let (id, attempt, event) = heard else { return false }
      note("hear \(id) \(attempt) \(event)")
      round { core, moment in core.heard(id, attempt, event, moment) }
    }
    return true
  }

  mutating func workOn() {
    guard !work.isEmpty else { return }
    let effect = work.remove(at: draw(work.count))
    switch effect {
    case .settle(let request, _):
      engine.settled(request)
      tidied(request)
    case .discard(let request):
      engine.discarded(request)
      tidied(request)
    case .removeFile(let request, let path, _):
      engine.settled(request)
      engine.removed(path)
      tidied(request)
    case .lookForRoom(let id, _, _):
      if draw(2) == 0 { round { core, moment in core.keeper.list.room(id, moment) } }
    case .start, .stop: break
    }
  }

  private mutating func tidied(_ request: TransferRequest) {
    round { core, _ in
      core.tidied(request.sourceKey)
      return []
    }
  }

  mutating func pass(_ seconds: Double) {
    clock.advance(seconds: seconds)
    round { _, _ in [] }
  }

  private mutating func order() {
    let ids = core.keeper.list.ordered().filter { _ in draw(4) == 0 }
    let anchor = pick(core.keeper.list.ordered())
    let places: [ListPlace] = [.top, .bottom] + (anchor.map { [.before($0), .after($0)] } ?? [])
    guard let place = pick(places) else { return }
    round { core, moment in core.keeper.list.move(ids, to: place, moment) }
  }

  /// The process is gone with all that was not stored, and another one begins.
  private mutating func kill() {
    note("kill")
    engine.kill()
    told.heard.withLock { $0 = [] }
    told.events.withLock { $0 = [] }
    // Notes and removals that were on their way may have been carried out, or not.
    while !work.isEmpty {
      let effect = work.removeFirst()
      switch effect {
      case .settle(let request, _): if draw(2) == 0 { engine.settled(request) }
      case .removeFile(_, let path, _): engine.orphaned(path)
      default: break
      }
    }
    core = Self.makeCore(database, secrets, engine, clock, random, told)
    events.restart()
    open()
  }
}
