/// An entity tag, which names one version of a representation (RFC 9110 §8.8.3).
///
/// Two tags are equal when they are of the same strength and consist of the same bytes.
public struct EntityTag: Sendable, Hashable {
  /// Whether equal tags only mean equivalent content, not equal bytes.
  public let isWeak: Bool
  /// The tag without its quotes and without `W/`.
  public let opaque: String

  /// Reads a field value such as `"abc"` or `W/"abc"`.
  ///
  /// A tag without quotes breaks the grammar, but some servers send it: it is read as weak, never
  /// as strong, as nothing is known about how it was made. Nil for an empty value, a tag with a
  /// control character or a stray quote, several tags, and tags of more than 1024 bytes.
  public init?(parsing value: String) {
    var tag = Substring(value.trimmingFieldSpace)
    guard tag.utf8.count <= Self.maximumByteCount + 4,
      !tag.unicodeScalars.contains(where: \.isControl)
    else { return nil }

    let hasWeakMark = tag.utf8.starts(with: "W/".utf8) || tag.utf8.starts(with: "w/".utf8)
    if hasWeakMark { tag = Substring(tag.utf8.dropFirst(2)) }
    let quote = UInt8(ascii: "\"")
    let isQuoted = tag.utf8.count >= 2 && tag.utf8.first == quote && tag.utf8.last == quote
    if isQuoted { tag = Substring(tag.utf8.dropFirst().dropLast()) }
    guard !tag.utf8.contains(quote), isQuoted || !tag.isEmpty,
      tag.utf8.count <= Self.maximumByteCount
    else { return nil }

    isWeak = hasWeakMark || !isQuoted
    opaque = String(tag)
  }

  /// The tag as it stands in a field, such as `"abc"` or `W/"abc"`.
  public var fieldValue: String {
    isWeak ? "W/\"\(opaque)\"" : "\"\(opaque)\""
  }

  /// Whether both tags have the same bytes, whatever their strength (weak comparison,
  /// RFC 9110 §8.8.3.2).
  public func matchesWeakly(_ other: EntityTag) -> Bool {
    opaque.hasSameBytes(as: other.opaque)
  }

  /// Whether both tags are of the same strength and have the same bytes.
  public static func == (one: EntityTag, other: EntityTag) -> Bool {
    one.isWeak == other.isWeak && one.opaque.hasSameBytes(as: other.opaque)
  }

  private static let maximumByteCount = 1024
}

extension Unicode.Scalar {
  /// Whether this is a control character; of ASCII without a look into the tables of Unicode.
  fileprivate var isControl: Bool {
    isASCII ? UInt8(value).isASCIIControl : properties.generalCategory == .control
  }
}
