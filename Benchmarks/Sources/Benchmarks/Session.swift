import FoundationEssentials
import HaulTestKit

/// One call of the program: what it found, and what it does with the results.
struct Session {
  let options: Options
  let installation: Installation
  let machine: Machine

  /// Looks for the programs.
  init(_ options: Options) async throws {
    self.options = options
    machine = Machine(disk: options.disk)
    installation = try await Installation.find(
      own: [.haul: options.haul, .receiver: options.receiver], path: Self.path)
    guard installation[.haul] != nil else {
      throw Options.Usage(message: "\(options.haul) does not run; Benchmarks/run builds it")
    }
  }

  /// Runs the workloads and shows how Haul compares; the exit status.
  func compare(_ workloads: [Workload]) async throws -> Int32 {
    let earlier = try options.earlier.map(Self.read)
    var results = Results(
      date: Date.now.formatted(.iso8601), isQuick: options.isQuick, rounds: options.scale.rounds,
      seed: options.seed, machine: machine, versions: try await versions())
    var runner = Runner(
      installation: installation, launch: launch,
      folders: [.disk: options.disk, .memory: options.memory],
      authority: try TestAuthority(), pacer: options.pacer, random: SplitMix64(seed: options.seed),
      report: Terminal.message)
    for workload in workloads {
      results.calibration += await Calibration.turns(10, processors: machine.processors)
      let rounds = options.scale.rounds * (workload.isStart ? options.scale.roundsOfStarts : 1)
      results.outcomes.append(try await runner.run(workload, rounds: rounds))
    }
    results.calibration += await Calibration.turns(10, processors: machine.processors)
    return try show(results, since: earlier)
  }

  private func show(_ results: Results, since earlier: Results?) throws -> Int32 {
    let report = Report(results)
    Terminal.result(report.text)
    if let earlier {
      let old = Report(earlier)
      Terminal.result("\n### Since \(earlier.date)\n\n\(Change.table(from: old, to: report).text)")
      if earlier.isQuick != results.isQuick {
        Terminal.message("one of the two was a quick run: they do not compare")
      }
    }
    if let json = options.json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      try encoder.encode(results).write(to: URL(filePath: json))
    }
    if options.only.isEmpty, !options.isDry { try document(.results, report.text) }
    return report.hasFailedHaul ? 1 : 0
  }

  /// Writes a section of the document.
  func document(_ section: Document.Section, _ text: String) throws {
    let old = (try? String(contentsOfFile: options.document, encoding: .utf8)) ?? ""
    try Document.replace(section, by: text, in: old)
      .write(toFile: options.document, atomically: true, encoding: .utf8)
  }

  private static func read(_ path: String) throws -> Results {
    guard let bytes = FileManager.default.contents(atPath: path),
      let results = try? JSONDecoder().decode(Results.self, from: bytes)
    else { throw Options.Usage(message: "\(path) holds no raw results of an earlier run") }
    return results
  }

  /// Where programs are looked for.
  static var path: String {
    (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin") + ":/usr/sbin"
  }

  /// Runs programs in an environment where nothing of the user's changes what they do.
  var launch: Launch {
    Launch(
      launcher: options.launcher,
      environment: ["PATH": Self.path, "HOME": options.disk, "LC_ALL": "C"])
  }

  private func versions() async throws -> [String: String] {
    var versions: [String: String] = [:]
    for program in Program.allCases where program != .receiver {
      versions[program.rawValue] = installation[program]?.version ?? "(not installed)"
    }
    let nginx = try ChildProcess(Installation.locate("nginx", in: Self.path) ?? "nginx", ["-v"])
    await nginx.wait()
    versions["nginx"] = Program.version(in: nginx.errorText) ?? "of unknown version"
    return versions
  }
}
