/// Writes the `Range` field of a request for bytes (RFC 9110 §14.2).
public enum RangeField {
  /// The value that asks for these bytes, such as `bytes=0-99` for `0..<100`.
  ///
  /// The field cannot ask for nothing or for negative positions: an empty range asks for the one
  /// byte at its start, and positions below zero count as zero.
  public static func value(_ range: Range<Int64>) -> String {
    let first = max(0, range.lowerBound)
    let end = max(first, range.upperBound)
    return "bytes=\(first)-\(end > first ? end - 1 : first)"
  }

  /// The value that asks for all bytes from a position on, such as `bytes=100-`.
  public static func value(from position: Int64) -> String {
    "bytes=\(max(0, position))-"
  }
}
