internal import HaulHTTP
internal import Synchronization

/// Remembers which servers asked not to be asked again before a moment (`Retry-After`), and which
/// ones answered at all.
public final class HostGate: Sendable {
  private let gates = Mutex<[Origin: Instant]>([:])
  private let met = Mutex<Set<Origin>>([])

  /// Servers that are remembered; beyond that all are forgotten, which costs them some patience.
  private static let maximumMet = 10_000

  /// Makes a gate that is open for every host.
  public init() {}

  /// Closes the gate of a server until a moment; a later moment that was set before stays.
  func close(_ origin: Origin, until instant: Instant) {
    gates.withLock { gates in
      gates[origin] = max(gates[origin] ?? instant, instant)
    }
  }

  /// The moment at which the gate opens, or nil when it is open.
  func closedUntil(_ origin: Origin, now: Instant) -> Instant? {
    gates.withLock { gates in
      guard let until = gates[origin] else { return nil }
      guard until > now else {
        gates[origin] = nil
        return nil
      }
      return until
    }
  }

  /// Notes that a server answered.
  func noteAnswer(_ origin: Origin) {
    met.withLock { met in
      if met.count >= Self.maximumMet { met.removeAll() }
      met.insert(origin)
    }
  }

  /// Whether a server has answered.
  func hasAnswered(_ origin: Origin) -> Bool { met.withLock { $0.contains(origin) } }
}
