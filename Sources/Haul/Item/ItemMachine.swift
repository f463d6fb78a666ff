internal import HaulRecords

/// What commands, turns and the ends of attempts make of one download of a list: no threads, no clock.
///
/// Every transition is in the table of `docs/STATES.md`, which a test compares with this.
struct ItemMachine: Sendable, Hashable {
  /// Why one that waits may not even stand in the queue yet.
  enum Hold: UInt8, Sendable, CaseIterable {
    /// It may begin when its turn comes.
    case none
    /// The network failed; it is tried again after a pause.
    case network
    /// The server or another program failed; it is tried again after a pause.
    case retry
    /// The disk was full; it is tried again when there is room.
    case disk
  }

  /// What follows once the attempt that is being stopped has ended.
  enum Wish: UInt8, Sendable, CaseIterable {
    case wait, pause, cancel, remove, removeWithFile
  }

  /// What an owner may ask for.
  enum Command: Sendable, Hashable, CaseIterable {
    /// Begins, or goes on.
    case start
    /// Goes on when it is paused.
    case resume
    /// Begins again when it failed, or at once when it waits out a failure.
    case retry
    /// Stops and keeps what is there.
    case pause
    /// Stops and gives up what is there.
    case cancel
    /// Leaves the list; what is not whole is given up.
    case remove
    /// Leaves the list, and its file goes, too.
    case removeWithFile
  }

  /// What a failure lets hope for.
  enum Outlook: Sendable, Hashable, CaseIterable {
    /// Trying again brings the same.
    case none
    /// The network may come back; there is no end to that.
    case network
    /// It may pass soon: tried again some times.
    case soon
    /// There may be room later; there is no end to that.
    case room
  }

  /// How an attempt ended, as the engine tells it.
  enum End: Sendable, Hashable {
    case finished
    case stopped
    case failed(Outlook)
  }

  enum Action: Sendable, Hashable {
    /// Begin this attempt.
    case run(attempt: UInt32)
    /// Stop this attempt; its end follows.
    case stop(attempt: UInt32)
    /// What was received goes.
    case discard
    /// It is out of the list.
    case removed(withFile: Bool)
    /// The one terminal event of this attempt.
    case announce(attempt: UInt32, AttemptEnd)
  }

  /// Failures in a row that are waited out when they may pass soon.
  static let maximumFailures: UInt8 = 5

  private(set) var state: DownloadState
  private(set) var attempt: UInt32
  private(set) var hold = Hold.none
  private(set) var wish: Wish?
  /// Attempts in a row that failed and brought nothing new.
  private(set) var failures: UInt8 = 0
  private(set) var isRemoved = false

  /// Takes over what was stored. No attempt has outlived the program: what ran waits again.
  init(state: DownloadState = .none, attempt: UInt32 = 0) {
    switch state {
    case .downloading, .verifying: self.state = .waiting
    case .none, .waiting, .paused, .finished, .failed: self.state = state
    }
    self.attempt = attempt
  }

  /// Whether an attempt runs, if only until it has stopped.
  var isRunning: Bool { state == .downloading || state == .verifying }

  /// Whether it stands in the queue.
  var isReady: Bool { state == .waiting && hold == .none && !isRemoved }
}

extension ItemMachine {
  /// Its owner asks for something. What changes nothing is no error.
  mutating func take(_ command: Command) -> [Action] {
    guard !isRemoved else { return [] }
    if isRunning { return interrupt(command) }
    switch command {
    case .start:
      if state == .none || state == .paused || state == .failed || state == .waiting { wait() }
    case .resume: if state == .paused { wait() }
    case .retry: if state == .failed || state == .waiting { wait() }
    case .pause: if state == .waiting { settle(.paused) }
    case .cancel:
      guard state != .none, state != .finished else { return [] }
      settle(.none)
      return [.discard]
    case .remove: return leave(withFile: false)
    case .removeWithFile: return leave(withFile: true)
    }
    return []
  }

  /// Its turn has come; it has to be ready.
  mutating func begin() -> [Action] {
    precondition(isReady, "only what stands in the queue has a turn")
    attempt &+= 1
    state = .downloading
    return [.run(attempt: attempt)]
  }

