/// The peak memory of some of Haul's contestants, which share a target.
struct MemoryTarget: Sendable, Hashable {
  /// What they have in common, as a command.
  var name: String
  var contestants: [Contestant]
  /// In MiB.
  var limit: Double
}

extension Workload {
  /// Haul's contestants by their number of connections.
  var memoryTargets: [MemoryTarget] {
    var targets: [MemoryTarget] = []
    for contestant in contestants {
      guard case .haul(_, _, let connections) = contestant,
        let limit = connections.map(Self.memoryLimit) ?? memoryLimit
      else { continue }
      let name = Contestant.haul(isDurable: true, connections: connections).label
      if let index = targets.firstIndex(where: { $0.name == name }) {
        targets[index].contestants.append(contestant)
      } else {
        targets.append(MemoryTarget(name: name, contestants: [contestant], limit: limit))
      }
    }
    return targets
  }

  /// What so many connections to one file may cost, in MiB.
  private static func memoryLimit(connections: Int) -> Double {
    switch connections {
    case ...1: 24
    case ...8: 32
    default: 40
    }
  }
}
