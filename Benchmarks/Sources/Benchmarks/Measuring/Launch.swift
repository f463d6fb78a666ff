import HaulTestKit

/// Runs a program by the launcher, which measures it.
struct Launch: Sendable {
  enum Outcome: Sendable, Hashable {
    case done(Sample)
    /// The program failed; a phrase that says how.
    case failed(String)
  }

  /// The path of the launcher.
  var launcher: String
  /// The whole environment of the programs.
  var environment: [String: String]
  /// After so many seconds a program has failed.
  var limit = 300

  /// Runs a program to its end.
  ///
  /// - Throws: `KitError` when the launcher itself cannot be started.
  func run(_ command: Command) async throws -> Outcome {
    let child = try ChildProcess(
      launcher, ["\(limit)"] + command.words, environment: environment, captureLimit: 65_536)
    guard await child.wait() == .exited(0) else {
      throw KitError("the launcher failed: \(child.errorText)")
    }
    return Self.outcome(line: child.outputText, error: child.errorText)
  }

  /// Reads the launcher's line `WALL USER SYSTEM MEMORY HOW CODE`.
  static func outcome(line: String, error: String) -> Outcome {
    let words = line.split(whereSeparator: \.isWhitespace)
    guard words.count == 6, let wall = Double(words[0]), let user = Double(words[1]),
      let system = Double(words[2]), let memory = Int(words[3]), let code = Int(words[5])
    else { return .failed("the launcher said “\(line)”") }
    let complaint = error.split(whereSeparator: \.isNewline).first.map { ": \($0)" } ?? ""
    switch words[4] {
    case "exited" where code == 0:
      return .done(Sample(wall: wall / 1e9, cpu: (user + system) / 1e9, memory: memory))
    case "exited": return .failed("exit status \(code)\(complaint)")
    case "signalled": return .failed("ended by signal \(code)\(complaint)")
    default: return .failed("did not end in time\(complaint)")
    }
  }
}
