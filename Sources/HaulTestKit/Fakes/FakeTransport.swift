internal import HaulHTTP
public import HaulTransfer
internal import Synchronization

/// A transport without a network: each request is answered as a test says, on a virtual clock.
///
/// It keeps every rule of `Transport`, so that what a receiver does is the receiver's fault:
/// heads come once and first, nothing comes while it pauses, nothing after a cancellation or the
/// end. What was shown and not taken is shown again, cut in other places. Moves of its *user* that
/// the seam does not allow are noted in `violations`.
public final class FakeTransport: Transport {
  /// A request as it was made.
  public struct Request: Sendable {
    /// Which request it is, counted from zero.
    public var index: Int
    /// When it was made.
    public var time: Instant
    /// The request.
    public var message: TransportRequest

    /// The value of a field, or nil.
    public func header(_ name: String) -> String? { HeaderFields(message.fields).first(name) }
    /// The first position and the last one that were asked for; nil without a readable `Range`.
    public var range: (first: Int64, last: Int64?)? {
      guard let value = header("Range"), value.hasPrefix("bytes=") else { return nil }
      let parts = value.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
      guard parts.count == 2, let first = Int64(parts[0]) else { return nil }
      return (first, Int64(parts[1]))
    }
  }

  private struct Exchange {
    let receiver: any TransportReceiver
    var steps: ArraySlice<FakeAnswer.Step>
    var outcome: TransportOutcome
    /// How many bytes of the first step were taken.
    var shown = 0
    var hasHead = false
    var isPaused = false
  }

  private struct State {
    var exchanges: [ConnectionID: Exchange] = [:]
    var used: Set<ConnectionID> = []
    var endedSessions: Set<ConnectionID> = []
    var requests: [Request] = []
    var violations: [String] = []
    var isDead = false
  }

  private enum Turn {
    case head(any TransportReceiver, ResponseHead)
    case bytes(any TransportReceiver, ArraySlice<UInt8>)
    case silence(Double)
    case end(any TransportReceiver, TransportOutcome)
  }

  private let clock: VirtualClock
  private let random: SeededRandom
  private let answer: @Sendable (Request) -> FakeAnswer
  private let state = Mutex(State())
  /// The largest piece in which bytes are shown.
  private let largestPiece: Int

  /// Makes a transport that answers by a function.
  public init(
    clock: VirtualClock, random: SeededRandom, largestPiece: Int = 16 * 1024,
    answer: @escaping @Sendable (Request) -> FakeAnswer
  ) {
    self.clock = clock
    self.random = random
    self.largestPiece = largestPiece
    self.answer = answer
  }

  /// All requests so far.
  public var requests: [Request] { state.withLock { $0.requests } }
  /// What its user did against the rules.
  public var violations: [String] { state.withLock { $0.violations } }
  /// How many exchanges are open.
  public var openExchanges: Int { state.withLock { $0.exchanges.count } }

  /// The process dies: nothing more is heard of any exchange, and none can be started.
  public func crash() {
    state.withLock { state in
      state.exchanges = [:]
      state.isDead = true
    }
  }

  /// Starts an exchange; its answer is chosen now and arrives later.
  public func start(
    _ request: TransportRequest, id: ConnectionID, receiver: any TransportReceiver
  ) {
    let noted: Request? = state.withLock { state in
      if state.isDead { return nil }
      if state.endedSessions.contains(request.session) {
        state.violations.append("a request of a session that has ended")
        return nil
      }
      guard state.used.insert(id).inserted else {
        state.violations.append("the name \(id.value) is used twice")
        return nil
      }
      let noted = Request(index: state.requests.count, time: clock.now, message: request)
      state.requests.append(noted)
      return noted
    }
    guard let noted else { return }
    let answer = answer(noted)
    state.withLock {
      $0.exchanges[id] = Exchange(
        receiver: receiver, steps: answer.steps[...], outcome: answer.outcome)
    }
    takeTurn(id, after: random.unit() * 0.05)
  }

  /// Shows a receiver that paused its bytes again.
  public func resume(_ id: ConnectionID) {
    let wasPaused = state.withLock { state in
      guard state.exchanges[id]?.isPaused == true else { return false }
      state.exchanges[id]?.isPaused = false
      return true
    }
    if wasPaused { takeTurn(id, after: 0) }
  }

  /// Ends an exchange without a word but that its connection is free, a moment later.
  public func cancel(_ id: ConnectionID) {
    guard let exchange = state.withLock({ $0.exchanges.removeValue(forKey: id) }) else { return }
    clock.schedule(at: clock.now) { exchange.receiver.released() }
  }

  /// Notes that a transfer is over.
  public func endSession(_ session: ConnectionID) {
    state.withLock { state in
      if !state.endedSessions.insert(session).inserted, !state.isDead {
        state.violations.append("a session ended twice")
      }
    }
  }

  private func takeTurn(_ id: ConnectionID, after delay: Double) {
    clock.schedule(at: clock.now.advanced(seconds: delay)) { [self] in turn(id) }
  }

  private func turn(_ id: ConnectionID) {
    guard let turn = nextTurn(id) else { return }
    switch turn {
    case .silence(let seconds): takeTurn(id, after: seconds)
    case .head(let receiver, let head):
      receiver.received(head)
      takeTurn(id, after: random.unit() * 0.01)
    case .bytes(let receiver, let bytes): show(bytes, to: receiver, id)
    case .end(let receiver, let outcome):
      receiver.released()
      receiver.completed(outcome)
    }
  }

  private func nextTurn(_ id: ConnectionID) -> Turn? {
    state.withLock { state in
      guard let exchange = state.exchanges[id], !exchange.isPaused else { return nil }
      while let step = state.exchanges[id]?.steps.first {
        switch step {
        case .head(let head):
          precondition(!exchange.hasHead, "the script has two heads")
          state.exchanges[id]?.hasHead = true
          state.exchanges[id]?.steps.removeFirst()
          return .head(exchange.receiver, head)
        case .silence(let seconds):
          state.exchanges[id]?.steps.removeFirst()
          return .silence(seconds)
        case .bytes(let bytes):
          precondition(exchange.hasHead || bytes.isEmpty, "the script has bytes before the head")
          // Asked anew: the step before this one may have ended in this very turn.
          let shown = state.exchanges[id]?.shown ?? 0
          guard shown < bytes.count else {
            state.exchanges[id]?.steps.removeFirst()
            state.exchanges[id]?.shown = 0
            continue
          }
          let piece = 1 + Int(random.next() % UInt64(largestPiece))
          return .bytes(exchange.receiver, bytes[shown...].prefix(piece))
        }
      }
      let outcome = state.exchanges.removeValue(forKey: id)?.outcome ?? .stopped
      return .end(exchange.receiver, outcome)
    }
  }

  private func show(
    _ bytes: ArraySlice<UInt8>, to receiver: any TransportReceiver, _ id: ConnectionID
  ) {
    // The slice lives through the call.
    let verdict = unsafe bytes.withUnsafeBytes { unsafe receiver.received($0.bytes) }
    switch verdict {
    case .taken:
      state.withLock { $0.exchanges[id]?.shown += bytes.count }
      takeTurn(id, after: random.unit() * 0.01)
    case .pause:
      state.withLock { $0.exchanges[id]?.isPaused = true }
    case .stop:
      state.withLock { state in
        state.exchanges[id]?.steps = []
        state.exchanges[id]?.outcome = .stopped
      }
      takeTurn(id, after: 0)
    }
  }
}
