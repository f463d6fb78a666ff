import Testing

@testable import HaulCLI

@Suite struct FormatTests {
  @Test(arguments: [
    (0, "0 B"), (1023, "1023 B"), (1024, "1.00 KiB"), (10_234, "9.99 KiB"), (10_240, "10.0 KiB"),
    (102_348, "99.9 KiB"), (102_349, "100 KiB"), (102_400, "100 KiB"), (1_023_487, "999 KiB"),
    (1_023_488, "0.98 MiB"),
    (1_572_864, "1.50 MiB"), (Int64.max, "8.00 EiB"),
  ])
  func sizes(_ bytes: Int64, _ text: String) {
    #expect(Format.size(bytes) == text)
    #expect(text.count <= 8)
  }

  @Test(arguments: [
    (0, 100, "0/100 B"), (1023, 1023, "1023/1023 B"), (512, 2048, "0.50/2.00 KiB"),
    (2_000_000, 6_227_702_579, "0.00/5.80 GiB"), (1_288_490_189, 62_277_025_792, "1.2/58.0 GiB"),
    (2_000, 1_000, "1000/1000 B"), (99_999_999, 99_999_999, "95.4/95.4 MiB"),
  ])
  func bothSizesHaveOneUnit(_ received: Int64, _ total: Int64, _ text: String) {
    #expect(Format.sizes(received, of: total) == text)
    #expect(text.count <= 13)
  }

  @Test(arguments: [
    (0.0, "0.0%"), (0.4321, "43.2%"), (0.5, "50.0%"), (0.999_999, "99.9%"), (1, "99.9%"),
    (1.5, "99.9%"), (-1, "0.0%"), (.nan, "0.0%"),
  ])
  func percentageIsNeverAHundred(_ share: Double, _ text: String) {
    #expect(Format.percentage(share) == text)
  }

  @Test(arguments: [
    (0.0, "0s"), (59.9, "59s"), (60, "1m00s"), (298, "4m58s"), (3_600, "1h00m"),
    (359_999, "99h59m"),
    (360_000, "4d04h"), (8_639_999, "99d23h"), (8_640_000, "-"), (.infinity, "-"), (-5, "0s"),
  ])
  func durations(_ seconds: Double, _ text: String) {
    #expect(Format.duration(seconds) == text)
    #expect(text.count <= 6)
  }

  @Test(arguments: [(0.04, "0.0 s"), (2.56, "2.5 s"), (59.99, "59.9 s"), (60, "1m00s")])
  func elapsedTimes(_ seconds: Double, _ text: String) {
    #expect(Format.elapsed(seconds) == text)
  }

  /// 300 MiB in 3.9 s were told of a file of which a quarter was there before: 77 MiB/s that nobody had.
  @Test(
    arguments: [
      (300 << 20, 300 << 20, 3.9, "300 MiB in 3.9 s, 76.9 MiB/s"),
      (229 << 20, 300 << 20, 3.9, "300 MiB (229 MiB fetched in 3.9 s, 58.7 MiB/s)"),
      (0, 300 << 20, 3.9, "300 MiB (all of it was there)"), (0, 0, 0.5, "0 B in 0.5 s"),
      (5, 5, 0.1, "5 B in 0.1 s"), (90 << 20, 90 << 20, 90, "90.0 MiB in 1m30s, 1.00 MiB/s"),
      (400, 300, 3, "300 B in 3.0 s, 100 B/s"),
    ] as [(Int64, Int64, Double, String)])
  func whatWasFetched(_ fetched: Int64, _ size: Int64, _ time: Double, _ text: String) {
    #expect(Format.fetched(fetched, of: size, in: time) == text)
  }

  @Test(arguments: [(999, "999B"), (1_500, "1.46K"), (45_000_000, "42.9M"), (Int64.max, "8.00E")])
  func sizesForNarrowPlaces(_ bytes: Int64, _ text: String) {
    #expect(Format.shortSize(bytes) == text)
    #expect(text.count <= 5)
  }
}
