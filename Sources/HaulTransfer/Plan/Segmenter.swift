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
    /// The server that it asked.
    var source = 0
  }

  /// Whom a further connection would ask, and what it brings a connection; zero while that is not known.
  struct Supplier: Sendable {
    var source = 0
    var rate = 0.0
  }

  /// Seconds after which more connections are tried again where one was refused.
  private static let pause = 5.0
  private static let maximumDoublings = 6
  /// Seconds after which more are tried again where other files have all places.
  private static let pauseForRoom = 0.3
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
  /// Seconds in which nothing is concluded from what a connection brings.
  private static let grace = 0.25
  /// So many times slower than the others is far behind.
  private static let farBehind = 4.0
  /// Seconds that taking over the end of another connection has to save.
  private static let worthyGain = 1.0
  /// Below so many bytes it has to save more: the connection stands still.
  private static let leastTakenOver: Int64 = 64 << 10
  private static let stillness = 4.0
  private static let longestRescuePause = 60.0
  /// Seconds after which a connection that is far behind is given up, and that it would take yet.
  private static let patience = 5.0

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
  /// What connections brought that are over, in bytes a second.
  private var typical = 0.0
  /// When a connection that is far behind may be replaced again, and the pause after that.
  private var rescueFrom: Instant?
  private var rescuePause = 1.0
  private var landed: Int64 = 0
  private var began: Instant?

  init(_ policy: SegmentPolicy) {
    self.policy = policy
    wanted = policy.isAdaptive ? 1 : max(1, policy.maximumConnections)
  }

  mutating func begin(_ id: ConnectionID, at now: Instant) {
    paces[id] = Pace(from: now)
  }

  /// Notes how many bytes a connection has brought in all.
  mutating func note(_ id: ConnectionID, total: Int64, at now: Instant) {
    landed += paces[id, default: Pace(from: now)].note(total: total, at: now)
  }

  mutating func end(_ id: ConnectionID, at now: Instant) {
    guard let pace = paces.removeValue(forKey: id) else { return }
    let rate = pace.rate(at: now)
    guard rate * Self.farBehind >= typical, rate > 0 else { return }
    typical = typical > 0 ? (typical + rate) / 2 : rate
    rescuePause = 1
  }

  /// One connection more than these was refused: that is a cap, not a failure.
  ///
  /// More are not tried before the pause is over: five seconds, twice that the next time, and so on.
  mutating func noteRefusal(others: Int, pause: Double, at now: Instant) {
    wanted = max(1, others)
    // Those that come within one pause were sent before anything was known, and count as one.
    if refusals == 0 || pausedUntil.map({ now >= $0 }) ?? true { refusals += 1 }
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
  /// leaves room for others. Under a rate limit that holds them back, no more are added. `running` is
  /// how many receive, `left` how many bytes are to come.
  mutating func adapt(running: Int, left: Int64, isHeldBack: Bool = false, at now: Instant) {
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
      guard timeLeft > Self.worthwhile, !isHeldBack else { return }
      wanted = min(policy.maximumConnections, wanted * 2)
      stage = .rising(since: now)
    case .resting(let until):
      guard now >= until, wanted > 1, running >= wanted, timeLeft > Self.trialInterval else {
        return
      }
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
  ///
  /// Of a connection that fell far behind all is taken over. Where that does not help, it is tried
  /// ever less often; another server that is known to be faster is sure to help.
  mutating func share(
    gap: Range<Int64>?, holders: [Holder], from supplier: Supplier = Supplier(), at now: Instant
  ) -> Share? {
    if let gap { return Share(range: gap, holder: nil) }
    let mayRescue = rescueFrom.map({ now >= $0 }) ?? true
    let helpable = holders.filter { holder in
      mayRescue || !isBehind(holder, now) || isOutdone(holder, by: supplier, now)
    }
    guard let slowest = helpable.max(by: { timeLeft($0, now) < timeLeft($1, now) }) else {
      return nil
    }
    let left = slowest.end - slowest.position
    let rate = rate(of: slowest.id, at: now)
    let expected = max(medianRate(at: now), typical, rate)
    let isLate = isBehind(slowest, now)
    let kept = isLate ? 0 : Int64(Double(left) * (rate / (rate + expected)))
    let range = slowest.position + min(kept, left)..<slowest.end
    let size = range.upperBound - range.lowerBound
    let gain = timeLeft(slowest, now) - Double(size) / expected
    let isLongTail =
      isMeasured(slowest.id, at: now)
      && (size >= Self.leastTakenOver ? gain > Self.worthyGain : isLate && gain > Self.stillness)
    guard size >= policy.minimumByteCount || isLongTail, size > 0 else { return nil }
    if isLate, !isOutdone(slowest, by: supplier, now) { noteRescue(now) }
    return Share(range: range, holder: slowest.id)
  }

  /// A connection to be given up for a new one, since it is far behind the others and would be for long.
  mutating func laggard(_ holders: [Holder], at now: Instant) -> ConnectionID? {
    let slowest = holders.max { timeLeft($0, now) < timeLeft($1, now) }
    guard let slowest, let pace = paces[slowest.id],
      now.seconds(since: pace.start) >= Self.patience,
      rate(of: slowest.id, at: now) * Self.farBehind * 2 < medianRate(at: now),
      timeLeft(slowest, now) > Self.patience,
      rescueFrom.map({ now >= $0 }) ?? true
    else { return nil }
    noteRescue(now)
    return slowest.id
  }

  /// Whether a connection is far slower than others are, or were.
  private func isBehind(_ holder: Holder, _ now: Instant) -> Bool {
    isMeasured(holder.id, at: now)
      && rate(of: holder.id, at: now) * Self.farBehind < max(medianRate(at: now), typical)
  }

  /// Whether another server is known to be far faster than a connection.
  private func isOutdone(_ holder: Holder, by supplier: Supplier, _ now: Instant) -> Bool {
    holder.source != supplier.source && isMeasured(holder.id, at: now)
      && rate(of: holder.id, at: now) * Self.farBehind < supplier.rate
  }

  private mutating func noteRescue(_ now: Instant) {
    rescueFrom = now.advanced(seconds: rescuePause)
    rescuePause = min(2 * rescuePause, Self.longestRescuePause)
  }

  /// What a connection brings in bytes a second; zero while it has just begun.
  func measuredRate(of id: ConnectionID, at now: Instant) -> Double {
    isMeasured(id, at: now) ? paces[id]?.rate(at: now) ?? 0 : 0
  }

  /// Seconds until connections have brought what they hold, each at its own speed; infinite where they
  /// stand still, and nil while a speed is not known.
  ///
  /// What is large is shared with whoever is free before; what is too small for that takes as long as its
  /// holder does.
  func timeLeft(_ holders: [Holder], at now: Instant) -> Double? {
    var (bytes, sum, longest) = (0.0, 0.0, 0.0)
    for holder in holders where holder.end > holder.position {
      guard isMeasured(holder.id, at: now), let rate = paces[holder.id]?.rate(at: now) else {
        return nil
      }
      let left = Double(holder.end - holder.position)
      if left < Double(Self.leastTakenOver) { longest = max(longest, left / rate) }
      bytes += left
      sum += rate
    }
    return bytes > 0 ? max(longest, bytes / sum) : nil
  }

  private func timeLeft(_ holder: Holder, _ now: Instant) -> Double {
    Double(holder.end - holder.position) / rate(of: holder.id, at: now)
  }

  /// The bytes a second of a connection, at least 1. One that has just begun is taken to be like the
  /// others.
  private func rate(of id: ConnectionID, at now: Instant) -> Double {
    guard let pace = paces[id] else { return 1 }
    let assumed = isMeasured(id, at: now) ? 0 : max(medianRate(at: now), typical)
    return max(1, pace.rate(at: now), assumed)
  }

  private func isMeasured(_ id: ConnectionID, at now: Instant) -> Bool {
    paces[id].map { now.seconds(since: $0.start) >= Self.grace } ?? false
  }

  /// What a connection can be expected to bring.
  private func medianRate(at now: Instant) -> Double {
    let rates = paces.values.map { $0.rate(at: now) }.filter { $0 > 0 }.sorted()
    return rates.isEmpty ? 0 : rates[rates.count / 2]
  }
}
