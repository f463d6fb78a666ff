public import HaulHTTP

/// What may be shown of a request: nothing in it is a secret.
public struct RequestSummary: Sendable, Hashable {
  /// The address, without secrets.
  public var url: String
  /// The first byte that is asked for; nil for all of them.
  public var start: Int64?
  /// The fields, without those that the connection needs; what its owner added has its name only.
  public var fields: [HeaderField]

  private static let shown = [
    "Accept", "Accept-Encoding", "If-Range", "Range", "User-Agent", "Want-Repr-Digest",
  ]

  init(_ url: HTTPURL, from start: Int64?, _ fields: [HeaderField]) {
    self.url = url.redacted
    self.start = start
    self.fields = fields.map { field in
      let isShown = Self.shown.contains { $0.equalsIgnoringASCIICase(field.name) }
      return HeaderField(name: field.name, value: isShown ? field.value : "…")
    }
  }
}
