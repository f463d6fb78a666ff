/// Writes moments for programs (RFC 3339, UTC).
public enum Timestamp {
  /// A moment such as `2026-01-31T09:05:00.250Z`.
  ///
  /// A time before year 1 or after year 9999 is written as the first or last second of that span.
  /// - Parameters:
  ///   - unixTime: Seconds since 1970-01-01T00:00:00Z.
  ///   - milliseconds: The rest; below 0 counts as 0, above 999 as 999.
  /// - Returns: The moment with three digits after the point.
  public static func format(unixTime: Int64, milliseconds: Int = 0) -> String {
    let time = CivilTime(unixTime: min(max(unixTime, -62_135_596_800), 253_402_300_799))
    let date = [time.month, time.day].map { padded($0, 2) }.joined(separator: "-")
    let clock = [time.hour, time.minute, time.second].map { padded($0, 2) }
    let rest = padded(Int64(min(max(milliseconds, 0), 999)), 3)
    return "\(padded(time.year, 4))-\(date)T\(clock.joined(separator: ":")).\(rest)Z"
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}
