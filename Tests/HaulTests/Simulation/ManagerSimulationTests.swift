import Foundation
import HaulRecords
import HaulSQLite
import HaulTestKit
import Testing

@testable import Haul

/// Commands, news, kills and failures of the database in any order. `HAUL_SEED=N` replays one and prints
/// its log; `HAUL_SEEDS=N` runs more of them.
@Suite struct ManagerSimulationTests {
  static let replayed = UInt64(ProcessInfo.processInfo.environment["HAUL_SEED"] ?? "")
  static let count = UInt64(ProcessInfo.processInfo.environment["HAUL_SEEDS"] ?? "") ?? 200

  @Test func nothingIsLostDoubledOrStuckInMemory() {
    run(steps: 450) { _ in MemoryDatabase() }
  }

  @Test func nothingIsLostDoubledOrStuckInSQLite() throws {
    let folder = try TemporaryFolder()
    run(steps: 50, every: 8) { seed in
      do {
        return try SQLiteDatabase(path: folder.path("\(seed).sqlite"))
      } catch {
        Issue.record("\(error)")
        return MemoryDatabase()
      }
    }
  }

  private func run(
    steps: Int, every: UInt64 = 1, _ database: (UInt64) -> any RecordDatabase
  ) {
    let seeds = Self.replayed.map { [$0] } ?? Array(stride(from: 0, to: Self.count, by: Int(every)))
    var total = 0
    for seed in seeds {
      var simulation = ManagerSimulation(seed: seed, database: database(seed))
      simulation.isLogging = Self.replayed != nil
      for _ in 0..<steps where simulation.problems.isEmpty { simulation.step() }
      if simulation.problems.isEmpty { simulation.finish() }
      total += simulation.steps
      for problem in Set(simulation.problems).prefix(3) {
        Issue.record("\(problem); HAUL_SEED=\(seed) replays")
      }
      if !simulation.problems.isEmpty { return }
    }
    #expect(total >= seeds.count * steps)
  }
}
