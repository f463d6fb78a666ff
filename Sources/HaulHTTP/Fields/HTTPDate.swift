/// Reads and writes the dates of HTTP (RFC 9110 §5.6.7).
public enum HTTPDate {
  /// The time in Unix seconds that a field value means.
  ///
  /// All three forms are read: `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT`
  /// and `Sun Nov  6 08:49:37 1994`. Letter case, a wrong or missing name of the day, a day of one
  /// digit, and `UTC`, `UT`, `Z` or `+0000` for the zone do not matter; any other zone is refused,
  /// and so are years outside 1 to 9999. Second 60 is the first second of the next minute.
  /// - Parameters:
  ///   - value: The field value.
  ///   - now: The current time in Unix seconds, which settles the century of a year of two digits:
  ///     the latest one that does not lie more than 50 years ahead.
  /// - Returns: nil when the value is no date.
  public static func parse(_ value: String, now: Int64) -> Int64? {
    if let time = parsePreferred(value) { return time }
    var scanner = ByteScanner(value)
    scanner.takeSpace()
    var month: Int64?
    let word = scanner.takeWord()
    if !word.isEmpty {
      month = monthNumber(word)
      // Only a comma or space ends the name of the day, so `Sun, 06` and `Sun Nov` are both read.
      _ = scanner.take(UInt8(ascii: ","))
      scanner.takeSpace()
      if month == nil, scanner.peek?.isASCIILetter == true {
        month = monthNumber(scanner.takeWord())
        guard month != nil else { return nil }
        scanner.takeSpace()
      }
    }
    if let month { return parseDayTimeYear(&scanner, month: month) }
    return parseDayMonthYear(&scanner, now: now)
  }

  /// The preferred form of a moment, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
  ///
  /// A time before year 1 or after year 9999 is written as the first or last second of that span.
  public static func format(_ unixTime: Int64) -> String {
    let clamped = min(max(unixTime, -62_135_596_800), 253_402_300_799)
    let time = CivilTime(unixTime: clamped)
    let weekday = weekdayNames[CivilTime.weekday(unixTime: clamped)]
    let month = monthNames[Int(time.month - 1)]
    let date = "\(weekday), \(padded(time.day, 2)) \(month) \(padded(time.year, 4))"
    let clock = "\(padded(time.hour, 2)):\(padded(time.minute, 2)):\(padded(time.second, 2))"
    return "\(date) \(clock) GMT"
  }

