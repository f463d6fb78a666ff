import Foundation
import HaulTestKit
import Testing

@testable import Haul

/// Lists in a simulated world, of 150 steps each. `HAUL_SEED=N` replays one and prints its log;
/// `HAUL_SEEDS=N` runs more of them.
@Suite struct ListSimulationTests {
  static let environment = ProcessInfo.processInfo.environment
  static let count = UInt64(environment["HAUL_SEEDS"] ?? "") ?? 800
  static let shares: UInt64 = 4

  private func run(_ seed: UInt64, isLogging: Bool = false) throws -> ListWorld {
    let world = ListWorld(seed: seed, isLogging: isLogging)
    for step in 0..<150 {
      world.note("step \(step)")
      try world.step()
      guard world.problems.isEmpty else { break }
    }
    return world
  }

  @Test(arguments: 0..<shares)
  func noListGetsStuckOrTellsWhatIsNotSo(_ share: UInt64) throws {
    if let seed = UInt64(Self.environment["HAUL_SEED"] ?? "") {
      let world = try run(seed, isLogging: true)
      print(world.log.joined(separator: "\n"))
      #expect(world.problems == [])
      return
    }
    var begun = 0
    var finished = 0
    for seed in stride(from: share, to: Self.count, by: Int(Self.shares)) {
      let world = try run(seed)
      for problem in world.problems { Issue.record("\(problem); HAUL_SEED=\(seed) replays") }
      begun += world.begun
      finished += world.finished
    }
    // A world in which nothing runs, or nothing ends well, would prove nothing.
    #expect(begun > Int(Self.count / Self.shares) * 10)
    #expect(finished * 10 > begun)
  }
}
