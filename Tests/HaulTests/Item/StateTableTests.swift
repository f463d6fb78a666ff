import Foundation
import HaulRecords
import Testing

@testable import Haul

/// `docs/STATES.md` says what the machine does. `HAUL_WRITE_TABLES=1` writes its table anew.
@Suite struct StateTableTests {
  static let path = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("docs/STATES.md").path

  static let marks = ["<!-- transitions -->", "<!-- end of transitions -->"]

  @Test func thePageHasTheTransitionsOfTheMachine() throws {
    var page = try String(contentsOfFile: Self.path, encoding: .utf8)
      .components(separatedBy: "\n")
    let first = try #require(page.firstIndex(of: Self.marks[0]))
    let end = try #require(page.firstIndex(of: Self.marks[1]))
    if ProcessInfo.processInfo.environment["HAUL_WRITE_TABLES"] == "1" {
      page.replaceSubrange((first + 1)..<end, with: [""] + StateTable.lines + [""])
      try page.joined(separator: "\n").write(
        toFile: Self.path, atomically: true, encoding: .utf8)
      return
    }
    let written = page[(first + 1)..<end].filter { !$0.isEmpty }
    for (line, expected) in zip(written, StateTable.lines) { #expect(line == expected) }
    #expect(written.count == StateTable.lines.count)
  }

  @Test func thePageNamesAllStatesReasonsAndWishes() throws {
    let page = try String(contentsOfFile: Self.path, encoding: .utf8)
    let words =
      DownloadState.allCases.map(\.rawValue) + WaitReason.allCases.map(\.rawValue)
      + ItemMachine.Wish.allCases.map { "\($0)" } + ItemMachine.Hold.allCases.map { "\($0)" }
      + ItemMachine.Outlook.allCases.map { "\($0)" }
      + ItemMachine.Command.allCases.map { "\($0)" }
    for word in words { #expect(page.contains("`\(word)`"), "\(word)") }
  }
}
