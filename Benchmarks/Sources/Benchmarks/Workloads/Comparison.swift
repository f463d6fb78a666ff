/// Two contestants of one workload, and what the ratio of the first to the second may be.
struct Comparison: Sendable, Hashable {
  /// What the first one is compared with.
  enum Baseline: Sendable, Hashable {
    case one(Contestant)
    /// Whichever of these took the least time.
    case fastest([Contestant])
  }

  var subject: Contestant
  var baseline: Baseline
  /// The largest ratio of wall times that meets the target, or nil without a target.
  var wall: Double?
  /// The same for the CPU time.
  var cpu: Double?

  init(_ subject: Contestant, to baseline: Contestant, wall: Double? = nil, cpu: Double? = nil) {
    self.subject = subject
    self.baseline = .one(baseline)
    self.wall = wall
    self.cpu = cpu
  }

  init(_ subject: Contestant, toFastest: [Contestant], wall: Double? = nil, cpu: Double? = nil) {
    self.subject = subject
    baseline = .fastest(toFastest)
    self.wall = wall
    self.cpu = cpu
  }
}
