/// The media type of some content (RFC 9110 §8.3.1).
public struct MediaType: Sendable, Hashable {
  /// The part before the slash, in lower case.
  public let type: String
  /// The part after the slash, in lower case.
  public let subtype: String
  /// The `charset` parameter, in lower case and without quotes, or nil.
  public let charset: String?

  /// Reads a `Content-Type` field such as `text/html; charset=utf-8`.
  ///
  /// Malformed parameters are passed over, and of several types in one value the first counts. Nil
  /// when there are no two tokens (RFC 9110 §5.6.2) with a slash between them.
  public init?(parsing value: String) {
    let first = value.commaSeparatedParts[0]
    var parts = first.separated(by: UInt8(ascii: ";"))[...]
    guard let essence = parts.popFirst()?.asciiLowercased,
      let slash = essence.utf8.firstIndex(of: UInt8(ascii: "/"))
    else { return nil }
    let type = essence.utf8[..<slash]
    let subtype = essence.utf8[slash...].dropFirst()
    guard Self.isToken(type), Self.isToken(subtype) else { return nil }
    self.type = String(Substring(type))
    self.subtype = String(Substring(subtype))
    charset = parts.lazy.compactMap { Self.charset(parameter: $0) }.first
  }

  /// Type and subtype, such as `text/html`.
  public var essence: String { "\(type)/\(subtype)" }

  /// The extension, without a dot, that files of this type usually have; nil for types that say
  /// nothing (`application/octet-stream`, `text/plain`) and for unknown ones.
  public var preferredExtension: String? { Self.extensions[essence] }

  /// Whether this is the expected type, such as `video/mp4`, `image/*` or `*/*`, in any case.
  /// Parameters of the expected type do not count; a text that is no media type matches nothing.
  public func matches(_ expected: String) -> Bool {
    guard let expected = MediaType(parsing: expected) else { return false }
    let typeMatches = expected.type == type || (expected.type == "*" && expected.subtype == "*")
    return typeMatches && (expected.subtype == "*" || expected.subtype == subtype)
  }

  private static func isToken(_ bytes: Substring.UTF8View) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy(\.isTokenByte)
  }

  private static func charset(parameter: String) -> String? {
    let name = "charset="
    let lower = parameter.asciiLowercased
    guard lower.utf8.starts(with: name.utf8) else { return nil }
    let value = lower.utf8.dropFirst(name.utf8.count).filter { $0 != UInt8(ascii: "\"") }
    return value.isEmpty ? nil : String(decoding: value, as: UTF8.self)
  }
}
