/// Decides how many connections fetch a file, and which bytes a further one asks for.
///
/// It knows no network: the machine tells it what landed and when, and what was refused.
struct Segmenter: Sendable {
  /// What a further connection is to ask for.
  struct Share: Sendable, Hashable {
    var range: Range<Int64>
    /// Who has these bytes until the answer comes; nil when nobody has.
    var holder: ConnectionID?
  }

  /// A connection that receives, and what is left to it.
  struct Holder: Sendable {
    var id: ConnectionID
    var position: Int64
    var end: Int64
  }

  /// Seconds after which more connections are tried again where one was refused.
  private static let pause = 5.0
  private static let maximumDoublings = 6
  /// Seconds after which more are tried again where other files have all places.
  private static let pauseForRoom = 1.0
  /// Seconds between two steps up.
  private static let step = 0.2
  /// Seconds that a file has to take yet to be worth more connections.
  private static let worthwhile = 1.0
  /// Seconds over which speeds are compared: some servers send once a second.
  private static let trial = 2.0
  /// Seconds between two trials, and as many a file has to take yet.
  private static let trialInterval = 20.0
  /// The part of the speed that fewer connections have to keep in order to stay fewer.
  private static let kept = 0.9
  /// Seconds that a slow connection must still take for others to take its bytes over.
  private static let longTail = 1.0
  /// The least that is taken over from a slow connection.
  private static let leastTakenOver: Int64 = 64 << 10

  /// What is being found out about the number of connections.
  private enum Stage {
    /// More are added as long as there is enough left to fetch.
    case rising(since: Instant)
    case resting(until: Instant)
    /// The speed with all of them is measured, and then that with half of them.
    case measuringAll(since: Instant, from: Int64)
    case measuringHalf(since: Instant, from: Int64, all: Int, rate: Double)
  }

  let policy: SegmentPolicy
  /// How many connections there may be now.
  private(set) var wanted: Int
  private var paces: [ConnectionID: Pace] = [:]
  private var stage: Stage?
  private var pausedUntil: Instant?
  private var refusals = 0
  private var landed: Int64 = 0
  private var began: Instant?

  init(_ policy: SegmentPolicy) {
    self.policy = policy
    wanted = policy.isAdaptive ? 1 : max(1, policy.maximumConnections)
  }

  mutating func begin(_ id: ConnectionID, at now: Instant) {
    paces[id] = Pace(from: now)
  }

  mutating func note(_ id: ConnectionID, _ count: Int64, at now: Instant) {
    landed += count
    paces[id, default: Pace(from: now)].note(count, at: now)
  }

  mutating func end(_ id: ConnectionID) {
    paces[id] = nil
  }

  /// One connection more than these was refused: that is a cap, not a failure.
  ///
  /// More are not tried before the pause is over: five seconds, twice that the next time, and so on.
  mutating func noteRefusal(others: Int, pause: Double, at now: Instant) {
    wanted = max(1, others)
    // Those that come within one pause were sent before anything was known, and count as one.
    if pausedUntil.map({ now >= $0 }) ?? true { refusals += 1 }
    let own = Self.pause * Double(1 << min(refusals - 1, Self.maximumDoublings))
    pausedUntil = now.advanced(seconds: max(own, pause))
    stage = nil
  }

  /// The server has room for no more than these, since other files are fetched from it.
  mutating func noteNoRoom(others: Int, at now: Instant) {
    wanted = max(1, others)
    let until = now.advanced(seconds: Self.pauseForRoom)
    pausedUntil = max(pausedUntil ?? until, until)
    stage = nil
  }

  /// When to decide again if nothing happens meanwhile.
  func nextMoment(after now: Instant) -> Instant { now.advanced(seconds: Self.step) }

  /// Chooses the number of connections.
  ///
  /// They are added quickly while a file is worth it, since the first second of a connection says little
  /// of its speed; in a long transfer it is tried now and then whether half of them do as well, which
  /// leaves room for others. `running` is how many receive, `left` how many bytes are to come.
  mutating func adapt(running: Int, left: Int64, at now: Instant) {
    if let until = pausedUntil {
      guard now >= until else { return }
      pausedUntil = nil
      if !policy.isAdaptive { wanted = max(1, policy.maximumConnections) }
    }
    guard policy.isAdaptive else { return }
    let start = began ?? now
    began = start
    let mean = Double(landed) / max(now.seconds(since: start), Self.step)
    let timeLeft = Double(left) / max(mean, 1)
    switch stage ?? .rising(since: now) {
    case .rising(let since):
      stage = .rising(since: since)
      guard now.seconds(since: since) >= Self.step, running >= wanted else { return }
      guard wanted < policy.maximumConnections else {
        stage = .resting(until: now.advanced(seconds: Self.trialInterval / 4))
        return
      }
      guard timeLeft > Self.worthwhile else { return }
      wanted = min(policy.maximumConnections, wanted * 2)
      stage = .rising(since: now)
    case .resting(let until):
      guard now >= until, wanted > 1, running >= wanted, timeLeft > Self.trialInterval else { return }
      stage = .measuringAll(since: now, from: landed)
    case .measuringAll(let since, let from):
      let passed = now.seconds(since: since)
      guard passed >= Self.trial else { return }
      let rate = Double(landed - from) / passed
      stage = .measuringHalf(since: now, from: landed, all: wanted, rate: rate)
      wanted = max(1, wanted / 2)
    case .measuringHalf(let since, let from, let all, let rate):
      let passed = now.seconds(since: since)
      guard passed >= Self.trial else { return }
      if Double(landed - from) / passed < rate * Self.kept { wanted = all }
      stage = .resting(until: now.advanced(seconds: Self.trialInterval))
    }
  }

  /// The bytes that one more connection asks for: those that nobody has, or a part of those that would
  /// take longest, such that both end together.
  func share(gap: Range<Int64>?, holders: [Holder], at now: Instant) -> Share? {
    if let gap { return Share(range: gap, holder: nil) }
    let slowest = holders.max { timeLeft($0, now) < timeLeft($1, now) }
    guard let slowest else { return nil }
    let left = slowest.end - slowest.position
    let rate = paces[slowest.id]?.rate(at: now) ?? 0
    let expected = max(medianRate(at: now), rate, 1)
    let start = slowest.position + Int64(Double(left) * (rate / (rate + expected)))
    let range = min(start, slowest.end)..<slowest.end
    let size = range.upperBound - range.lowerBound
    let isWorthIt =
      size >= policy.minimumByteCount
      || size >= Self.leastTakenOver
        && timeLeft(slowest, now) > Self.longTail + 2 * Double(size) / expected
    return isWorthIt ? Share(range: range, holder: slowest.id) : nil
  }

  private func timeLeft(_ holder: Holder, _ now: Instant) -> Double {
    Double(holder.end - holder.position) / max(1, paces[holder.id]?.rate(at: now) ?? 0)
  }

  /// What a connection can be expected to bring.
  private func medianRate(at now: Instant) -> Double {
    let rates = paces.values.map { $0.rate(at: now) }.filter { $0 > 0 }.sorted()
    return rates.isEmpty ? 0 : rates[rates.count / 2]
  }
}
