import HaulHTTP
import Testing

@Suite("Timestamps")
struct TimestampTests {
  @Test(
    "moments are written as RFC 3339 has them",
    arguments: [
      (0, 0, "1970-01-01T00:00:00.000Z"),
      (951_782_399, 7, "2000-02-28T23:59:59.007Z"),
      (951_782_400, 250, "2000-02-29T00:00:00.250Z"),
      (-1, 999, "1969-12-31T23:59:59.999Z"),
      (Int64.max, 5000, "9999-12-31T23:59:59.999Z"),
      (Int64.min, -5, "0001-01-01T00:00:00.000Z"),
    ] as [(Int64, Int, String)])
  func moments(_ seconds: Int64, _ milliseconds: Int, _ text: String) {
    #expect(Timestamp.format(unixTime: seconds, milliseconds: milliseconds) == text)
  }
}