  private static let weekdayNames = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let monthNames = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }

  /// Reads the preferred form exactly as it is written, which nearly all servers do.
  private static func parsePreferred(_ value: String) -> Int64? {
    let pattern = "___, 00 ___ 0000 00:00:00 GMT".utf8
    guard value.utf8.count == pattern.count else { return nil }
    // Day, year, hour, minute, second, and the letters of the month.
    var numbers: (Int64, Int64, Int64, Int64, Int64) = (0, 0, 0, 0, 0)
    var month: UInt32 = 0
    for (index, (byte, expected)) in zip(value.utf8, pattern).enumerated() {
      switch expected {
      case UInt8(ascii: "0"):
        guard byte.isASCIIDigit else { return nil }
        let digit = Int64(byte - 0x30)
        switch index {
        case ..<7: numbers.0 = numbers.0 * 10 + digit
        case ..<16: numbers.1 = numbers.1 * 10 + digit
        case ..<19: numbers.2 = numbers.2 * 10 + digit
        case ..<22: numbers.3 = numbers.3 * 10 + digit
        default: numbers.4 = numbers.4 * 10 + digit
        }
      case UInt8(ascii: "_"):
        guard byte.isASCIILetter else { return nil }
        if index > 3 { month = month << 8 | UInt32(byte) }
      default:
        guard byte == expected else { return nil }
      }
    }
    guard let number = monthCodes.firstIndex(of: month) else { return nil }
    let time = CivilTime(
      year: numbers.1, month: Int64(number) + 1, day: numbers.0, hour: numbers.2,
      minute: numbers.3, second: numbers.4)
    return time.isValid ? time.unixTime : nil
  }

  private static let monthCodes = monthNames.map { name in
    name.utf8.reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
  }

  /// The number of a month by the first three letters of its lower-case name.
  private static func monthNumber(_ word: String) -> Int64? {
    let index = monthNames.firstIndex { $0.asciiLowercased == word.prefix(3) }
    return index.map { Int64($0) + 1 }
  }

  /// `06 Nov 1994 08:49:37 GMT` or `06-Nov-94 08:49:37 GMT`.
  private static func parseDayMonthYear(_ scanner: inout ByteScanner, now: Int64) -> Int64? {
    guard let day = takeShortNumber(&scanner, digits: 1...2) else { return nil }
    takeDateSeparator(&scanner)
    guard let month = monthNumber(scanner.takeWord()) else { return nil }
    takeDateSeparator(&scanner)
    let yearDigits = scanner.take { $0.isASCIIDigit }
    guard yearDigits.count == 2 || yearDigits.count == 4,
      let year = Int64(decimalDigits: yearDigits), scanner.takeSpace(),
      var time = takeClock(&scanner)
    else { return nil }
    scanner.takeSpace()
    guard takeUTC(&scanner) else { return nil }
    (time.year, time.month, time.day) = (year, month, day)
    if yearDigits.count == 2 { time.year = fullYear(time, now: now) }
    return time.isValid ? time.unixTime : nil
  }

  /// `6 08:49:37 1994`, after the name of the month.
  private static func parseDayTimeYear(_ scanner: inout ByteScanner, month: Int64) -> Int64? {
    guard let day = takeShortNumber(&scanner, digits: 1...2), scanner.takeSpace(),
      var time = takeClock(&scanner), scanner.takeSpace(),
      let year = takeShortNumber(&scanner, digits: 4...4)
    else { return nil }
    scanner.takeSpace()
    guard scanner.isAtEnd || takeUTC(&scanner) else { return nil }
    (time.year, time.month, time.day) = (year, month, day)
    return time.isValid ? time.unixTime : nil
  }

  private static func takeClock(_ scanner: inout ByteScanner) -> CivilTime? {
    guard let hour = takeShortNumber(&scanner, digits: 1...2), scanner.take(UInt8(ascii: ":")),
      let minute = takeShortNumber(&scanner, digits: 2...2), scanner.take(UInt8(ascii: ":")),
      let second = takeShortNumber(&scanner, digits: 2...2)
    else { return nil }
    return CivilTime(year: 0, month: 0, day: 0, hour: hour, minute: minute, second: second)
  }

  private static func takeShortNumber(
    _ scanner: inout ByteScanner, digits: ClosedRange<Int>
  ) -> Int64? {
    let taken = scanner.take { $0.isASCIIDigit }
    return digits.contains(taken.count) ? Int64(decimalDigits: taken) : nil
  }

  private static func takeDateSeparator(_ scanner: inout ByteScanner) {
    if !scanner.take(UInt8(ascii: "-")) { scanner.takeSpace() }
  }

  /// Reads the zone up to the end of the text, and says whether it is UTC.
  private static func takeUTC(_ scanner: inout ByteScanner) -> Bool {
    let zone = String(decoding: scanner.take { _ in true }, as: UTF8.self)
    let names = ["gmt", "utc", "ut", "z", "+0000", "-0000", "+00:00"]
    return names.contains(zone.trimmingFieldSpace.asciiLowercased)
  }

  /// The year of four digits that a year of two digits means (RFC 9110 §5.6.7).
  private static func fullYear(_ time: CivilTime, now: Int64) -> Int64 {
    let currentYear = min(max(CivilTime(unixTime: now).year, 0), 9999)
    var candidate = time
    candidate.year = currentYear - currentYear % 100 + 100 + time.year
    // Comparing what lies 50 years before the candidate with now keeps month and day exact.
    candidate.year -= 50
    while candidate.unixTime > now, candidate.year > 50 { candidate.year -= 100 }
    return candidate.year + 50
  }
}
