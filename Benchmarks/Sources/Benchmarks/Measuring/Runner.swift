import HaulTestKit

/// Runs workloads: every contestant in turn, round by round, in random order.
struct Runner {
  var installation: Installation
  var launch: Launch
  /// The folders for what the programs write, by the kind of their file system.
  var folders: [Workload.Destination: String]
  var authority: TestAuthority
  /// The path of the program that serves at a pace.
  var pacer: String
  var random: SplitMix64
  /// Hears what is done at the moment.
  var report: (String) -> Void

  /// Runs one workload in so many rounds, after one that does not count.
  mutating func run(_ workload: Workload, rounds: Int) async throws -> Results.Outcome {
    report("\(workload.name): preparing")
    let stage = try await Stage(
      workload, folder: folders[workload.destination], authority: authority, pacer: pacer)
    var entries = workload.contestants.map { Results.Entry(contestant: $0.label) }
    for (index, contestant) in workload.contestants.enumerated() {
      guard let program = contestant.program else {
        if let ideal = workload.ideal(contestant) {
          entries[index].samples = Array(repeating: ideal, count: rounds)
        } else {
          entries[index].fault = "cannot be computed"
        }
        continue
      }
      guard let copy = installation[program] else {
        entries[index].fault = "not installed"
        continue
      }
      guard try stage.add(contestant, path: copy.path) else {
        entries[index].fault = "cannot do this"
        continue
      }
      entries[index].fault = try await perform(contestant, on: stage).fault
      // Who copies asks no server.
      entries[index].httpVersion = contestant == .copy ? nil : stage.served?.lastProtocol
    }
    for round in stride(from: 1, through: rounds, by: 1) {
      report("\(workload.name): round \(round) of \(rounds)")
      for index in entries.indices.shuffled(using: &random) where entries[index].fault == nil {
        guard workload.contestants[index].program != nil else { continue }
        let (sample, fault) = try await perform(workload.contestants[index], on: stage)
        if let sample { entries[index].samples.append(sample) }
        entries[index].fault = fault
      }
    }
    for entry in entries {
      if let fault = entry.fault { report("\(workload.name): \(entry.contestant): \(fault)") }
    }
    return Results.Outcome(workload: workload.name, entries: entries)
  }

  /// One run, with what is done outside of the measured time.
  private func perform(
    _ contestant: Contestant, on stage: Stage
  ) async throws -> (sample: Sample?, fault: String?) {
    guard let command = stage.commands[contestant] else { return (nil, "no command") }
    try stage.output.prepare()
    let outcome = try await launch.run(command)
    let fault = stage.served.flatMap { stage.output.fault($0.files) }
    try stage.output.remove()
    switch outcome {
    case .failed(let how): return (nil, stage.withoutPaths(how))
    case .done(let sample): return (fault == nil ? sample : nil, fault)
    }
  }
}
