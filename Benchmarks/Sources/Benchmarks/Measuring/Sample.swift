/// What one run of a program cost.
struct Sample: Sendable, Hashable, Codable {
  /// Seconds from start to end.
  var wall: Double
  /// Seconds of processor time, of the program and of the system for it.
  var cpu: Double
  /// The largest resident set of any of its processes, in KiB.
  var memory: Int
}
