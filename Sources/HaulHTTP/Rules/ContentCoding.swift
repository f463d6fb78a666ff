/// How the content of an answer was coded (RFC 9110 §8.4).
public enum ContentCoding: Sendable, Hashable {
  /// Not at all.
  case identity
  /// By gzip (RFC 1952).
  case gzip
  /// By deflate, which should mean the zlib format (RFC 1950) but is often bare (RFC 1951).
  case deflate
  /// By something that Haul cannot undo, or by several codings one upon the other. The text is
  /// what the field says, in lower case, safe to show, at most 80 characters.
  case unsupported(String)

  /// Reads the `Content-Encoding` fields of an answer; `identity` counts as no coding.
  public static func parse(_ fields: HeaderFields) -> ContentCoding {
    let parts = fields.combined("Content-Encoding")?.commaSeparatedParts ?? []
    let codings = parts.map(\.asciiLowercased).filter { !$0.isEmpty && $0 != "identity" }
    guard let first = codings.first else { return .identity }
    switch (codings.count, first) {
    case (1, "gzip"), (1, "x-gzip"): return .gzip
    case (1, "deflate"): return .deflate
    default:
      let text = codings.joined(separator: ", ")
      return .unsupported(MalformedField(name: "Content-Encoding", value: text).value)
    }
  }
}
