internal import HaulTransfer

/// Whether an exchange brings fewer bytes a second than it has to.
///
/// libcurl's own check takes time for the server's in which we kept bytes waiting: all of it on an
/// HTTP/2 connection, where one stream that waits holds up the others.
struct StallWatch: Sendable {
  /// Seconds over which the speed is taken.
  private static let sample = 0.5

  /// Bytes a second; 0 where any speed will do.
  let limit: Int64
  /// Seconds for which the speed has to be below it.
  let window: Double
  private var bytes: Int64 = 0
  private var counted = 0.0
  private var slow = 0.0
  private var notedAt: Instant
  /// Since when it is we who keep it waiting, and how long we did before that.
  private var pausedAt: Instant?
  private var paused = 0.0

  init(_ options: ConnectionOptions, at now: Instant) {
    limit = max(0, options.lowSpeed)
    window = min(max(options.lowSpeedWindow.rounded(.up), 1), 2_000_000)
    notedAt = now
  }

  mutating func take(_ count: Int) { bytes += Int64(count) }

  mutating func pause(at now: Instant) {
    if pausedAt == nil { pausedAt = now }
  }

  mutating func resume(at now: Instant) {
    if let since = pausedAt { paused += now.seconds(since: since) }
    pausedAt = nil
  }

  /// Seconds since the last note in which we kept it waiting.
  func waited(at now: Instant) -> Double {
    paused + (pausedAt.map { now.seconds(since: $0) } ?? 0)
  }

  /// Takes note of the time that passed, of which so many seconds do not count; whether it stalled.
  mutating func note(uncounted: Double, at now: Instant) -> Bool {
    counted += max(0, now.seconds(since: notedAt) - uncounted)
    notedAt = now
    paused = 0
    if pausedAt != nil { pausedAt = now }
    guard counted >= Self.sample else { return slow >= window }
    slow = Double(bytes) < Double(limit) * counted ? slow + counted : 0
    bytes = 0
    counted = 0
    return slow >= window
  }
}
