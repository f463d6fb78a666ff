import HaulTransfer
import Testing

@testable import HaulCLI

/// Lines of progress where there is no terminal.
@Suite struct ProgressLogTests {
  func lines(
    _ seconds: ClosedRange<Int>, total: Int64? = 1000, _ received: (Int) -> Int64
  ) -> [Int: String] {
    var log = ProgressLog()
    var lines: [Int: String] = [:]
    for second in seconds {
      let file = TrackerTests.file(1, received(second), of: total, name: "big.iso")
      if let line = log.lines([file], now: Double(second)).first { lines[second] = line }
    }
    return lines
  }

  @Test func whatIsDoneSoonHasNone() {
    #expect(lines(0...9) { Int64($0) * 100 } == [:])
  }

  @Test func aLineForEachTenth() {
    let lines = lines(0...199) { Int64($0) * 5 }
    #expect(lines.keys.sorted() == [20, 40, 60, 80, 100, 120, 140, 160, 180])
    #expect(lines[40] == "big.iso: 20.0%, 200 B of 1000 B, 5 B/s, 2m40s left")
  }

  @Test func atMostOneInTenSeconds() {
    let lines = lines(0...30) { Int64($0) * 30 }
    #expect(lines.keys.sorted() == [10, 20, 30])
  }

  @Test func atLeastOneInFiveMinutes() {
    #expect(lines(0...1000) { Int64($0) / 1000 }.keys.sorted() == [300, 600, 900])
    let unknown = lines(0...400, total: nil) { Int64($0) * 2048 }
    #expect(unknown == [300: "big.iso: 600 KiB, 2.00 KiB/s"])
  }

  @Test func whatStartsAgainBeginsAnew() {
    let lines = lines(0...40) { $0 < 15 ? Int64($0) * 20 : Int64($0 - 15) * 20 }
    #expect(lines.keys.sorted() == [10, 25, 35])
    #expect(lines[25] == "big.iso: 20.0%, 200 B of 1000 B, 20 B/s, 40s left")
  }

  @Test func nothingIsSaidWhileItWaits() {
    var log = ProgressLog()
    let first = TrackerTests.file(1, 0)
    let later = TrackerTests.file(1, 900, .connecting)
    #expect(log.lines([first], now: 0) == [])
    #expect(log.lines([later], now: 1000) == [])
  }
}
