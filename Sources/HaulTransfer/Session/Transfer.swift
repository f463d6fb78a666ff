internal import HaulHTTP
internal import Synchronization

/// What transfers share: the world behind the seams, and limits over all of them.
public struct TransferEnvironment: Sendable {
  /// Asks for bytes.
  public var transport: any Transport
  /// Keeps bytes.
  public var store: any PartialFileStore
  /// Time.
  public var clock: any Clock
  /// Jitter.
  public var random: any RandomSource
  /// Undoes content codings.
  public var decoders: any BodyDecoders
  /// Memory for bytes on their way.
  public var buffers: BufferPool
  /// A limit over all transfers, or nil.
  public var limiter: RateLimiter?
  /// Limits for single servers, or nil.
  public var hostLimits: HostRateLimits?
  /// Servers that asked for a pause.
  public var hosts: HostGate

  /// Makes an environment.
  public init(
    transport: any Transport, store: any PartialFileStore, clock: any Clock,
    random: any RandomSource, decoders: any BodyDecoders, buffers: BufferPool = BufferPool(),
    limiter: RateLimiter? = nil, hosts: HostGate = HostGate()
  ) {
    self.transport = transport
    self.store = store
    self.clock = clock
    self.random = random
    self.decoders = decoders
    self.buffers = buffers
    self.limiter = limiter
    self.hosts = hosts
  }
}

/// Fetches one file: the shell around `TransferMachine`.
///
/// Inputs may come from any thread. Each is given to the machine under the lock; the actions
/// that come of it are carried out outside the lock, one after another, in order.
public final class Transfer: Sendable {
  private static let sessions = Atomic<UInt64>(0)

  struct State {
    var machine: TransferMachine
    /// Whether a thread carries out actions.
    var isPerforming = false
    /// What came of inputs meanwhile, for the same thread.
    var waitingActions: [TransferMachine.Action] = []
    var part: (any PartialFile)?
    var receivers: [ConnectionID: ConnectionReceiver] = [:]
    /// Requests that wait until their server may be asked.
    var unsent: [ConnectionID: UnsentRequest] = [:]
    /// Requests that were sent, and whose connections are neither closed nor free yet.
    var occupying: [ConnectionID: Occupation] = [:]
    var overlaps: [ConnectionID: [UInt8]] = [:]
    var writesStarted: UInt64 = 0
    var writesDone: UInt64 = 0
    var isFlushWanted = false
    /// A checkpoint that waits until so many writes are done.
    var checkpoint: (after: UInt64, version: FileVersion)?
    var result: TransferResult?
    var waiting: [CheckedContinuation<TransferResult, Never>] = []
  }

  let environment: TransferEnvironment
  let request: TransferRequest
  let identity: SourceIdentity
  let session: ConnectionID
  let state: Mutex<State>
  private let onEvent: @Sendable (TransferEvent) -> Void

  /// Makes a transfer that has not started.
  ///
  /// `onEvent` hears what happens, in order, one call at a time, on threads of the engine; it
  /// must not block. The last event is `ended`, once.
  public init(
    _ request: TransferRequest, in environment: TransferEnvironment,
    onEvent: @escaping @Sendable (TransferEvent) -> Void = { _ in }
  ) {
    self.request = request
    identity = SourceIdentity(request)
    self.environment = environment
    self.onEvent = onEvent
    session = ConnectionID(Self.sessions.wrappingAdd(1, ordering: .relaxed).newValue)
    state = Mutex(
      State(
        machine: TransferMachine(
          request, session: session, random: environment.random,
          // What is recorded needs a note, and so a part.
          gathers: environment.store.gathersSmallFiles && !request.destination.isRecorded)))
  }

  /// Starts; call it once.
  public func start() { feed(.started) }

  /// Stops and keeps what is there. The transfer ends with `stopped`, unless it was over or
  /// about to be.
  public func stop() {
    // What lies in buffers is kept, and so it counts.
    flushReceivers()
    feed(.stop)
    state.withLock { $0.part }?.interrupt()
  }

  /// Where the transfer stands now.
  public var progress: TransferProgress {
    // Receivers are asked outside the lock: they take it while they hold their own.
    var (progress, receivers, waits) = state.withLock { state in
      // What others still hold belongs to nothing any more.
      let owners = state.receivers.filter { state.machine.plan.claims[$0.key] != nil }
      return (state.machine.progress, owners, state.unsent.values.map(\.opens))
    }
    let unreported = receivers.mapValues(\.unreported)
    progress.received += unreported.values.reduce(0, +)
    let now = environment.clock.now
    progress.secondsLeft = state.withLock { $0.machine.secondsLeft(unreported, at: now) }
    if !waits.isEmpty, progress.state == .connecting {
      progress.resumesAt = waits.compactMap(\.self).min()
      progress.state = progress.resumesAt == nil ? .waitingForPlace : .waitingForHost
    }
    if let total = progress.total { progress.received = min(progress.received, total) }
    return progress
  }

  /// The result, once the last event was heard.
  public func result() async -> TransferResult {
    await withCheckedContinuation { continuation in
      let result = state.withLock { state in
        if state.result == nil { state.waiting.append(continuation) }
        return state.result
      }
      if let result { continuation.resume(returning: result) }
    }
  }

  func feed(_ input: TransferMachine.Input) {
    let now = environment.clock.now
    let moment = TransferMachine.Moment(
      now: now, unixTime: environment.clock.unixTime,
      isHeldBack: limits(to: request.url.origin)?.holdBack(at: now) ?? false)
    var actions = state.withLock { state in
      let actions = state.machine.handle(input, at: moment)
      guard state.isPerforming else {
        state.isPerforming = !actions.isEmpty
        return actions
      }
      // Whoever carries actions out goes on with these.
      state.waitingActions += actions
      return []
    }
    while !actions.isEmpty {
      for action in actions { perform(action) }
      actions = state.withLock { state in
        defer { state.waitingActions = [] }
        state.isPerforming = !state.waitingActions.isEmpty
        return state.waitingActions
      }
    }
  }

  func emit(_ event: TransferEvent) {
    guard case .ended(let result) = event else { return onEvent(event) }
    environment.transport.endSession(session)
    let (receivers, unsent) = state.withLock { state in
      state.part = nil
      defer { (state.receivers, state.unsent) = ([:], [:]) }
      return (state.receivers, state.unsent.keys)
    }
    for (id, receiver) in receivers {
      receiver.close()
      environment.transport.cancel(id)
    }
    for id in unsent { leavePlace(id) }
    onEvent(event)
    // Only now: who has the result may count on having heard everything.
    let waiting = state.withLock { state in
      state.result = result
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume(returning: result) }
  }

  /// The rate limits for bytes from a server; nil when there are none.
  func limits(to origin: @autoclosure () -> Origin) -> RateLimits? {
    let host = environment.hostLimits?.limiter(for: origin())
    guard request.limiter != nil || host != nil || environment.limiter != nil else { return nil }
    return RateLimits([request.limiter, host, environment.limiter])
  }
}
