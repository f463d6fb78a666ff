import Testing

@testable import Benchmarks

@Suite struct StatisticsTests {
  @Test func theMedianIsTheMiddle() {
    #expect(Statistics.median([3, 1, 2]) == 2)
    #expect(Statistics.median([4, 1, 3, 2]) == 2.5)
    #expect(Statistics.median([7]) == 7)
    #expect(Statistics.median([]) == nil)
  }

  @Test func theSpreadIsThatOfTheValues() {
    let statistics = Statistics([5, 1, 2, 3, 100])
    #expect(statistics?.median == 3)
    #expect(statistics?.least == 1)
    #expect(statistics?.greatest == 100)
    #expect(Statistics([]) == nil)
  }

  @Test func theSameSeedGivesTheSameOrder() {
    func order(_ seed: UInt64) -> [Int] {
      var random = SplitMix64(seed: seed)
      return Array(0..<50).shuffled(using: &random)
    }
    #expect(order(1) == order(1))
    #expect(order(1) != order(2))
    // The first value for the seed 0, as published with the algorithm.
    var random = SplitMix64(seed: 0)
    #expect(random.next() == 0xE220_A839_7B1D_CDAF)
  }

  @Test func aSteadyMachineIsNotBusy() throws {
    let turns = [1, 1.02, 1.01, 1.02, 1.03, 1.02, 1.03, 1.01, 1.02, 1.04, 1.4]
    let steady = try #require(Steadiness(turns))
    #expect(!steady.isBusy)
    #expect(abs(steady.usual - 0.02) < 1e-9)
    #expect(abs(steady.often - 0.04) < 1e-9)
    #expect(abs(steady.worst - 0.4) < 1e-9)
    #expect(Steadiness([]) == nil)
  }

  /// Builds on the same machine took half of it in bursts, and the median of the turns was that
  /// of the pauses between them.
  @Test func burstsMakeAMachineBusy() throws {
    let turns = [1, 1.02, 1.01, 1.02, 1.03, 1.02, 1.03, 1.01, 1.9, 2.1]
    let busy = try #require(Steadiness(turns))
    #expect(busy.usual < 0.03)
    #expect(busy.isBusy)
  }
}
