/// The origin of an address (RFC 9110 §4.3.1): where secrets that were given for it may go.
public struct Origin: Sendable, Hashable {
  /// The scheme, in lower case.
  public let scheme: String
  /// The host, with ASCII letters in lower case.
  public let host: String
  /// The port that is connected to, also where the address leaves it to the scheme.
  public let port: Int

  /// Makes an origin.
  public init(scheme: String, host: String, port: Int) {
    self.scheme = scheme
    self.host = host
    self.port = port
  }
}
