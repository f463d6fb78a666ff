import CHaulSystem
public import HaulTransfer

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The clocks of this machine; jobs run one after the other on a queue of Dispatch.
public struct SystemClock: Clock {
  /// Makes the clock; it has no state.
  public init() {}

  /// The present moment of `CLOCK_MONOTONIC`.
  public var now: Instant {
    let time = Self.read(CLOCK_MONOTONIC)
    return Instant(nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
  }

  /// Seconds since 1970 by the wall clock.
  public var unixTime: Int64 {
    Int64(Self.read(CLOCK_REALTIME).tv_sec)
  }

  /// Runs a job on a queue of Dispatch at the given moment or soon after.
  public func schedule(at instant: Instant, _ job: @escaping @Sendable () -> Void) {
    AlarmClock.shared.set(instant, job)
  }

  private static func read(_ clock: clockid_t) -> timespec {
    var time = timespec()
    // `time` is written by the call alone; both clocks exist everywhere.
    unsafe _ = clock_gettime(clock, &time)
    return time
  }
}
