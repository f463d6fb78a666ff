internal import HaulHTTP

/// Who has one of the places for connections, and who waits for one.
struct PlaceTable: Sendable {
  /// What came of asking for a place.
  enum Entry: Sendable, Hashable {
    /// It has one; it is given back by `leave`.
    case entered
    /// It is told when it has one. The table is to be served again at the moment, if there is one.
    case waiting(look: Instant?)
    case full
  }

  private struct Host {
    var taken = 0
    /// Whether requests share connections (HTTP/2), so that one more is no further connection.
    var isShared = false
    var learned: LearnedCap?
  }

  private struct Wait {
    var id: ConnectionID
    var origin: Origin
    var onPlace: @Sendable () -> Void
  }

  /// Servers that are remembered; beyond that those that nothing comes from are forgotten.
  private static let maximumHosts = 10_000

  /// The most connections to one server, and to all.
  var maximum: Int
  var maximumInAll: Int
  private var hosts: [Origin: Host] = [:]
  private var holders: [ConnectionID: Origin] = [:]
  /// In the order of coming.
  private var queue: [Wait] = []

  init(maximum: Int, maximumInAll: Int) {
    self.maximum = maximum
    self.maximumInAll = maximumInAll
  }

  /// Places that are taken, and those who wait for one.
  var counts: (taken: Int, waiting: Int) { (holders.count, queue.count) }

  /// Takes a place, or waits for one where `onPlace` is there to be told. Who has one keeps it.
  mutating func enter(
    _ id: ConnectionID, _ origin: Origin, mayShare: Bool, at now: Instant,
    onPlace: (@Sendable () -> Void)?
  ) -> Entry {
    if holders[id] != nil || mayShare && hosts[origin]?.isShared == true { return .entered }
    if hasRoom(origin, at: now), !queue.contains(where: { $0.origin == origin }) {
      take(id, origin)
      return .entered
    }
    guard let onPlace else { return .full }
    queue.append(Wait(id: id, origin: origin, onPlace: onPlace))
    return .waiting(look: hosts[origin]?.learned?.nextRise(after: now))
  }

  /// Gives a place back, or waits for one no longer. Nothing happens where there is none.
  mutating func leave(_ id: ConnectionID) {
    guard let origin = holders.removeValue(forKey: id) else {
      return queue.removeAll { $0.id == id }
    }
    hosts[origin]?.taken -= 1
  }

  /// Gives places that are free to those who wait, in order; says what is to be told them.
  mutating func serve(at now: Instant) -> [@Sendable () -> Void] {
    var served: [@Sendable () -> Void] = []
    var index = 0
    while index < queue.count {
      guard hasRoom(queue[index].origin, at: now) else {
        index += 1
        continue
      }
      let wait = queue.remove(at: index)
      take(wait.id, wait.origin)
      served.append(wait.onPlace)
    }
    return served
  }

  /// When those who wait for a server are to be served again, if nothing happens before.
  func nextLook(_ origin: Origin, after now: Instant) -> Instant? {
    guard queue.contains(where: { $0.origin == origin }) else { return nil }
    return hosts[origin]?.learned?.nextRise(after: now)
  }

  /// A request turned out to be one of several on a connection: it takes no place, and neither do
  /// later ones.
  mutating func noteShared(_ id: ConnectionID, _ origin: Origin) {
    hosts[origin, default: Host()].isShared = true
    leave(id)
  }

  /// A server refused a request while others were under way: those are as many as it allows.
  mutating func noteRefusal(_ id: ConnectionID, _ origin: Origin, at now: Instant) {
    // What was refused takes no place there.
    leave(id)
    guard var host = hosts[origin], host.taken > 0 else { return }
    if var learned = host.learned {
      learned.note(others: host.taken, at: now)
      host.learned = learned
    } else {
      host.learned = LearnedCap(others: host.taken, at: now)
    }
    hosts[origin] = host
  }

  private mutating func take(_ id: ConnectionID, _ origin: Origin) {
    if hosts.count >= Self.maximumHosts { hosts = hosts.filter { $0.value.taken > 0 } }
    holders[id] = origin
    hosts[origin, default: Host()].taken += 1
  }

  private func hasRoom(_ origin: Origin, at now: Instant) -> Bool {
    guard holders.count < maximumInAll else { return false }
    guard let host = hosts[origin] else { return true }
    return host.taken < min(maximum, host.learned?.cap(at: now) ?? maximum)
  }
}
