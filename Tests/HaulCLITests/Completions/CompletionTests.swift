import HaulTestKit
import Testing

@testable import HaulCLI

/// What every shell completes, asked of the shells themselves.
@Suite(.timeLimit(.minutes(5))) struct CompletionTests {
  let files = ["file.txt", "folder/", "a b.txt"]

  /// Lines that are typed, and what is to be offered.
  func check(_ shell: Shell, _ expected: [String: Set<String>]) async throws {
    let found = try await Completer(shell: shell).complete(expected.keys.sorted(), files: files)
    for (line, values) in expected {
      let completion = try #require(found[line], "\(line)")
      #expect(completion.values(of: line) == values, "\(shell.rawValue): \(line)")
    }
  }

  @Test(arguments: Shell.allCases) func allOptionsAreOffered(_ shell: Shell) async throws {
    try await check(shell, ["haul get --": Set(GetOptionTable.all.map { "--" + $0.long })])
  }

  @Test(arguments: Shell.allCases) func theBeginningOfAnOptionIsEnough(_ shell: Shell) async throws
  {
    let names = GetOptionTable.all.map { "--" + $0.long }
    var expected: [String: Set<String>] = [:]
    for name in names {
      let start = String(name.dropLast())
      expected["haul get http://127.0.0.1/ " + start] = Set(names.filter { $0.hasPrefix(start) })
    }
    try await check(shell, expected)
  }

  @Test(arguments: [Shell.zsh, .fish]) func summariesAreShown(_ shell: Shell) async throws {
    let found = try await Completer(shell: shell).complete(["haul get --", "haul get -", "haul "])
    for option in GetOptionTable.all {
      let long = found["haul get --"]?.texts["--" + option.long]
      #expect(long?.contains(option.summary) == true, "\(option.long): \(long ?? "nothing")")
      for alias in option.aliases { #expect(found["haul get --"]?.texts[alias] == nil) }
      guard let short = option.short else { continue }
      #expect(found["haul get -"]?.texts["-\(short)"] != nil, "\(short)")
    }
    for command in Command.allCases {
      #expect(found["haul "]?.texts[command.rawValue]?.contains(command.summary) == true)
    }
  }

  @Test(arguments: Shell.allCases) func noTextIsTakenForALanguage(_ shell: Shell) async throws {
    let awkward = ManualPageTests.awkward
    let completer = Completer(shell: shell, commands: CommandDescription.all + [awkward])
    let found = try await completer.complete(["haul ", "haul It --", "haul It --no 'x' --"])
    #expect(found["haul "]?.words.contains("It") == true)
    for line in ["haul It --", "haul It --no 'x' --"] {
      #expect(found[line]?.values(of: line) == ["--no", "--x"], "\(line)")
    }
    guard shell != .bash else { return }
    let option = awkward.options[0].summary
    let text = found["haul "]?.texts["It"]
    #expect(text?.contains(awkward.summary) == true, "\(text ?? "nothing")")
    #expect(found["haul It --"]?.texts["--no"]?.contains(option) == true)
  }

  @Test(arguments: Shell.allCases) func valuesAreOffered(_ shell: Shell) async throws {
    var expected: [String: Set<String>] = [:]
    for option in GetOptionTable.all {
      guard let value = option.value else { continue }
      let names = option.names + option.aliases
      var starts = names.filter { $0.hasPrefix("--") }.map { "haul get \($0)=" }
      if !value.isOptional { starts += names.map { "haul get -q \($0) " } }
      for start in starts {
        switch value.kind {
        case .text, .url:
          expected[start] = []
          expected[start + "fi"] = []
        case .file:
          expected[start + "fi"] = ["file.txt"]
          expected[start + "fol"] = ["folder"]
        case .folder:
          expected[start] = ["folder"]
          expected[start + "fi"] = []
        case .choices(let words):
          expected[start] = Set(words)
          for word in words {
            let typed = String(word.dropLast())
            expected[start + typed] = Set(words.filter { $0.hasPrefix(typed) })
          }
        }
      }
    }
    try await check(shell, expected)
  }

  @Test(arguments: Shell.allCases) func flagsTakeNothing(_ shell: Shell) async throws {
    var expected: [String: Set<String>] = [:]
    for option in GetOptionTable.all where option.value?.isOptional ?? true {
      for name in names(option) + option.aliases {
        expected["haul get \(name) --no-con"] = ["--no-config"]
      }
    }
    try await check(shell, expected)
  }

  @Test(arguments: [Shell.bash, .zsh]) func aValueIsNoOption(_ shell: Shell) async throws {
    var expected: [String: Set<String>] = [:]
    for option in GetOptionTable.all where option.value?.isOptional == false {
      for name in names(option) + option.aliases {
        expected["haul get \(name) --no-con"] = []
        expected["haul get \(name) x --no-con"] = ["--no-config"]
      }
    }
    try await check(shell, expected)
  }

  func names(_ option: Option) -> [String] {
    option.names + (option.short.map { ["-q\($0)"] } ?? [])
  }

  @Test(arguments: Shell.allCases) func commandsAndTheirWordsAreOffered(_ shell: Shell) async throws
  {
    let topics = Set(HelpTopic.names)
    try await check(
      shell,
      [
        "haul g": ["get"], "haul comp": ["completions"], "haul --v": ["--version"],
        "haul help ": topics, "haul --help ": topics, "haul help int": ["integrity"],
        "haul completions ": Set(Shell.allCases.map(\.rawValue)),
        "haul completions f": ["fish"],
      ])
    let first = try await Completer(shell: shell).complete(["haul "])["haul "]
    #expect(first?.values(of: "haul ").isSuperset(of: Command.allCases.map(\.rawValue)) == true)
  }

  @Test(arguments: Shell.allCases) func whatIsNotKnownIsNotOffered(_ shell: Shell) async throws {
    try await check(
      shell,
      [
        "haul get fi": [], "haul get http://127.0.0.1/ fi": [], "haul get https:": [],
        "haul get -- ": [], "haul get -- --no-con": [], "haul get -q -- --no-con": [],
        "haul get -- fi": [], "haul nothing ": [], "haul nothing --": [],
        "haul manual ": [], "haul manual fi": [], "haul version --": [],
        "haul completions bash ": [], "haul help exit ": [], "haul get -Z": [],
        "haul fi": [],
      ])
  }

  /// The declaration names the choices, and the parser reads them: both must mean the same words.
  @Test func theParserTakesWhatIsOffered() throws {
    for option in GetOptionTable.all {
      guard case .choices(let words) = option.value?.kind else { continue }
      for word in words {
        #expect(throws: Never.self) {
          try Parser.parse(["--\(option.long)=\(word)", "http://127.0.0.1/"])
        }
      }
      #expect(throws: UsageError.self) {
        try Parser.parse(["--\(option.long)=nonsense", "http://127.0.0.1/"])
      }
    }
    for topic in HelpTopic.names + Command.allCases.map(\.rawValue) {
      #expect(throws: Never.self) { try HelpTopic(argument: topic) }
    }
  }
}
