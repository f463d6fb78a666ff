/// The limits that apply to one connection, the narrowest first: of its file, of its host, of all.
///
/// A draw passes them one after the other, each in its turn, and gets what the strictest grants.
struct RateLimits: Sendable {
  private let limiters: [RateLimiter]

  init(_ limiters: [RateLimiter?]) {
    self.limiters = limiters.compactMap(\.self)
  }

  var isEmpty: Bool { limiters.isEmpty }
  var isLimited: Bool { limiters.contains(where: \.isLimited) }

  /// Whether one of them is what holds transfers back.
  func holdBack(at now: Instant) -> Bool { limiters.contains { $0.holdsBack(at: now) } }

  /// Draws bytes: some of them, but at least one.
  ///
  /// - Returns: how many were granted, or nil when `wait` is told later.
  func draw(_ wanted: Int, _ wait: RateWait) -> Int? { pass(0, wanted, wait) }

  /// Takes back what was granted and not used.
  func giveBack(_ count: Int) {
    for limiter in limiters { limiter.giveBack(count) }
  }

  private func pass(_ level: Int, _ wanted: Int, _ wait: RateWait) -> Int? {
    guard level < limiters.count else { return wanted }
    let turn = RateWait(partOf: wait) { granted in
      settle(level, wanted, granted)
      if wait.isCancelled {
        for passed in limiters[...level] { passed.giveBack(granted) }
      } else if let all = pass(level + 1, granted, wait) {
        wait.granted(all)
      }
    }
    guard let granted = limiters[level].draw(wanted, turn) else { return nil }
    settle(level, wanted, granted)
    return pass(level + 1, granted, wait)
  }

  /// What a level does not grant was drawn in vain from those before it.
  private func settle(_ level: Int, _ wanted: Int, _ granted: Int) {
    for passed in limiters[..<level] { passed.giveBack(wanted - granted) }
  }
}
