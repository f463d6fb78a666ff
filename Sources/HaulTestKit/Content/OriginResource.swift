/// A file on a well-behaved origin: ranges, validators and preconditions by RFC 9110.
///
/// Faults are put on top of it:
///
/// ```swift
/// let file = OriginResource(OriginContent(size: 1 << 20), etag: "\"v1\"")
/// let origin = try HostileOrigin { file.respond(to: $0).resetting(after: 1_000) }
/// ```
public struct OriginResource: Sendable {
  /// The bytes.
  public var content: OriginContent
  /// The entity tag with its quotes, `"v1"` or `W/"v1"`; nil for none.
  public var etag: String?
  /// The value of `Last-Modified` in seconds since 1970; nil for none.
  public var lastModified: Int64?
  /// The value of `Date`.
  public var date = OriginDate.now
  /// Whether `Accept-Ranges: bytes` is sent.
  public var advertisesRanges = true
  /// Whether `Range` is obeyed.
  public var honoursRanges = true
  /// The media type; nil for none.
  public var contentType: String? = "application/octet-stream"
  /// The value of `Content-Disposition`; nil for none.
  public var disposition: String?
  /// More fields, on every answer with a part of the content.
  public var fields: [OriginField] = []

  /// Makes a resource.
  public init(
    _ content: OriginContent, etag: String? = "\"1\"", lastModified: Int64? = 1_700_000_000
  ) {
    self.content = content
    self.etag = etag
    self.lastModified = lastModified
  }

  /// What a resource says in `Date`.
  public enum OriginDate: Sendable, Hashable {
    /// The present time.
    case now
    /// A fixed time in seconds since 1970.
    case at(Int64)
    /// No such field.
    case absent
  }

  /// The same resource in another version of the same size: other bytes, other validators.
  public var changed: OriginResource {
    var copy = self
    copy.content = content.changed
    copy.etag = etag.map { "\($0.dropLast())+\"" }
    copy.lastModified = lastModified.map { $0 + 60 }
    return copy
  }

  /// The same resource on an origin that ignores `Range`, but may say that it does not.
  public func ignoringRanges(advertised: Bool = false) -> OriginResource {
    var copy = self
    copy.honoursRanges = false
    copy.advertisesRanges = advertised
    return copy
  }

  /// The same resource without validators.
  public func withoutValidators() -> OriginResource {
    var copy = self
    copy.etag = nil
    copy.lastModified = nil
    return copy
  }
}
