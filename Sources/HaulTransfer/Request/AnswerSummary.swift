public import HaulHTTP

/// What may be shown of an answer: nothing in it is a secret.
public struct AnswerSummary: Sendable, Hashable {
  /// The version of HTTP.
  public var version: HTTPVersion
  /// The status.
  public var status: Int
  /// The fields by which a transfer decides, in the order of arrival; addresses without secrets.
  public var fields: [HeaderField]

  private static let shown = [
    "Accept-Ranges", "Age", "Alt-Svc", "Cache-Control", "Connection", "Content-Digest",
    "Content-Disposition", "Content-Encoding", "Content-Length", "Content-MD5", "Content-Range",
    "Content-Type", "Date", "Digest", "ETag", "Last-Modified", "Location", "Repr-Digest",
    "Retry-After", "Server", "Transfer-Encoding", "Vary", "Via", "WWW-Authenticate",
  ].map { $0.lowercased() }

  init(_ head: ResponseHead) {
    version = head.version
    status = head.status
    fields = head.fields.fields.filter { Self.shown.contains($0.name.lowercased()) }.map { field in
      guard field.name.equalsIgnoringASCIICase("Location") else { return field }
      // Where it leads may be signed.
      let target = try? HTTPURL(parsing: field.value)
      let isRelative = target == nil && !field.value.contains(":") && !field.value.contains("?")
      return HeaderField(
        name: field.name, value: target?.redacted ?? (isRelative ? field.value : "…"))
    }
  }
}
