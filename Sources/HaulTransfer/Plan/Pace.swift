/// How fast bytes came lately: a mean in which what is a second old counts a quarter.
struct Pace: Sendable {
  /// When it began.
  let start: Instant
  private var total: Int64 = 0
  private var bytes = 0.0
  private var seconds = 0.0
  private var last: Instant

  init(from start: Instant) {
    self.start = start
    last = start
  }

  /// Notes how many bytes came in all, and returns how many of them are new.
  mutating func note(total: Int64, at now: Instant) -> Int64 {
    let count = max(0, total - self.total)
    age(to: now)
    bytes += Double(count)
    self.total += count
    return count
  }

  /// Bytes a second; of a connection that stands still it falls towards zero.
  func rate(at now: Instant) -> Double {
    var pace = self
    pace.age(to: now)
    return pace.seconds > 0 ? pace.bytes / pace.seconds : 0
  }

  private mutating func age(to now: Instant) {
    let passed = max(0, now.seconds(since: last))
    let age = 1 + passed
    let weight = 1 / (age * age)
    bytes *= weight
    seconds = seconds * weight + passed
    last = max(last, now)
  }
}
