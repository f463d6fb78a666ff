import HaulSystem
import Testing

@Suite struct RateMeterTests {
  @Test func aSteadyRateIsKnownAtOnce() {
    var meter = RateMeter()
    meter.note(0, at: 100)
    #expect(meter.rate == nil)
    meter.note(50, at: 100.1)
    #expect(meter.rate.map { abs($0 - 500) < 0.001 } == true)
  }

  @Test func itIsSmooth() {
    var meter = RateMeter()
    var count: Int64 = 0
    var rates: [Double] = []
    // Bursts of half a second, and as long nothing.
    for tenth in 0..<200 {
      if tenth % 10 < 5 { count += 200 }
      meter.note(count, at: Double(tenth) / 10)
      if tenth > 100, let rate = meter.rate { rates.append(rate) }
    }
    #expect(rates.allSatisfy { (800...1200).contains($0) }, "\(rates)")
    // It can be read: it changes twice a second.
    #expect(Set(rates).count <= 22)
  }

  @Test func itFollowsWithinSeconds() {
    var meter = RateMeter()
    for second in 0...20 { meter.note(Int64(second) * 1000, at: Double(second)) }
    for second in 21...40 { meter.note(20_000, at: Double(second)) }
    #expect(meter.rate.map { $0 < 20 } == true)
  }

  @Test func timeInWhichTheProgramWasStoppedDoesNotCount() {
    var meter = RateMeter()
    for second in 0...10 { meter.note(Int64(second) * 1000, at: Double(second)) }
    for second in 11...13 { meter.note(Int64(second) * 1000, at: Double(second) + 3600) }
    #expect(meter.rate.map { abs($0 - 1000) < 0.001 } == true)
  }

  @Test func aCountThatFallsIsNoNegativeRate() {
    var meter = RateMeter()
    meter.note(1000, at: 0)
    meter.note(0, at: 1)
    meter.note(100, at: 2)
    #expect(meter.rate == 100)
    meter.note(100, at: 2)
    #expect(meter.rate == 100)
  }
}
