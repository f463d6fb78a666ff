/// Reads the `Retry-After` field (RFC 9110 §10.2.3).
public enum RetryAfter {
  /// The number of seconds to wait, zero or more.
  ///
  /// A date in the past means zero; a number too large for 64 bits means `Int64.max`. The caller
  /// caps what it is willing to wait.
  /// - Parameters:
  ///   - value: The field value: a number of seconds or a date.
  ///   - now: The current time in Unix seconds.
  /// - Returns: nil when the value is malformed.
  public static func seconds(_ value: String, now: Int64) -> Int64? {
    let text = value.trimmingFieldSpace
    if !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) {
      return Int64(decimalDigits: text.utf8) ?? .max
    }
    guard let date = HTTPDate.parse(text, now: now) else { return nil }
    guard date > now else { return 0 }
    let (difference, overflow) = date.subtractingReportingOverflow(now)
    return overflow ? .max : difference
  }
}
