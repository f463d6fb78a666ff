import Foundation
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
    #expect(try await help("--help=all") == all)
    #expect(try await help("help", "--all") == all)
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

  @Test(arguments: Command.allCases) func everyCommandIsExplained(_ command: Command) async throws {
    let text = try await help(command.rawValue, "--help")
    #expect(text.hasPrefix("haul \(command.rawValue)"))
    #expect(text.split(separator: "\n").allSatisfy { $0.count < 80 })
    #expect(try await help("help", command.rawValue) == text)
  }

  func rows(of text: HelpText) -> [(String, String)] {
    var all: [(String, String)] = []
    for case .table(let rows) in text.paragraphs { all += rows }
    return all
  }

  @Test func everyExitStatusIsExplained() throws {
    let rows = rows(of: HelpTexts.exit)
    #expect(rows.map(\.0) == HaulCLI.ExitStatus.allCases.map { "\($0.rawValue)" })
    let page = try String(contentsOfFile: Documents.root + "/README.md", encoding: .utf8)
    for (status, meaning) in rows { #expect(page.contains("| \(status) | \(meaning) |")) }
  }

  @Test func everyEventIsExplained() throws {
    let rows = rows(of: HelpTexts.json)
    let schema = try JSONSerialization.jsonObject(
      with: Data(try Documents.text("events.schema.json").utf8))
    let properties = (schema as? [String: Any])?["properties"] as? [String: [String: Any]]
    #expect(rows.map(\.0) == properties?["event"]?["enum"] as? [String])
  }

  @Test func helpIsThereThoughTheSettingsAreWrong() async throws {
    let text = try await help("get", "--config", "/does/not/exist", "-h")
    #expect(text.hasPrefix("haul get [OPTION]... URL..."))
  }
}
