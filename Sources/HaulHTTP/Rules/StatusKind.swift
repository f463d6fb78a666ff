/// What a final status code means for a download (RFC 9110 §15).
public enum StatusKind: Sendable, Hashable {
  /// The content is the whole representation: 200 or 203.
  case ok
  /// The content is the range that was asked for: 206.
  case partial
  /// The content is elsewhere, and `Location` says where: 301, 302, 303, 307 or 308.
  case redirect
  /// No such range exists: 416.
  case rangeNotSatisfiable
  /// Trying again later may work: 408, 425, 429, 500, 502, 503, 504, or 520 to 524, which content
  /// networks use for trouble between them and the origin.
  case retryable
  /// The proxy wants credentials: 407.
  case proxyAuthentication
  /// Everything else: asking again would not help.
  case permanent

  /// Sorts a status code; a number that is no status code is permanent.
  public init(_ status: Int) {
    switch status {
    case 200, 203: self = .ok
    case 206: self = .partial
    case 301, 302, 303, 307, 308: self = .redirect
    case 407: self = .proxyAuthentication
    case 416: self = .rangeNotSatisfiable
    case 408, 425, 429, 500, 502, 503, 504, 520...524: self = .retryable
    default: self = .permanent
    }
  }
}
