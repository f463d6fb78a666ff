import HaulTestKit
import Testing

@testable import HaulCLI

/// The manual page, as formatters read it.
@Suite(.timeLimit(.minutes(1))) struct ManualPageTests {
  /// A command whose texts hold all that formatters and shells could take for their own.
  static let awkward = CommandDescription(
    name: "It", arguments: "[OPTION]... a|b FILE",
    summary: "Sh .Sh 'quoted' \"quoted\" \\fB \\n(.x `x` ^ ~ -- - %T | , . ; “x” é € 😀",
    details: [
      .text(
        ".Sh at the start. 'br too. \\&x \\\" no comment. A sentence ends. (--x) --long=a, $HOME/x-y."
      ),
      .text("Nm Fl Ar Xr No Ns Op El . , ; : ! ? ( ) [ ] | Bl"),
      .table([("Fl", "Ar"), (".", "Ns"), ("-", "a  dash"), ("--x, HAUL_X, ~/x", "marked")]),
      .code([".Ed", "'br", "\\e", "", "  indented \"x\" 'y' --z ~", "a -b \\"]),
    ],
    groups: [
      OptionGroup(
        topic: .effort,
        options: [
          Option(
            "no", short: "%", .text("Ar"),
            "it's \"a\" [b]: c\\d $(touch bad) `touch bad` %d; ~ * 'x'",
            details: ".Ss of it."
          ) { _, _, _ in },
          .flag("x", short: ".", "Fl") { _, _ in },
        ])
    ])

  /// What a formatter shows, without the marks of bold and underlined letters.
  func shown(_ page: String, by program: String, _ arguments: [String]) async throws -> String {
    let folder = try TemporaryFolder()
    try folder.write(text: page, to: "haul.1")
    var environment = Haul.environment
    // No line is so long that it is broken, so that texts can be looked for.
    environment["MANWIDTH"] = "10000"
    environment["LC_ALL"] = "C.UTF-8"
    let child = try ChildProcess(
      program, arguments + [folder.path("haul.1")], environment: environment, folder: folder.path)
    let outcome = await Outcome(of: child)
    #expect(outcome.exit == .exited(0), "\(outcome.error)")
    #expect(outcome.error == "")
    return withoutOverstriking(outcome.output)
  }

  func withoutOverstriking(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "\u{8}" { result.removeLast() } else { result.append(scalar) }
    }
    return String(result)
  }

  func byMandoc(_ page: String) async throws -> String {
    try await shown(page, by: "mandoc", ["-Tutf8", "-Owidth=1000"])
  }

  func byGroff(_ page: String) async throws -> String {
    try await shown(page, by: "man", ["--warnings", "-E", "UTF-8", "-l"])
  }

  /// The words of a text, whatever stands between them.
  func words(_ text: String) -> String {
    text.split { $0.isWhitespace }.joined(separator: " ")
  }

  @Test(arguments: [[], [awkward]]) func formattersFindNothingToComplainOf(
    _ more: [CommandDescription]
  ) async throws {
    let page = ManualPage.text(CommandDescription.all + more)
    #expect(page.utf8.allSatisfy { $0 == 0x0A || (0x20..<0x7F).contains($0) })
    #expect(try await shown(page, by: "mandoc", ["-Tlint", "-W", "warning"]) == "")
    _ = try await byGroff(page)
  }

  @Test func theProgramPrintsIt() async throws {
    let folder = try TemporaryFolder()
    let outcome = try await Haul.run(["manual"], in: folder.path)
    #expect(outcome.exit == .exited(0))
    #expect(outcome.output == ManualPage.text())
    #expect(try await Haul.run(["manual", "x"], in: folder.path).exit == .exited(2))
    let full = try Haul.shell("\"$haul\" manual >/dev/full", in: folder.path)
    #expect(await Outcome(of: full).exit == .exited(6))
  }

  @Test func everythingIsShownAsItWasWritten() async throws {
    let page = ManualPage.text()
    for shown in [words(try await byMandoc(page)), words(try await byGroff(page))] {
      for command in Command.allCases {
        #expect(shown.contains("haul \(command.rawValue)"))
        #expect(shown.localized(command.summary))
        check(command.details, in: shown)
      }
      for option in GetOptionTable.all {
        let names = (option.short.map { "-\($0), " } ?? "") + OptionNames.long(option)
        #expect(shown.contains(" \(names) "), "\(names)")
        #expect(shown.localized(option.summary), "\(option.summary)")
        #expect(shown.contains(words(option.explanation)), "\(option.long)")
      }
      for text in HelpTexts.all {
        #expect(shown.contains(text.title.uppercased()))
        check(text.paragraphs, in: shown)
      }
      check(HelpTexts.description + HelpTexts.aboutOptions, in: shown)
    }
  }

  @Test func summariesBecomeSentencesButWhatIsTypedKeepsItsLetters() {
    let page = ManualPage.text()
    #expect(page.contains("\nTrust the certificates in this file.\n"))
    #expect(page.contains("\nhttp://HOST:PORT, socks5h"))
    #expect(page.contains("\nsha\\-256, sha\\-512"))
    for option in GetOptionTable.all {
      guard case .choices(let words) = option.value?.kind else { continue }
      let first = option.summary.prefix { $0.isLetter }
      #expect(!words.contains(String(first)), "\(option.long): a choice would get a capital letter")
    }
  }

  @Test func noTextIsTakenForALanguage() async throws {
    let page = ManualPage.text([Self.awkward])
    let option = Self.awkward.options[0]
    for shown in [words(try await byMandoc(page)), words(try await byGroff(page))] {
      #expect(shown.contains(Self.awkward.summary))
      #expect(shown.contains("haul It [OPTION ...] a | b FILE"))
      check(Self.awkward.details, in: shown)
      #expect(shown.localized(option.summary))
      #expect(shown.contains("-%, --no Ar "))
      #expect(shown.contains("-., --x Fl."))
    }
  }

  @Test func linesOfCodeKeepTheirForm() async throws {
    let page = ManualPage.text([Self.awkward])
    for shown in [try await byMandoc(page), try await byGroff(page)] {
      #expect(shown.contains("  indented \"x\" 'y' --z ~\n"))
      #expect(shown.contains("a -b \\\n"))
      #expect(!shown.contains("\u{2010}"), "a hyphen that no shell understands")
    }
  }

  @Test func severalCommandsWithOptionsHaveSectionsOfTheirOwn() async throws {
    let page = try await byMandoc(ManualPage.text(CommandDescription.all + [Self.awkward]))
    #expect(page.contains("\nGET OPTIONS\n"))
    #expect(page.contains("\nIT OPTIONS\n"))
    #expect(try await byMandoc(ManualPage.text()).contains("\nOPTIONS\n"))
  }

  func check(_ paragraphs: [HelpText.Paragraph], in shown: String) {
    for paragraph in paragraphs {
      switch paragraph {
      case .text(let text): #expect(shown.contains(words(text)), "\(text)")
      case .table(let rows):
        for (term, meaning) in rows {
          #expect(shown.contains(words("\(term) \(meaning)")), "\(term)")
        }
      case .code(let lines): #expect(shown.contains(words(lines.joined(separator: " "))))
      }
    }
  }
}

extension String {
  /// Whether a text stands in it, with or without a capital at its start.
  fileprivate func localized(_ text: String) -> Bool {
    contains(text) || contains(text.prefix(1).uppercased() + text.dropFirst())
  }
}
