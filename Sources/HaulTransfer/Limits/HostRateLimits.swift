public import HaulHTTP
internal import Synchronization

/// Rate limits of single servers, each shared by all connections to it.
public final class HostRateLimits: Sendable {
  private let limiters = Mutex<[Origin: RateLimiter]>([:])
  private let clock: any Clock

  /// Makes limits of which there are none yet.
  public init(clock: any Clock) {
    self.clock = clock
  }

  /// Limits a server to so many bytes a second from now on; nil lifts the limit.
  public func set(bytesPerSecond: Int64?, for origin: Origin) {
    let limiter = limiters.withLock { limiters in
      // One that was lifted stays, since connections may wait at it.
      if bytesPerSecond != nil, limiters[origin] == nil {
        limiters[origin] = RateLimiter(bytesPerSecond: nil, clock: clock)
      }
      return limiters[origin]
    }
    limiter?.set(bytesPerSecond: bytesPerSecond)
  }

  func limiter(for origin: Origin) -> RateLimiter? { limiters.withLock { $0[origin] } }
}
