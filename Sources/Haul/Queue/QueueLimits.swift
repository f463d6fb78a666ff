/// How many downloads may run, and whether any may.
struct QueueLimits: Sendable, Hashable {
  /// The most that run at once.
  var parallel = 3
  /// The most that run at once from one server; nil for as many as there are places.
  var perHost: Int?
  /// Whether this is a time at which downloads may run.
  var isOpen = true
  /// Whether there is a network at all.
  var isOnline = true
}
