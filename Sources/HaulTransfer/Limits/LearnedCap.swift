/// How many connections a server seems to allow, since it refused one more.
struct LearnedCap: Sendable, Hashable {
  private static let shortestPause = 5.0
  private static let longestPause = 320.0

  private(set) var cap: Int
  /// Seconds until one more is tried.
  private var pause = shortestPause
  private var until: Instant

  /// A first refusal, while so many others were under way.
  init(others: Int, at now: Instant) {
    cap = max(1, others)
    until = now.advanced(seconds: pause)
  }

  /// A further refusal. Those of one pause were sent before anything was known, and count as one; a
  /// later one means that the cap rose too soon.
  mutating func note(others: Int, at now: Instant) {
    if now >= until {
      pause = min(pause * 2, Self.longestPause)
      until = now.advanced(seconds: pause)
    }
    cap = max(1, min(cap, others))
  }

  /// The cap at a moment: one more after each pause.
  func cap(at now: Instant) -> Int {
    guard now >= until else { return cap }
    let pauses = (now.seconds(since: until) / pause).rounded(.down) + 1
    return cap + Int(min(pauses, 1e6))
  }

  /// When it rises next.
  func nextRise(after now: Instant) -> Instant {
    guard now >= until else { return until }
    let pauses = (now.seconds(since: until) / pause).rounded(.down) + 1
    return until.advanced(seconds: pauses * pause)
  }
}
