import HaulHTTP
import Testing

@Suite struct RetryAfterTests {
  private let now: Int64 = 784_111_777

  @Test(
    arguments: [
      ("0", 0), ("120", 120), (" 120 ", 120), ("00120", 120), ("9223372036854775807", .max),
      ("99999999999999999999999999", .max), ("Sun, 06 Nov 1994 08:50:37 GMT", 60),
      ("Sun, 06 Nov 1994 08:49:37 GMT", 0), ("Sun, 06 Nov 1993 08:50:37 GMT", 0),
      ("Sunday, 06-Nov-94 08:50:37 GMT", 60), ("Fri, 31 Dec 9999 23:59:59 GMT", 252_618_189_022),
      ("", nil), ("-1", nil), ("+1", nil), ("1.5", nil), ("soon", nil), ("120s", nil),
      ("1, 2", nil),
    ] as [(String, Int64?)])
  func readsSecondsAndDates(value: String, expected: Int64?) {
    #expect(RetryAfter.seconds(value, now: now) == expected)
  }

  @Test func survivesAnyClock() {
    let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    #expect(RetryAfter.seconds(date, now: .min) == .max)
    #expect(RetryAfter.seconds(date, now: .max) == 0)
  }

  @Test(arguments: SplitMix64.seeds)
  func neverGivesANegativeWait(seed: UInt64) {
    let examples = ["120", "Sun, 06 Nov 1994 08:49:37 GMT"]
    for text in Hostile.texts(like: examples, count: 700, seed: seed) {
      if let wait = RetryAfter.seconds(text, now: now), wait < 0 {
        Issue.record("\(text.debugDescription) gave \(wait)")
      }
    }
  }
}
