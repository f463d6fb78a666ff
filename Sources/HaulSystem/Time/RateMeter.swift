#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Measures a rate in bytes a second, smoothed so that it can be read: older looks count less and
/// less, with a half-life of three seconds.
public struct RateMeter: Sendable {
  private var last: (count: Int64, time: Double)?
  private var weighted: Double = 0
  private var weight: Double = 0
  private var publishedAt = -Double.infinity

  /// The rate to show, or nil as long as there was too little to see. It changes twice a second.
  public private(set) var rate: Double?

  /// Makes a meter that has seen nothing.
  public init() {}

  private static let halfLife = 3.0
  private static let interval = 0.5
  /// Looks that are further apart than this many seconds say that the program was stopped.
  private static let longestGap = 5.0

  /// Takes a count of bytes that grows; a smaller one than before begins anew.
  public mutating func note(_ count: Int64, at now: Double) {
    defer { last = (count, now) }
    guard let last, count >= last.count else {
      // From here on nothing is known; what was seen before still says something.
      return
    }
    let span = now - last.time
    guard span > 0, span <= Self.longestGap else { return }
    // The average of exponentially fading samples, each as heavy as the time it stands for.
    let fading = exp2(-span / Self.halfLife)
    weighted = weighted * fading + Double(count - last.count) / span * (1 - fading)
    weight = weight * fading + (1 - fading)
    guard now - publishedAt >= Self.interval else { return }
    publishedAt = now
    rate = weighted / weight
  }

  /// Begins anew: what comes next is another stretch of time.
  public mutating func reset() { self = RateMeter() }
}
