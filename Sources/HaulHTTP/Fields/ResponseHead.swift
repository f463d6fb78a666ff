/// The version of HTTP that an answer came by.
public enum HTTPVersion: Sendable, Hashable {
  case http10, http11, http2, http3
}

/// The status line and the header section of one final answer (never a 1xx).
public struct ResponseHead: Sendable, Hashable {
  /// The version of HTTP that the answer came by.
  public var version: HTTPVersion
  /// The status code, 200 to 999.
  public var status: Int
  /// The header section, without trailers.
  public var fields: HeaderFields

  /// Makes a response head.
  public init(version: HTTPVersion, status: Int, fields: HeaderFields) {
    self.version = version
    self.status = status
    self.fields = fields
  }
}
