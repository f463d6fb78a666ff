/// How the end of an answer's content is known (RFC 9112 §6.3, RFC 9113 §8.1).
public enum BodyFraming: Sendable, Hashable {
  /// After this many bytes.
  case length(Int64)
  /// By the protocol: a last chunk, or the end of the stream in HTTP/2 and later. The length is
  /// unknown before, but a cut is noticed.
  case delimited
  /// By the end of the connection: a cut cannot be told from the end.
  case untilClose
  /// There is no content, as in a 204 or 304.
  case none

  /// The first transfer coding that is not undone: only `chunked` is, the one that every client
  /// has to know (RFC 9112 §7.1). The bytes of any other would pass for those of the file.
  public static func unknownCoding(_ fields: HeaderFields) -> String? {
    let codings = fields.combined("Transfer-Encoding")?.commaSeparatedParts ?? []
    let unknown = codings.first { !["", "identity", "chunked"].contains($0.asciiLowercased) }
    return unknown.map { MalformedField(name: "Transfer-Encoding", value: $0).value }
  }

  /// The framing of the answer to a GET.
  ///
  /// Chunked coding wins over any `Content-Length`, even a malformed one.
  /// - Throws: `MalformedField` when the length decides and is malformed.
  public static func of(_ head: ResponseHead) throws(MalformedField) -> BodyFraming {
    if head.status < 200 || head.status == 204 || head.status == 304 { return .none }
    switch head.version {
    case .http10, .http11:
      let codings = head.fields.combined("Transfer-Encoding")?.commaSeparatedParts ?? []
      let applied = codings.map(\.asciiLowercased).filter { !$0.isEmpty && $0 != "identity" }
      if let last = applied.last { return last == "chunked" ? .delimited : .untilClose }
      return try ContentLength.parse(head.fields).map { .length($0) } ?? .untilClose
    case .http2, .http3:
      return try ContentLength.parse(head.fields).map { .length($0) } ?? .delimited
    }
  }
}
