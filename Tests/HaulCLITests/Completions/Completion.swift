import HaulTestKit
import Testing

@testable import HaulCLI

/// What a shell makes of a line that was typed up to its end.
struct Completion {
  /// The words that are offered for the last argument, as they would stand in the line.
  var words: [String] = []
  /// What the shell shows beside a word.
  var texts: [String: String] = [:]
  /// The line as it then stands; fish does not tell.
  var line: String?

  /// What is offered as an argument or its value, without what a shell puts around it: the option
  /// before the value, and the sign that more follows.
  func values(of typed: String) -> Set<String> {
    var offered = words
    if offered.isEmpty, let line, line != typed, let start = typed.lastIndex(of: " ") {
      // bash completes files by itself, in the line.
      offered = [String(line[start...].drop { $0 == " " })]
    }
    return Set(
      offered.map { word in
        var value = word[...]
        if value.hasPrefix("--"), let equals = value.firstIndex(of: "="), value.last != "=" {
          value = value[value.index(after: equals)...]
        }
        while let last = value.last, "=/ ".contains(last) { value.removeLast() }
        return String(value)
      })
  }
}

/// Completes lines in a shell. All lines of a test go into one run, since starting a shell costs more
/// than completing.
struct Completer {
  let shell: Shell
  var commands = CommandDescription.all
  /// What a bash is told not to cut arguments at.
  var unbroken = ""

  /// Asks the shell, in a folder that holds what is in `files`, and returns its answers by line.
  func complete(_ lines: [String], files: [String] = []) async throws -> [String: Completion] {
    let folder = try TemporaryFolder()
    try folder.makeFolder("here")
    for name in files {
      name.hasSuffix("/")
        ? try folder.makeFolder("here/\(name)") : try folder.write([], to: "here/\(name)")
    }
    let environment = try prepare(folder, lines)
    let script = folder.path("run")
    let child =
      switch shell {
      case .bash, .zsh: ("zsh", ["-f", script])
      case .fish: ("fish", ["--no-config", script])
      }
    let outcome = await Outcome(
      of: try ChildProcess(
        child.0, child.1, environment: environment, folder: folder.path("here")))
    #expect(outcome.exit == .exited(0), "\(outcome.error)")
    #expect(outcome.error == "")
    #expect(folder.names(in: "here").count == files.count, "a shell ran what it was to show")
    let results = try #require(folder.text("results"))
    return read(results)
  }

  private func prepare(_ folder: TemporaryFolder, _ lines: [String]) throws -> [String: String] {
    var environment = Haul.environment
    environment["LANG"] = "C.UTF-8"
    environment["TERM"] = "xterm"
    environment["NO_BREAKS"] = unbroken.isEmpty ? "\u{1}" : unbroken
    environment["HOME"] = folder.path
    try folder.makeFolder("functions")
    for (name, file, text) in [
      ("RESULTS", "results", ""), ("CASES", "cases", lines.map { $0 + "\n" }.joined()),
      // zsh finds it by its name, as it does when it is installed.
      ("SCRIPT", "functions/_haul", shell.completions(commands)),
      ("RCFILE", "start", shell == .bash ? ShellScripts.bashStart : ShellScripts.zshStart),
    ] {
      try folder.write(text: text, to: file)
      environment[name] = folder.path(file)
    }
    environment["FUNCTIONS"] = folder.path("functions")
    let script =
      switch shell {
      case .bash: ShellScripts.bash
      case .zsh: ShellScripts.zsh
      case .fish: ShellScripts.fish
      }
    try folder.write(text: script, to: "run")
    return environment
  }

  private func read(_ results: String) -> [String: Completion] {
    var completions: [String: Completion] = [:]
    var typed = ""
    for line in results.split(separator: "\n") {
      let rest = line.dropFirst()
      switch line.first {
      case ">":
        typed = String(rest)
        completions[typed] = Completion()
      case "+":
        let word = rest.prefix { $0 != "\t" }
        completions[typed]?.words.append(String(word))
        completions[typed]?.texts[String(word)] = String(rest.dropFirst(word.count))
      case "=": completions[typed]?.line = String(rest)
      default: break
      }
    }
    return completions
  }
}
