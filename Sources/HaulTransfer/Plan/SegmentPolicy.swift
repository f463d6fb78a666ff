/// How many connections may fetch one file.
public struct SegmentPolicy: Sendable, Hashable {
  /// The most connections at once; 1 for one after the other.
  public var maximumConnections: Int
  /// Whether connections are added only as long as they make the whole faster. Otherwise all are opened
  /// as soon as the server is known to serve ranges.
  public var isAdaptive: Bool
  /// Bytes that a further connection has to be worth.
  public var minimumByteCount: Int64 = 1 << 20

  /// Makes a policy; the default is one connection.
  public init(maximumConnections: Int = 1, isAdaptive: Bool = true) {
    self.maximumConnections = maximumConnections
    self.isAdaptive = isAdaptive
  }

  /// What suits most servers: up to eight, as long as they help.
  public static let adaptive = SegmentPolicy(maximumConnections: 8)
}
