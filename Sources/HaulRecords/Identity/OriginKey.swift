public import HaulHTTP

/// A number for the server that a download comes from (scheme, host and port), the same in every run.
///
/// It stands for the origin where a million of them are kept. Two origins have the same number once in
/// 2^64; they then share what holds for each server alone, such as its limit of connections.
public struct OriginKey: Sendable, Hashable {
  /// The number.
  public let rawValue: UInt64

  /// Takes over a number.
  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// The number of an origin: FNV-1a with 64 bits of `scheme://host:port`.
  public init(_ origin: Origin) {
    var hash = StableHash()
    hash.add("\(origin.scheme)://\(origin.host):\(origin.port)".utf8)
    rawValue = hash.value
  }
}
