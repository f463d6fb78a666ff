/// How fast bytes came lately: a mean in which what is a second old counts half.
struct Pace: Sendable {
  private static let halfLife = 1.0

  private var bytes = 0.0
  private var seconds = 0.0
  private var last: Instant

  init(from start: Instant) {
    last = start
  }

  mutating func note(_ count: Int64, at now: Instant) {
    age(to: now)
    bytes += Double(count)
  }

  /// Bytes a second; of a connection that stands still it falls towards zero.
  func rate(at now: Instant) -> Double {
    var pace = self
    pace.age(to: now)
    return pace.seconds > 0 ? pace.bytes / pace.seconds : 0
  }

  private mutating func age(to now: Instant) {
    let passed = max(0, now.seconds(since: last))
    let weight = 1 / (1 + passed / Self.halfLife)
    bytes *= weight
    seconds = seconds * weight + passed
    last = max(last, now)
  }
}
