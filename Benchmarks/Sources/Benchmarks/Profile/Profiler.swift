import HaulTestKit

/// A program that finds out where another one spends its time.
enum Profiler: String, Sendable {
  /// Samples of the processor time, the kernel's too.
  case perf
  /// Instructions, without the kernel's.
  case callgrind

  /// Samples a second.
  private static let frequency = 4999

  /// The better one of those that work here; nil when none does.
  static func find(path: String) async throws -> Profiler? {
    if Installation.locate("perf", in: path) != nil {
      let trial = try ChildProcess("perf", ["record", "-q", "-o", "/dev/null", "true"])
      if await trial.wait() == .exited(0) { return .perf }
    }
    return Installation.locate("valgrind", in: path) == nil ? nil : .callgrind
  }

  /// What the figures are parts of.
  var unit: String {
    switch self {
    case .perf: "processor time, \(Self.frequency) samples a second, by perf"
    case .callgrind: "instructions outside of the kernel, by callgrind"
    }
  }

  /// What the weight of a whole profile stands for.
  func amount(_ weight: Double) -> String {
    switch self {
    case .perf: Number.seconds(weight / Double(Self.frequency))
    case .callgrind: "\(Number.fixed(weight / 1e6, 0)) million"
    }
  }

  /// The command that runs another one and records it in a file.
  func recording(_ command: Command, into file: String) -> Command {
    switch self {
    case .perf:
      Command(
        ["perf", "record", "-q", "-g", "-F", "\(Self.frequency)", "-o", file, "--"]
          + command.words)
    case .callgrind:
      Command(
        ["valgrind", "-q", "--tool=callgrind", "--callgrind-out-file=\(file)"]
          + command.words)
    }
  }

  /// Adds what was recorded in a file.
  func read(_ file: String, _ rules: StageRules, into profile: inout Profile) async throws {
    let command =
      switch self {
      case .perf: ["perf", "script", "-i", file, "-F", "ip,sym,dso"]
      case .callgrind: ["callgrind_annotate", "--threshold=100", file]
      }
    let child = try ChildProcess(
      command[0], Array(command.dropFirst()), captureLimit: 1 << 30)
    guard await child.wait() == .exited(0) else {
      throw KitError("\(command[0]) failed: \(child.errorText)")
    }
    switch self {
    case .perf:
      PerfScript.forEachSample(in: child.outputText) { profile.add($0, rules) }
    case .callgrind:
      for line in child.outputText.split(separator: "\n") {
        guard let (frame, count) = CallgrindReport.function(line) else { continue }
        profile.add([frame], weight: count, rules)
      }
    }
  }
}
