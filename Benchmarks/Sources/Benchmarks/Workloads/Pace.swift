/// How fast a server is on each of its connections.
struct Pace: Sendable, Hashable {
  /// Connections that are slower than the others.
  struct Slow: Sendable, Hashable {
    /// Which one of each `of`, counted from 1 in the order in which they are opened.
    var number: Int
    var of: Int
    /// How many times slower.
    var factor: Int64
  }

  /// Bytes a second.
  var rate: Int64
  var slow: Slow?

  /// The bytes a second of a slow connection; those of any other when there is none.
  var slowRate: Int64 { rate / (slow?.factor ?? 1) }

  /// The seconds that so many bytes need on so many connections, all opened at the start and each
  /// used until the end.
  func seconds(for bytes: Int64, connections: Int) -> Double {
    let slowCount =
      slow.map { slow in (1...connections).count { ($0 - slow.number) % slow.of == 0 } } ?? 0
    let total = Int64(connections - slowCount) * rate + Int64(slowCount) * slowRate
    return Double(bytes) / Double(total)
  }
}
