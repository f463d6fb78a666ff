import FoundationEssentials
import HaulTestKit

extension Session {
  /// What is profiled: the work and Haul's options.
  static let profiled: [(workload: String, contestant: Contestant)] = [
    ("large-plain", .haul(isDurable: true, connections: 1)),
    ("large-plain", .haul(isDurable: true, isChecked: true, connections: 1)),
    ("large-plain-8", .haul(isDurable: true, connections: 8)),
    ("large-tls", .haul(isDurable: true, connections: 1)),
    ("10k-plain-memory", .haul(isDurable: false)),
    ("10k-plain-disk", .haul(isDurable: true)),
  ]

  /// Shows where Haul's time goes; the exit status.
  func profile(_ workloads: [Workload]) async throws -> Int32 {
    guard let profiler = try await Profiler.find(path: Self.path) else {
      throw Options.Usage(message: "neither perf nor valgrind works here")
    }
    let rules = try StageRules(String(contentsOfFile: options.rules, encoding: .utf8))
    let authority = try TestAuthority()
    var report = ProfileReport(
      date: Date.now.formatted(.iso8601), isQuick: options.isQuick, profiler: profiler,
      stages: rules.stages, columns: [])
    for (name, contestant) in Self.profiled {
      guard let workload = workloads.first(where: { $0.name == name }) else { continue }
      Terminal.message("\(name), \(contestant.label): profiling")
      report.columns.append(
        try await column(workload, contestant, profiler, rules, authority))
    }
    report.names = try await readableNames(report)
    Terminal.result(report.text)
    if options.only.isEmpty, !options.isDry { try document(.profile, report.text) }
    return 0
  }

  private func column(
    _ workload: Workload, _ contestant: Contestant, _ profiler: Profiler, _ rules: StageRules,
    _ authority: TestAuthority
  ) async throws -> ProfileReport.Column {
    let folder = workload.destination == .disk ? options.disk : options.memory
    let stage = try await Stage(
      workload, folder: folder, authority: authority, pacer: options.pacer)
    guard let haul = installation[.haul], try stage.add(contestant, path: haul.path),
      let command = stage.commands[contestant]
    else { throw KitError("\(contestant.label) cannot do \(workload.name)") }
    let file = "\(options.memory)/profile"
    try stage.output.prepare()
    let outcome = try await launch.run(profiler.recording(command, into: file))
    let fault = stage.served.flatMap { stage.output.fault($0.files) }
    try stage.output.remove()
    if case .failed(let how) = outcome { throw KitError("\(contestant.label): \(how)") }
    if let fault { throw KitError("\(contestant.label): \(fault)") }
    var column = ProfileReport.Column(
      workload: workload.name, contestant: contestant.label, profile: Profile())
    try await profiler.read(file, rules, into: &column.profile)
    return column
  }

  /// The names of Swift functions as people write them, where the toolchain is at hand.
  private func readableNames(_ report: ProfileReport) async throws -> [String: String] {
    let symbols = Set(
      report.columns.flatMap { $0.profile.costliest(ProfileReport.listed) }
        .map(\.function.frame.symbol).filter { $0.hasPrefix("$s") }
    ).sorted()
    guard !symbols.isEmpty, Installation.locate("swift", in: Self.path) != nil else { return [:] }
    let child = try ChildProcess("swift", ["demangle", "--compact", "--simplified"] + symbols)
    guard await child.wait() == .exited(0) else { return [:] }
    let names = child.outputText.split(separator: "\n").map(String.init)
    return names.count == symbols.count
      ? Dictionary(uniqueKeysWithValues: zip(symbols, names)) : [:]
  }
}
