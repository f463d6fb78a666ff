/// A moment on a monotonic clock, in nanoseconds since an arbitrary start.
public struct Instant: Sendable, Hashable, Comparable {
  /// Nanoseconds since the start of the clock.
  public let nanoseconds: Int64

  /// Makes an instant.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// Whether the left instant is earlier.
  public static func < (left: Instant, right: Instant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// The instant this many seconds later; saturates at the end of the clock.
  public func advanced(seconds: Double) -> Instant {
    let exact = seconds * 1e9
    let delta = exact > -9e18 && exact < 9e18 ? Int64(exact) : (seconds < 0 ? .min : .max)
    let (sum, overflow) = nanoseconds.addingReportingOverflow(delta)
    return Instant(nanoseconds: overflow ? (delta < 0 ? .min : .max) : sum)
  }

  /// The seconds from another instant to this one; negative when this one is earlier.
  public func seconds(since other: Instant) -> Double {
    (Double(nanoseconds) - Double(other.nanoseconds)) / 1e9
  }
}

/// Time, as a transfer sees it: speeds and delays by a monotonic clock, dates by the wall clock.
public protocol Clock: Sendable {
  /// The present moment of the monotonic clock; never goes back.
  var now: Instant { get }
  /// Seconds since 1970-01-01T00:00:00Z; may jump.
  var unixTime: Int64 { get }
  /// Runs a job once, at the given moment or soon after, on a thread of the clock's choice.
  ///
  /// The job must not block. A moment in the past runs the job soon, never inside this call.
  func schedule(at instant: Instant, _ job: @escaping @Sendable () -> Void)
}

/// Randomness for jitter; a simulation gives it a seed.
public protocol RandomSource: Sendable {
  /// A number drawn evenly from all 64-bit numbers.
  func next() -> UInt64
}

extension RandomSource {
  /// A number drawn evenly from 0 up to, and without, 1.
  public func unit() -> Double {
    Double(next() >> 11) * 0x1p-53
  }
}
