import HaulTestKit
import Testing

@testable import HaulCLI

/// What the program says of itself.
@Suite(.timeLimit(.minutes(1))) struct HelpTests {
  func help(_ arguments: String...) async throws -> String {
    let folder = try TemporaryFolder()
    let outcome = try await Haul.run(arguments, in: folder.path)
    #expect(outcome.exit == .exited(0))
    #expect(outcome.error == "")
    return outcome.output
  }

  @Test func theShortHelpFitsATerminal() async throws {
    let lines = try await help("get", "--help").split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 24)
    #expect(lines.allSatisfy { $0.count < 80 })
  }

  @Test func theLongHelpHasEveryOption() async throws {
    let all = try await help("help", "all")
    for option in GetOptionTable.all {
      #expect(all.contains(OptionNames.text(option)), "\(option.long)")
      #expect(all.contains(option.summary.split(separator: " ")[0]), "\(option.long)")
    }
    #expect(try await help("get", "--help=all") == all)
    #expect(try await help("get", "--help", "all") == all)
    #expect(all.split(separator: "\n").allSatisfy { $0.count < 80 })
  }

  @Test(arguments: HelpTopic.names)
  func everyTopicHasAText(_ topic: String) async throws {
    let text = try await help("help", topic)
    #expect(text.split(separator: "\n").count >= 3)
    #expect(text.split(separator: "\n").allSatisfy { $0.count < 80 })
    #expect(try await help("get", "--help=\(topic)") == text)
    #expect(try await help("get", "http://127.0.0.1:1/", "--help", topic) == text)
  }

  @Test func helpIsThereThoughTheSettingsAreWrong() async throws {
    let text = try await help("get", "--config", "/does/not/exist", "-h")
    #expect(text.hasPrefix("haul get [OPTION]... URL..."))
  }
}
