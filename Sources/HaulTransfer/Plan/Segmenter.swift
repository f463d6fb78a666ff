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

  /// Seconds after which more connections are tried again where they were refused or did not help.
  private static let pause = 5.0
  /// Seconds over which the effect of a further connection is measured.
  private static let trial = 0.2
  /// By so much the whole has to get faster for further connections to stay.
  private static let gain = 1.15
  /// Seconds that a slow connection must still take for others to take its bytes over.
  private static let longTail = 1.0
  /// The least that is taken over from a slow connection.
  private static let leastTakenOver: Int64 = 64 << 10

  let policy: SegmentPolicy
  /// How many connections there may be now.
  private(set) var wanted: Int
  private var paces: [ConnectionID: Pace] = [:]
  private var pausedUntil: Instant?
  private var isMeasured = false
  private var trialStart: (time: Instant, bytes: Int64)?
  /// The number and the speed before the last step up.
  private var before: (wanted: Int, rate: Double)?
  private var landed: Int64 = 0

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
  /// More are not tried before the pause is over, at least five seconds.
  mutating func noteRefusal(others: Int, pause: Double, at now: Instant) {
    wanted = max(1, others)
    pausedUntil = now.advanced(seconds: max(Self.pause, pause))
    trialStart = nil
    before = nil
  }

  /// When to decide again if nothing happens meanwhile.
  func nextMoment(after now: Instant) -> Instant { now.advanced(seconds: Self.trial) }

  /// Adds connections while that makes the whole faster.
  ///
  /// `running` is how many receive; a step is measured once all of them do.
  mutating func adapt(running: Int, at now: Instant) {
    if let until = pausedUntil {
      guard now >= until else { return }
      pausedUntil = nil
      if !policy.isAdaptive { wanted = max(1, policy.maximumConnections) }
    }
    guard policy.isAdaptive, wanted < policy.maximumConnections || before != nil else { return }
    guard running >= wanted else {
      trialStart = nil
      return
    }
    guard let start = trialStart else {
      trialStart = (now, landed)
      return
    }
    let passed = now.seconds(since: start.time)
    guard passed >= Self.trial else { return }
    let rate = Double(landed - start.bytes) / passed
    trialStart = nil
    if let before, rate < before.rate * Self.gain {
      // They did not help, and the server has enough to do.
      wanted = before.wanted
      pausedUntil = now.advanced(seconds: Self.pause)
      self.before = nil
      return
    }
    guard wanted < policy.maximumConnections else {
      before = nil
      return
    }
    before = (wanted, rate)
    wanted = min(policy.maximumConnections, wanted * 2)
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
