/// A date and a time of day in the proleptic Gregorian calendar, in UTC.
struct CivilTime {
  var year: Int64
  /// 1 to 12.
  var month: Int64
  /// 1 to 31.
  var day: Int64
  var hour: Int64
  var minute: Int64
  /// 0 to 60; a leap second counts as the first second of the next minute.
  var second: Int64

  /// Whether every field is within its bounds, the day also by the length of its month, and the
  /// year from 1 to 9999.
  var isValid: Bool {
    (1...9999).contains(year) && (1...12).contains(month)
      && (1...Self.daysInMonth(month, year: year)).contains(day)
      && (0...23).contains(hour) && (0...59).contains(minute) && (0...60).contains(second)
  }

  /// Seconds since 1970. The year must be within a million of zero, the rest within bounds.
  var unixTime: Int64 {
    // Days since 0000-03-01, with years that start in March: the leap day is then the last one.
    // The arithmetic is Howard Hinnant's `days_from_civil`.
    let shifted = month <= 2 ? year - 1 : year
    let era = Self.floorDivide(shifted, 400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = era * 146_097 + dayOfEra - 719_468
    return days * 86_400 + hour * 3_600 + minute * 60 + second
  }

  /// Makes a moment from its fields, in bounds or not.
  init(year: Int64, month: Int64, day: Int64, hour: Int64, minute: Int64, second: Int64) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
  }

  /// Makes the moment that any number of seconds since 1970 means.
  init(unixTime: Int64) {
    let days = Self.floorDivide(unixTime, 86_400)
    // Not `unixTime - days * 86_400`: the product may lie below the smallest number.
    let remainder = unixTime % 86_400
    let secondOfDay = remainder < 0 ? remainder + 86_400 : remainder
    let shifted = days + 719_468
    let era = Self.floorDivide(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    hour = secondOfDay / 3_600
    minute = secondOfDay / 60 % 60
    second = secondOfDay % 60
  }

  /// The day of the week of a moment, 0 for Sunday.
  static func weekday(unixTime: Int64) -> Int {
    let days = floorDivide(unixTime, 86_400) % 7 + 7
    return Int((days + 4) % 7)
  }

  private static func daysInMonth(_ month: Int64, year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient - 1 : quotient
  }
}
