import Foundation
import HaulTestKit
import HaulTransfer
import Testing

/// Thousands of transfers in a simulated world. `HAUL_SEED=N` replays one and prints its log;
/// `HAUL_SEEDS=N` runs more of them.
@Suite struct SimulationTests {
  static let count = UInt64(ProcessInfo.processInfo.environment["HAUL_SEEDS"] ?? "") ?? 3000

  @Test(arguments: 0..<4 as Range<UInt64>)
  func noSeedEndsWithAWrongFileOrNever(_ share: UInt64) throws {
    try check(share, Simulation.run)
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func noReaderGetsAMixture(_ share: UInt64) throws {
    try check(share, StreamSimulation.run)
  }

  private func check(
    _ share: UInt64, _ run: (UInt64) throws -> Simulation.Outcome
  ) throws {
    if let seed = UInt64(ProcessInfo.processInfo.environment["HAUL_SEED"] ?? "") {
      let outcome = try run(seed)
      print((outcome.log + outcome.problems).joined(separator: "\n"))
      #expect(outcome.problems == [])
      return
    }
    var finished = 0
    var codes: [TransferFailure.Code: Int] = [:]
    let seeds = stride(from: share, to: Self.count, by: 4)
    for seed in seeds {
      let outcome = try run(seed)
      for problem in Set(outcome.problems) { Issue.record("\(problem); HAUL_SEED=\(seed) replays") }
      if outcome.isFinished { finished += 1 }
      if let code = outcome.code { codes[code, default: 0] += 1 }
    }
    // A world in which nothing succeeds, or nothing goes wrong, would prove nothing.
    #expect(finished * 10 > Int(Self.count / 4) * 4)
    #expect(codes.count >= 5, "\(codes)")
  }
}
