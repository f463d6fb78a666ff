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
    /// Connections, the one that requests share included.
    var taken = 0
    /// Whether requests share a connection (HTTP/2), so that one more is no further connection.
    var isShared = false
    /// Those that share one.
    var sharers: Set<ConnectionID> = []
    /// Those that were refused, and whose connections are about to be closed or free.
    var refused: Set<ConnectionID> = []
    var learned: LearnedCap?
  }

  private struct Wait {
    var id: ConnectionID
    var origin: Origin
    var mayShare: Bool
    var onPlace: @Sendable () -> Void
  }

  /// Servers that are remembered; beyond that those that nothing comes from are forgotten.
  private static let maximumHosts = 10_000

  /// The most connections to one server, and to all.
  var maximum: Int
  var maximumInAll: Int
  private var hosts: [Origin: Host] = [:]
  private var holders: [ConnectionID: Origin] = [:]
  /// Connections to all servers.
  private var takenInAll = 0
  /// In the order of coming.
  private var queue: [Wait] = []

  init(maximum: Int, maximumInAll: Int) {
    self.maximum = maximum
    self.maximumInAll = maximumInAll
  }

  /// Those who have a place or share one, and those who wait for one.
  var counts: (taken: Int, waiting: Int) { (holders.count, queue.count) }

  /// Takes a place, or waits for one where `onPlace` is there to be told. Who has one keeps it.
  mutating func enter(
    _ id: ConnectionID, _ origin: Origin, mayShare: Bool, at now: Instant,
    onPlace: (@Sendable () -> Void)?
  ) -> Entry {
    if holders[id] != nil || mayShare && join(id, origin) { return .entered }
    if hasRoom(origin, at: now), !queue.contains(where: { $0.origin == origin }) {
      take(id, origin, mayShare: mayShare)
      return .entered
    }
    guard let onPlace else { return .full }
    queue.append(Wait(id: id, origin: origin, mayShare: mayShare, onPlace: onPlace))
    return .waiting(look: hosts[origin]?.learned?.nextRise(after: now))
  }

  /// Gives a place back, or waits for one no longer. Nothing happens where there is none.
  mutating func leave(_ id: ConnectionID) {
    guard let origin = holders.removeValue(forKey: id) else {
      return queue.removeAll { $0.id == id }
    }
    guard var host = hosts[origin] else { return }
    host.refused.remove(id)
    let wasSharer = host.sharers.remove(id) != nil
    if !wasSharer || host.sharers.isEmpty {
      host.taken -= 1
      takenInAll -= 1
    }
    hosts[origin] = host
  }

  /// Gives places that are free to those who wait, in order; says what is to be told them.
  mutating func serve(at now: Instant) -> [@Sendable () -> Void] {
    var served: [@Sendable () -> Void] = []
    var index = 0
    while index < queue.count {
      let wait = queue[index]
      guard wait.mayShare && join(wait.id, wait.origin) || hasRoom(wait.origin, at: now) else {
        index += 1
        continue
      }
      queue.remove(at: index)
      if holders[wait.id] == nil { take(wait.id, wait.origin, mayShare: wait.mayShare) }
      served.append(wait.onPlace)
    }
    return served
  }

  /// When those who wait for a server are to be served again, if nothing happens before.
  func nextLook(_ origin: Origin, after now: Instant) -> Instant? {
    guard queue.contains(where: { $0.origin == origin }) else { return nil }
    return hosts[origin]?.learned?.nextRise(after: now)
  }

  /// A request turned out to be one of several on a connection: all of them take one place, and so do
  /// later ones.
  mutating func noteShared(_ id: ConnectionID, _ origin: Origin) {
    hosts[origin, default: Host()].isShared = true
    guard holders[id] != nil, var host = hosts[origin] else { return }
    if !host.sharers.isEmpty, !host.sharers.contains(id) {
      host.taken -= 1
      takenInAll -= 1
    }
    host.sharers.insert(id)
    hosts[origin] = host
  }

  /// A server refused a request while others were under way: those are as many as it allows.
  mutating func noteRefusal(_ id: ConnectionID, _ origin: Origin, at now: Instant) {
    guard var host = hosts[origin] else { return }
    // What was refused keeps its place until its connection is closed, but is none that is allowed.
    if holders[id] != nil, !host.sharers.contains(id) { host.refused.insert(id) }
    let others = host.taken - host.refused.count
    if others > 0 {
      if var learned = host.learned {
        learned.note(others: others, at: now)
        host.learned = learned
      } else {
        host.learned = LearnedCap(others: others, at: now)
      }
    }
    hosts[origin] = host
  }

  private mutating func take(_ id: ConnectionID, _ origin: Origin, mayShare: Bool) {
    if hosts.count >= Self.maximumHosts { hosts = hosts.filter { $0.value.taken > 0 } }
    holders[id] = origin
    var host = hosts[origin] ?? Host()
    host.taken += 1
    takenInAll += 1
    if mayShare, host.isShared { host.sharers.insert(id) }
    hosts[origin] = host
  }

  /// Lets a request share the connection of others; false when there is none.
  private mutating func join(_ id: ConnectionID, _ origin: Origin) -> Bool {
    guard let host = hosts[origin], host.isShared, !host.sharers.isEmpty else { return false }
    hosts[origin]?.sharers.insert(id)
    holders[id] = origin
    return true
  }

  private func hasRoom(_ origin: Origin, at now: Instant) -> Bool {
    guard takenInAll < maximumInAll else { return false }
    guard let host = hosts[origin] else { return true }
    return host.taken < min(maximum, host.learned?.cap(at: now) ?? maximum)
  }
}
