internal import HaulHTTP
internal import Synchronization

/// A request that waits until its server may be asked.
struct UnsentRequest {
  let message: TransportRequest
  let origin: Origin
  /// Whether it waits for a place: the only one of its file does, and one for which there is one soon.
  let mayWait: Bool
  /// When a pause is over that the server asked for; nil when it waits for a place.
  var opens: Instant?
}

/// What a request that was sent has its place for, until its connection is closed or free.
enum Occupation {
  /// Its answer is wanted.
  case wanted
  /// It was given up, and is about to leave.
  case leaving
}

extension Transfer {
  func send(_ message: TransportRequest, _ id: ConnectionID, _ origin: Origin) {
    // Where one of its own is about to leave, there is a place soon.
    let mayWait =
      message.mayShareConnection || state.withLock { $0.occupying.values.contains(.leaving) }
    var message = message
    // Of a file that waits at a limit of its own, while others go on, libcurl would take megabytes into
    // memory where they share a connection.
    if request.limiter != nil { message.mayShareConnection = false }
    let receiver = ConnectionReceiver(
      id, to: origin, mayShare: message.mayShareConnection, of: self)
    state.withLock { state in
      state.receivers[id] = receiver
      state.unsent[id] = UnsentRequest(message: message, origin: origin, mayWait: mayWait)
    }
    if mayBeSent(id) {
      // Cancellations come after this, in the order of actions.
      state.withLock { state in
        state.unsent[id] = nil
        state.occupying[id] = .wanted
      }
      environment.transport.start(message, id: id, receiver: receiver)
    }
  }

  /// Sends a request that had to wait, unless it has to wait once more.
  private func sendLate(_ id: ConnectionID) {
    guard mayBeSent(id) else { return }
    // Under the lock: a cancellation that comes meanwhile has to find the request started.
    let isSent = state.withLock { state in
      guard let unsent = state.unsent.removeValue(forKey: id), let receiver = state.receivers[id]
      else { return false }
      state.occupying[id] = .wanted
      environment.transport.start(unsent.message, id: id, receiver: receiver)
      return true
    }
    if !isSent { leavePlace(id) }
  }

  /// Whether the server of a request may be asked and has room; otherwise it is sent as soon as that is
  /// so. One for a further connection of a file waits for no room that others have.
  private func mayBeSent(_ id: ConnectionID) -> Bool {
    guard let unsent = state.withLock({ $0.unsent[id] }) else {
      leavePlace(id)
      return false
    }
    let hosts = environment.hosts
    let clock = environment.clock
    if let opens = hosts.closedUntil(unsent.origin, now: clock.now) {
      // Others may go elsewhere meanwhile.
      leavePlace(id)
      state.withLock { $0.unsent[id]?.opens = opens }
      clock.schedule(at: opens) { [weak self] in self?.sendLate(id) }
      return false
    }
    state.withLock { $0.unsent[id]?.opens = nil }
    let entry = hosts.enter(
      id, unsent.origin, mayShare: unsent.message.mayShareConnection, mayWait: unsent.mayWait,
      clock: clock
    ) { [weak self] in self?.sendLate(id) }
    switch entry {
    case .waiting:
      // It may have been cancelled before it stood in the queue.
      if state.withLock({ $0.unsent[id] == nil && $0.receivers[id] == nil }) { leavePlace(id) }
    case .full:
      forget(id)
      feed(.noPlace(id))
    case .entered:
      if request.tellsExchanges { feed(.sent(id)) }
      return true
    }
    return false
  }

  /// Reads what is left of a body, so that its connection can be used again, but not for long: it has
  /// a place that another request may wait for.
  func drain(_ id: ConnectionID) {
    let isUnderWay = state.withLock { state in
      guard state.occupying[id] != nil else { return false }
      state.occupying[id] = .leaving
      return true
    }
    guard isUnderWay else { return }
    let end = environment.clock.now.advanced(seconds: Self.longestDrain)
    environment.clock.schedule(at: end) { [weak self] in
      guard let self, state.withLock({ $0.occupying[id] != nil }) else { return }
      environment.transport.cancel(id)
      feed(.ended(id, .stopped))
      forget(id)
    }
  }

  /// Seconds after which a connection is closed rather than read to the end of its body.
  private static let longestDrain = 2.0

  /// The connection of a request is closed, or free for the next one.
  func noteRelease(_ id: ConnectionID) {
    state.withLock { $0.occupying[id] = nil }
    leavePlace(id)
  }

  /// Gives back the place that a request has at its server, or the wait for one.
  func leavePlace(_ id: ConnectionID) {
    environment.hosts.leave(id, clock: environment.clock)
  }
}
