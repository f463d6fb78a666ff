import Testing

@testable import Benchmarks

@Suite struct RowTests {
  static func entry(_ contestant: Contestant, _ walls: [Double], fault: String? = nil)
    -> Results.Entry
  {
    Results.Entry(
      contestant: contestant.label,
      samples: walls.map { Sample(wall: $0, cpu: $0 / 2, memory: 1024) }, fault: fault)
  }

  static let haul = Contestant.haul(isDurable: true)
  static let comparison = Comparison(haul, toFastest: [.curl, .wget2], wall: 0.5)

  @Test func theFastestPeerCounts() {
    let outcome = Results.Outcome(
      workload: "w",
      entries: [
        Self.entry(Self.haul, [1, 1, 1]), Self.entry(.curl, [3, 3, 3]),
        Self.entry(.wget2, [2, 2, 9]),
      ])
    let row = Row(Self.comparison, of: outcome)
    #expect(row.fastest == "wget2")
    #expect(row.against == "fastest: wget2")
    #expect(row.wall?.value == 0.5)
    #expect(row.wall?.verdict == .met)
    #expect(row.cpu?.target == nil)
    #expect(row.note == nil)
  }

  /// A program that broke off was the fastest one of the table.
  @Test func aPeerThatFailedIsNeverTheFastest() {
    let outcome = Results.Outcome(
      workload: "w",
      entries: [
        Self.entry(Self.haul, [1]), Self.entry(.curl, [3]),
        Self.entry(.wget2, [0.01], fault: "f1.bin is missing"),
      ])
    let row = Row(Self.comparison, of: outcome)
    #expect(row.fastest == "curl")
    #expect(row.note == "wget2: f1.bin is missing")
  }

  @Test func whenHaulFailedThereIsNoRatio() {
    let outcome = Results.Outcome(
      workload: "w",
      entries: [Self.entry(Self.haul, [1], fault: "exit status 4"), Self.entry(.curl, [3])])
    let row = Row(Self.comparison, of: outcome)
    #expect(row.wall == nil)
    #expect(row.note == "haul: exit status 4; wget2 was not run")
  }

  @Test func whenNobodyElseIsLeftThereIsNoRatio() {
    let outcome = Results.Outcome(
      workload: "w",
      entries: [
        Self.entry(Self.haul, [1]), Self.entry(.curl, [], fault: "not installed"),
        Self.entry(.wget2, [], fault: "not installed"),
      ])
    let row = Row(Self.comparison, of: outcome)
    #expect(row.wall == nil)
    #expect(row.against == "curl, wget2")
    #expect(row.note == "curl: not installed; wget2: not installed")
  }
}
