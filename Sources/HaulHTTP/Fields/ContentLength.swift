/// Reads the `Content-Length` field (RFC 9110 §8.6, RFC 9112 §6.3).
public enum ContentLength {
  /// The number of bytes that the answer's content has, or nil when no such field is there.
  ///
  /// A repeated value, as in `5, 5` or on two lines, counts once.
  /// - Throws: `MalformedField` when the values differ, or one is not a plain decimal number below
  ///   2^63: signs, fractions, empty values and overflow are malformed.
  public static func parse(_ fields: HeaderFields) throws(MalformedField) -> Int64? {
    guard let combined = fields.combined("Content-Length") else { return nil }
    var length: Int64?
    for part in combined.commaSeparatedParts {
      guard let value = Int64(decimalDigits: part.utf8), length == nil || length == value else {
        throw MalformedField(name: "Content-Length", value: combined)
      }
      length = value
    }
    return length
  }
}
