import HaulTestKit
import Testing

/// A terminal with a shell in it: a tmux server of its own, which ends with the test.
final class Tmux: Sendable {
  let folder: TemporaryFolder
  private let server: ChildProcess
  private let socket: String

  /// Starts a shell whose `$haul` is the program, with `variables` besides its own.
  init(
    columns: Int, rows: Int = 24, in folder: TemporaryFolder, _ variables: [String: String] = [:]
  ) async throws {
    self.folder = folder
    // Not in the folder of the test, which is looked at.
    let own = try TemporaryFolder()
    socket = own.path("socket")
    server = try ChildProcess(
      "tmux", ["-D", "-f", "/dev/null", "-S", socket], environment: Haul.environment)
    #expect(await eventually { own.names().contains("socket") })
    self.own = own
    var environment = Haul.environment
    environment["TERM"] = "tmux-256color"
    environment["LANG"] = "C.UTF-8"
    environment["PS1"] = "$ "
    environment["haul"] = Haul.path
    environment.merge(variables) { $1 }
    let words = environment.map { "\($0.key)=\($0.value)" }
    try await run(
      ["new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "-c", folder.path, "env", "-i"]
        + words + ["bash", "--norc", "--noprofile"])
    #expect(await shows { $0.first?.hasPrefix("$") == true })
  }

  private let own: TemporaryFolder

  @discardableResult
  private func run(_ arguments: [String]) async throws -> String {
    let outcome = await Outcome(
      of: try ChildProcess("tmux", ["-u", "-S", socket] + arguments, environment: Haul.environment))
    try #require(outcome.exit == .exited(0), "\(outcome.error)")
    return outcome.output
  }

  /// Types a line and presses Enter.
  func type(_ line: String) async throws {
    try await run(["send-keys", "-l", line])
    try await run(["send-keys", "Enter"])
  }

  /// Presses a key, such as `C-c`.
  func press(_ key: String) async throws { try await run(["send-keys", key]) }

  func resize(columns: Int) async throws { try await run(["resize-window", "-x", "\(columns)"]) }

  /// A variable of tmux, such as `cursor_flag`.
  func value(_ name: String) async throws -> String {
    try await run(["display-message", "-p", "#{\(name)}"]).trimmingLineEnd
  }

  /// What is read of the terminal.
  enum View {
    /// What is on the screen.
    case screen
    /// That, and what has scrolled out of it.
    case all
    /// The same, with lines put together that the terminal broke.
    case joined
    /// The same as `all`, with escape sequences for colours.
    case coloured

    fileprivate var options: [String] {
      switch self {
      case .screen: ["-p"]
      case .all: ["-p", "-S", "-"]
      case .joined: ["-p", "-S", "-", "-J"]
      case .coloured: ["-p", "-S", "-", "-e"]
      }
    }
  }

  /// The lines, without empty ones at the end and blanks at theirs.
  func lines(_ view: View = .all) async throws -> [String] {
    var lines = try await run(["capture-pane"] + view.options).split(
      separator: "\n", omittingEmptySubsequences: false)
    while let last = lines.last, last.allSatisfy({ $0 == " " }) { lines.removeLast() }
    return lines.map { line in
      var line = line
      while line.last == " " { line.removeLast() }
      return String(line)
    }
  }

  /// Waits until the lines are as they should be; false when they never are.
  func shows(_ condition: ([String]) -> Bool) async -> Bool { await shows(.all, condition) }

  /// The same in a view of its own.
  func shows(_ view: View, _ condition: ([String]) -> Bool) async -> Bool {
    let clock = ContinuousClock()
    let deadline = clock.now.advanced(by: .seconds(20))
    while clock.now < deadline {
      if let lines = try? await lines(view), condition(lines) {
        return true
      }
      try? await Task.sleep(for: .milliseconds(30))
    }
    if let lines = try? await lines(view) { Issue.record("\(lines.joined(separator: "\n"))") }
    return false
  }

  /// Waits until the shell asks for the next command, on a line of its own.
  func isBack() async -> Bool { await shows { $0.last == "$" && $0.count > 1 } }
}

extension String {
  fileprivate var trimmingLineEnd: String { hasSuffix("\n") ? String(dropLast()) : self }
}

extension [String] {
  /// The lines that begin with a text.
  func starting(_ text: String) -> [String] { filter { $0.hasPrefix(text) } }

  /// Whether some line is part of a bar.
  var haveBars: Bool { contains { $0.contains("━") || $0.contains("──") || $0.contains("[=") } }
}
