/// What the fields of one answer tell about the version of its representation (RFC 9110 §8.8).
public struct Validators: Sendable, Hashable {
  /// The entity tag, or nil when there is none that can be read.
  public var entityTag: EntityTag?
  /// The time of the last change in Unix seconds, or nil when there is none that can be read.
  public var lastModified: Int64?
  /// The `Last-Modified` field as it was sent, also when it cannot be read.
  public var lastModifiedText: String?
  /// When the server made the answer, in Unix seconds.
  public var date: Int64?
  /// Whether there were `ETag` fields that cannot be used: malformed, or contradicting each other.
  private var hasUnusableTag = false

  /// Reads the validators of an answer.
  ///
  /// When a field is repeated with different values, none of them counts.
  /// - Parameters:
  ///   - fields: The header section of the answer.
  ///   - now: The current time in Unix seconds, needed for dates with a year of two digits.
  public init(_ fields: HeaderFields, now: Int64) {
    let tags = fields.all("ETag")
    entityTag = Self.single(tags).flatMap { EntityTag(parsing: $0) }
    hasUnusableTag = entityTag == nil && !tags.isEmpty
    lastModifiedText = Self.single(fields.all("Last-Modified"))
    lastModified = lastModifiedText.flatMap { HTTPDate.parse($0, now: now) }
    date = Self.single(fields.all("Date")).flatMap { HTTPDate.parse($0, now: now) }
  }

  /// The validator that proves equal bytes and may stand in `If-Range`, or nil.
  ///
  /// It is a strong entity tag, or else a `Last-Modified` with a `Date` at least 60 seconds later
  /// (RFC 9110 §8.8.2.2: the server's clock then ruled out a second change within that second).
  /// The date counts only where the answer has no entity tag at all, not even a weak or malformed
  /// one (RFC 9110 §13.1.5).
  public var strong: StrongValidator? {
    if let entityTag {
      return entityTag.isWeak ? nil : .entityTag(entityTag.fieldValue)
    }
    guard !hasUnusableTag, let lastModified, let lastModifiedText, let date else { return nil }
    let (age, overflow) = date.subtractingReportingOverflow(lastModified)
    return !overflow && age >= 60 ? .lastModified(lastModifiedText) : nil
  }

  /// Whether two answers describe the same version, as far as they can tell.
  ///
  /// Entity tags decide where both answers carry one, compared weakly; otherwise `Last-Modified`
  /// does. Agreement alone does not prove equal bytes: that takes equal `strong` validators.
  /// - Returns: nil when there is nothing that both carry.
  public func agrees(with other: Validators) -> Bool? {
    if let one = entityTag, let two = other.entityTag { return one.matchesWeakly(two) }
    if let one = lastModified, let two = other.lastModified { return one == two }
    if let one = lastModifiedText, let two = other.lastModifiedText {
      return one.hasSameBytes(as: two)
    }
    return nil
  }

  private static func single(_ values: [String]) -> String? {
    guard let first = values.first else { return nil }
    return values.allSatisfy { $0.hasSameBytes(as: first) } ? first : nil
  }
}
