internal import HaulHTTP
internal import Synchronization

/// What is known of servers, and how many connections to them may be open: over all transfers that
/// share it.
///
/// It remembers which servers asked not to be asked again before a moment (`Retry-After`), and which
/// ones answered at all. A server that refuses one connection while others are under way is taken at its
/// word: for five seconds it gets no more than those, then one more after each pause; when that one
/// is refused as well, the pause doubles, up to some minutes.
///
/// A place is given back when its connection is closed or free for the next request, so that a server
/// never sees more than those. Requests that share a connection (HTTP/2) have one place together, once
/// the server has shown that it does so.
public final class HostGate: Sendable {
  private let gates = Mutex<[Origin: Instant]>([:])
  private let met = Mutex<Set<Origin>>([])
  private let places: Mutex<PlaceTable>

  /// Servers that are remembered; beyond that all are forgotten, which costs them some patience.
  private static let maximumMet = 10_000

  /// As many connections to one server as small files have use for; more are seldom any faster.
  public static let usualConnections = 16

  /// Makes a gate that is open for every host.
  ///
  /// At most `maximumConnections` are open to one server at once, and `maximumInAll` to all of them; at
  /// least 1 each.
  public init(
    maximumConnections: Int = HostGate.usualConnections, maximumInAll: Int = .max
  ) {
    places = Mutex(
      PlaceTable(maximum: max(1, maximumConnections), maximumInAll: max(1, maximumInAll)))
  }

  /// Changes how many connections may be open; at least 1. Those that are open stay.
  public func set(maximumConnections: Int, maximumInAll: Int = .max, clock: any Clock) {
    places.withLock { places in
      places.maximum = max(1, maximumConnections)
      places.maximumInAll = max(1, maximumInAll)
    }
    serve(clock)
  }

  /// Requests that have a place for their connection or share one, and those that wait for one.
  public var counts: (taken: Int, waiting: Int) { places.withLock { $0.counts } }

  // MARK: Pauses

  /// Closes the gate of a server until a moment; a later moment that was set before stays.
  func close(_ origin: Origin, until instant: Instant) {
    gates.withLock { gates in
      gates[origin] = max(gates[origin] ?? instant, instant)
    }
  }

  /// The moment at which the gate opens, or nil when it is open.
  func closedUntil(_ origin: Origin, now: Instant) -> Instant? {
    gates.withLock { gates in
      guard let until = gates[origin] else { return nil }
      guard until > now else {
        gates[origin] = nil
        return nil
      }
      return until
    }
  }

  // MARK: Answers

  /// Notes that a server answered a request, which may share its connection with others.
  func noteAnswer(_ id: ConnectionID, _ origin: Origin, isShared: Bool, clock: any Clock) {
    met.withLock { met in
      if met.count >= Self.maximumMet { met.removeAll() }
      met.insert(origin)
    }
    guard isShared else { return }
    places.withLock { $0.noteShared(id, origin) }
    serve(clock)
  }

  /// Whether a server has answered.
  func hasAnswered(_ origin: Origin) -> Bool { met.withLock { $0.contains(origin) } }

  /// Notes that a server refused a request, perhaps because others are under way.
  func noteRefusal(_ id: ConnectionID, _ origin: Origin, clock: any Clock) {
    places.withLock { $0.noteRefusal(id, origin, at: clock.now) }
    serve(clock)
  }

  // MARK: Places

  /// Takes a place for a request. One that may wait is told on any thread when it has one.
  func enter(
    _ id: ConnectionID, _ origin: Origin, mayShare: Bool, mayWait: Bool, clock: any Clock,
    onPlace: @escaping @Sendable () -> Void
  ) -> PlaceTable.Entry {
    let now = clock.now
    let entry = places.withLock {
      $0.enter(id, origin, mayShare: mayShare, at: now, onPlace: mayWait ? onPlace : nil)
    }
    if case .waiting(let look?) = entry { self.look(origin, at: look, clock) }
    return entry
  }

  /// Gives a place back; nothing happens where there is none.
  func leave(_ id: ConnectionID, clock: any Clock) {
    places.withLock { $0.leave(id) }
    serve(clock)
  }

  private func serve(_ clock: any Clock) {
    let served = places.withLock { $0.serve(at: clock.now) }
    for tell in served { tell() }
  }

  /// Serves those who wait when one more connection may be tried, as long as there are any.
  private func look(_ origin: Origin, at instant: Instant, _ clock: any Clock) {
    clock.schedule(at: instant) { [weak self] in
      guard let self else { return }
      serve(clock)
      let next = places.withLock { $0.nextLook(origin, after: clock.now) }
      if let next { look(origin, at: next, clock) }
    }
  }
}