  /// Somebody else needs its place, or its attempt is to begin anew: it stops, and waits for its turn.
  mutating func giveWay() -> [Action] {
    guard isRunning, wish == nil else { return [] }
    return stop(.wait)
  }

  /// All bytes of an attempt are there, or turned out not to be.
  mutating func verifies(_ isVerifying: Bool, attempt: UInt32) {
    guard isRunning, attempt == self.attempt else { return }
    state = isVerifying ? .verifying : .downloading
  }

  /// An attempt is over. What an earlier one says counts no more.
  mutating func ended(attempt: UInt32, _ end: End, broughtBytes: Bool) -> [Action] {
    guard isRunning, attempt == self.attempt else { return [] }
    let wish = wish
    self.wish = nil
    if broughtBytes { failures = 0 }
    if case .finished = end { return finish(wish) }
    switch wish {
    case .wait:
      wait()
      return [.announce(attempt: attempt, .interrupted)]
    case .pause:
      settle(.paused)
      return [.announce(attempt: attempt, .paused)]
    case .cancel:
      settle(.none)
      return [.discard, .announce(attempt: attempt, .cancelled)]
    case .remove, .removeWithFile:
      return [.announce(attempt: attempt, .removed)] + leave(withFile: wish == .removeWithFile)
    case nil:
      guard case .failed(let outlook) = end else {
        settle(.paused)
        return [.announce(attempt: attempt, .paused)]
      }
      return fail(outlook)
    }
  }

  /// The pause after a failure is over, or there is room.
  mutating func release() {
    guard state == .waiting else { return }
    hold = .none
  }

  private mutating func interrupt(_ command: Command) -> [Action] {
    switch command {
    // As if it had stopped already; but a removal is final.
    case .start: if wish == .pause || wish == .cancel { wish = .wait }
    case .resume: if wish == .pause { wish = .wait }
    case .retry: break
    case .pause:
      if wish == nil { return stop(.pause) }
      if wish == .wait { wish = .pause }
    case .cancel:
      if wish == nil { return stop(.cancel) }
      if wish == .wait || wish == .pause { wish = .cancel }
    case .remove:
      if wish == nil { return stop(.remove) }
      if wish != .removeWithFile { wish = .remove }
    case .removeWithFile:
      if wish == nil { return stop(.removeWithFile) }
      wish = .removeWithFile
    }
    return []
  }

  private mutating func stop(_ wish: Wish) -> [Action] {
    self.wish = wish
    return [.stop(attempt: attempt)]
  }

  /// Whatever was wished meanwhile, the file is there, whole and checked.
  private mutating func finish(_ wish: Wish?) -> [Action] {
    settle(.finished)
    var actions: [Action] = [.announce(attempt: attempt, .finished)]
    if wish == .remove || wish == .removeWithFile {
      actions += leave(withFile: wish == .removeWithFile)
    }
    return actions
  }

  private mutating func fail(_ outlook: Outlook) -> [Action] {
    if failures < .max { failures += 1 }
    let hold: Hold =
      switch outlook {
      case .none: .none
      case .network: .network
      case .room: .disk
      case .soon: failures <= Self.maximumFailures ? .retry : .none
      }
    let failures = failures
    settle(hold == .none ? .failed : .waiting)
    self.hold = hold
    self.failures = hold == .none ? 0 : failures
    return [.announce(attempt: attempt, .failed(isTriedAgain: hold != .none))]
  }

  private mutating func wait() {
    // Who asks for it wants no pause, and all tries again.
    if hold != .none { failures = 0 }
    state = .waiting
    hold = .none
  }

  private mutating func settle(_ state: DownloadState) {
    self.state = state
    hold = .none
    if state != .waiting { failures = 0 }
  }

  private mutating func leave(withFile: Bool) -> [Action] {
    let isWhole = state == .finished
    isRemoved = true
    hold = .none
    return (isWhole ? [] : [.discard]) + [.removed(withFile: withFile && isWhole)]
  }
}
