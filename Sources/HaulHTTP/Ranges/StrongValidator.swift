/// A validator that changes whenever the bytes change (RFC 9110 §8.8.1), in the form that an
/// `If-Range` field carries it.
public enum StrongValidator: Sendable, Hashable {
  /// A strong entity tag with its quotes.
  case entityTag(String)
  /// A `Last-Modified` date that counts as strong (RFC 9110 §8.8.2.2): its text as sent.
  case lastModified(String)

  /// The value for `If-Range`.
  public var fieldValue: String {
    switch self {
    case .entityTag(let value), .lastModified(let value): value
    }
  }

  /// Whether both are of the same kind and consist of the same bytes, as a server compares them.
  public static func == (one: StrongValidator, other: StrongValidator) -> Bool {
    switch (one, other) {
    case (.entityTag(let a), .entityTag(let b)), (.lastModified(let a), .lastModified(let b)):
      a.hasSameBytes(as: b)
    case (.entityTag, _), (.lastModified, _): false
    }
  }
}
