import HaulHTTP
import Testing

@Suite struct HTTPDateTests {
  /// 2026-11-30 00:00:00.
  private let now: Int64 = 1_795_996_800

  @Test(
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
      ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
      ("Sun Nov  6 08:49:37 1994", 784_111_777),
      ("Sun Nov 06 08:49:37 1994", 784_111_777),
      ("sun, 06 nov 1994 08:49:37 gmt", 784_111_777),
      ("Fri, 06 Nov 1994 08:49:37 GMT", 784_111_777),
      ("06 Nov 1994 08:49:37 GMT", 784_111_777),
      ("Sun, 6 Nov 1994 08:49:37 GMT", 784_111_777),
      ("Sun, 06 Nov 1994 8:49:37 GMT", 784_111_777),
      ("Sun, 06 Nov 1994 08:49:37 UTC", 784_111_777),
      ("Sun, 06 Nov 1994 08:49:37 +0000", 784_111_777),
      ("Sun, 06 Nov 1994 08:49:37GMT", 784_111_777),
      ("Sun, 06-Nov-1994 08:49:37 GMT", 784_111_777),
      ("Sun, 06 Nov 94 08:49:37 GMT", 784_111_777),
      ("  Sun, 06 Nov 1994 08:49:37 GMT ", 784_111_777),
      ("Sun Nov  6 08:49:37 1994 GMT", 784_111_777),
      ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
      ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
      ("Thu, 29 Feb 2024 00:00:00 GMT", 1_709_164_800),
      ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400),
      ("Tue, 19 Jan 2038 03:14:08 GMT", 2_147_483_648),
      ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
      ("Mon, 01 Jan 0001 00:00:00 GMT", -62_135_596_800),
      ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
    ] as [(String, Int64)])
  func readsEveryForm(value: String, expected: Int64) {
    #expect(HTTPDate.parse(value, now: now) == expected)
  }

  @Test(arguments: [
    "", "now", "0", "784111777", "Sun", "Sun,", "Sun, 06 Nov 1994", "Sun, 06 Nov 1994 08:49:37",
    "Sun, 06 Nov 1994 08:49:37 EST", "Sun, 06 Nov 1994 08:49:37 +0100",
    "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:37 GMT",
    "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
    "Sun, 31 Nov 1994 08:49:37 GMT", "Wed, 29 Feb 2023 00:00:00 GMT",
    "Thu, 29 Feb 1900 00:00:00 GMT", "Sun, 06 Foo 1994 08:49:37 GMT",
    "Sun, 06 Nov 0000 08:49:37 GMT", "Sun, 06 Nov 10000 08:49:37 GMT",
    "Sun, 06 Nov 199 08:49:37 GMT", "Sun, 06 Nov -994 08:49:37 GMT",
    "Sun, 06 Nov 99999999999999999999 08:49:37 GMT", "Sun, 006 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 08.49.37 GMT",
    "Sun, 06 Nov 1994 08:49:37 GMT, x", "Sun Nov  6 08:49:37 94", "1994-11-06T08:49:37Z",
  ])
  func refusesEverythingElse(value: String) {
    #expect(HTTPDate.parse(value, now: now) == nil)
  }

  /// RFC 9110 §5.6.7: more than fifty years ahead means the past.
  @Test(
    arguments: [
      ("76", "Mon, 30 Nov 2026 00:00:00 GMT", 2076), ("77", "Mon, 30 Nov 2026 00:00:00 GMT", 1977),
      ("26", "Mon, 30 Nov 2026 00:00:00 GMT", 2026), ("99", "Mon, 30 Nov 2026 00:00:00 GMT", 1999),
      ("05", "Wed, 01 Dec 1999 00:00:00 GMT", 2005), ("70", "Wed, 01 Dec 1999 00:00:00 GMT", 1970),
      ("49", "Wed, 01 Dec 1999 00:00:00 GMT", 2049), ("50", "Wed, 01 Dec 1999 00:00:00 GMT", 1950),
    ])
  func choosesTheCentury(year: String, current: String, expected: Int) throws {
    let now = try #require(HTTPDate.parse(current, now: 0))
    let text = "Monday, 30-Nov-\(year) 00:00:00 GMT"
    let time = try #require(HTTPDate.parse(text, now: now))
    #expect(HTTPDate.format(time).contains(" \(expected) "))
  }

  @Test func measuresFiftyYearsToTheSecond() {
    let ahead = "Monday, 30-Nov-76 00:00:00 GMT"
    #expect(HTTPDate.parse(ahead, now: now) == 3_373_920_000)
    #expect(HTTPDate.parse(ahead, now: now - 1) == 218_160_000)
  }

  @Test(arguments: [Int64.min, -62_135_596_800, -1, 0, 253_402_300_799, .max])
  func survivesAnyClock(now: Int64) {
    for year in 0...99 {
      let text = "Monday, 30-Nov-\(year < 10 ? "0" : "")\(year) 00:00:00 GMT"
      _ = HTTPDate.parse(text, now: now)
    }
    _ = HTTPDate.parse("Monday, 29-Feb-00 00:00:00 GMT", now: now)
  }

  @Test func writesThePreferredForm() {
    #expect(HTTPDate.format(784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(HTTPDate.format(0) == "Thu, 01 Jan 1970 00:00:00 GMT")
    #expect(HTTPDate.format(-1) == "Wed, 31 Dec 1969 23:59:59 GMT")
    #expect(HTTPDate.format(.min) == "Mon, 01 Jan 0001 00:00:00 GMT")
    #expect(HTTPDate.format(.max) == "Fri, 31 Dec 9999 23:59:59 GMT")
  }

  /// Against a calendar that only counts days.
  @Test func agreesWithCountingDays() {
    let names = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(separator: " ")
    let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    var days = 0
    for year in 1970...2105 {
      let isLeap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
      for (month, length) in zip(months, lengths) {
        let last = month == "Feb" && isLeap ? 29 : length
        let text = "\(names[(days + last - 1) % 7]), \(last) \(month) \(year) 12:00:00 GMT"
        let time = Int64(days + last - 1) * 86_400 + 43_200
        if HTTPDate.parse(text, now: now) != time || HTTPDate.format(time) != text {
          Issue.record("\(text) is not \(time)")
        }
        days += last
      }
    }
  }

  @Test(arguments: SplitMix64.seeds)
  func readsBackWhatItWrites(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<1_000 {
      let time = Int64.random(in: -62_135_596_800...253_402_300_799, using: &random)
      #expect(HTTPDate.parse(HTTPDate.format(time), now: now) == time)
    }
  }

  @Test(arguments: SplitMix64.seeds)
  func givesOnlyTimesInBounds(seed: UInt64) {
    let examples = [
      "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ]
    for text in Hostile.texts(like: examples, count: 800, seed: seed) {
      guard let time = HTTPDate.parse(text, now: now) else { continue }
      if !(-62_135_596_800...253_402_300_800).contains(time) {
        Issue.record("\(text.debugDescription) gave \(time)")
      }
    }
  }
}
