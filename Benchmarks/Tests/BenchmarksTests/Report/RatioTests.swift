import Testing

@testable import Benchmarks

@Suite struct RatioTests {
  @Test(arguments: [
    (0.49, 0.5, Verdict.met), (0.5, 0.5, .met), (0.51, 0.5, .tie), (0.57, 0.5, .tie),
    (0.58, 0.5, .missed), (2.4, 2.5, .met),
  ]) func aTargetIsMetTiedOrMissed(_ ratio: Double, _ target: Double, _ verdict: Verdict) {
    #expect(Verdict(ratio, target: target) == verdict)
  }

  @Test(arguments: [
    (0.86, Verdict.faster), (0.88, .tie), (1, .tie), (1.15, .tie), (1.16, .slower),
  ]) func withoutATargetOneIsTheMeasure(_ ratio: Double, _ verdict: Verdict) {
    #expect(Verdict(ratio, target: nil) == verdict)
  }

  @Test func aRatioIsOneOfMediansWithItsRangeOverRounds() throws {
    let ratio = try #require(Ratio([1, 2, 9], to: [4, 4, 3], target: 0.5))
    #expect(ratio.value == 0.5)
    #expect(ratio.range == 0.25...3)
    #expect(ratio.text == "0.50 (0.25–3.00), ≤ 0.50: met")
    #expect(Ratio([1], to: [2], target: nil)?.text == "0.50 (0.50–0.50): faster")
  }

  @Test func withoutFiguresThereIsNoRatio() {
    #expect(Ratio([], to: [1], target: nil) == nil)
    #expect(Ratio([1], to: [], target: nil) == nil)
    #expect(Ratio([1], to: [0], target: nil) == nil)
  }

  @Test(arguments: [
    (0.0, 2, "0.00"), (0.125, 2, "0.13"), (1.999, 2, "2.00"), (12.05, 1, "12.1"), (-0.5, 1, "−0.5"),
    (-0.01, 1, "0.0"), (3.4, 0, "3"), (.infinity, 2, "–"), (.nan, 2, "–"),
  ]) func numbersAreRounded(_ value: Double, _ digits: Int, _ text: String) {
    #expect(Number.fixed(value, digits) == text)
  }

  @Test func timesOfOneLineHaveOneUnit() throws {
    #expect(
      Number.seconds(try #require(Statistics([0.5, 0.25, 1.5]))) == "500.0 ms (250.0–1500.0)")
    #expect(Number.seconds(try #require(Statistics([2, 0.5, 3]))) == "2.00 s (0.50–3.00)")
  }
}
