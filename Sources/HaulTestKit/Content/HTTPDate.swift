internal import Glibc

/// The date format of HTTP (RFC 9110 §5.6.7).
public enum HTTPDate {
  /// The date of some seconds since 1970, as `Sun, 06 Nov 1994 08:49:37 GMT`.
  public static func text(_ unixTime: Int64) -> String {
    let days = Int(unixTime.quotientAndRemainder(dividingBy: 86_400).quotient)
    let seconds = Int(unixTime - Int64(days) * 86_400)
    let (year, month, day) = civil(days)
    let weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][days % 7]
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let time = [seconds / 3600, seconds / 60 % 60, seconds % 60].map(twoDigits)
    return "\(weekday), \(twoDigits(day)) \(months[month - 1]) \(year) "
      + "\(time.joined(separator: ":")) GMT"
  }

  /// The present seconds since 1970.
  public static var now: Int64 {
    Int64(time(nil))
  }

  private static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }

  /// The date of a number of days since 1970 (Hinnant, chrono-compatible date algorithms).
  private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
      dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    )
  }
}
