import Foundation
import HaulHTTP
import HaulTestKit
import HaulTransfer
import Testing

@testable import HaulCLI

/// Commands that the documents show must be right.
@Suite(.timeLimit(.minutes(1))) struct DocumentTests {
  /// The `haul get` commands in inline code and in blocks of code.
  static func commands(in text: String) -> [String] {
    var commands: [String] = []
    var isInBlock = false
    for line in text.split(separator: "\n") {
      if line.hasPrefix("```") {
        isInBlock.toggle()
        continue
      }
      let pieces =
        isInBlock
        ? [line]
        : line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
          .filter { $0.offset % 2 == 1 }.map(\.element)
      for piece in pieces {
        guard let start = piece.range(of: "haul get ") else { continue }
        let command = piece[start.lowerBound...].replacing("\\|", with: "|")
        let end = command.firstIndex { "|>#&;".contains($0) } ?? command.endIndex
        commands.append(String(command[..<end]))
      }
    }
    return commands
  }

  @Test(arguments: [
    "FROM-CURL.md", "FROM-WGET.md", "FROM-ARIA2.md", "TROUBLESHOOTING.md", "../README.md",
  ])
  func everyCommandCanBeRead(_ page: String) async throws {
    let folder = try TemporaryFolder()
    try folder.write(text: "", to: "FILE")
    let commands = Self.commands(in: try Documents.text(page))
    #expect(!commands.isEmpty)
    for command in commands {
      // The shell takes it apart, as it does for a user.
      let words = try Haul.shell("printf '%s\\n' \(command)", in: folder.path)
      _ = await words.wait()
      let arguments = words.outputText.split(separator: "\n").dropFirst(2).map(String.init)
      let line = try GetCommandLine(arguments)
      for given in line.options where !["config", "help"].contains(given.option.long) {
        var options = GetOptions()
        let example =
          Self.examples[given.value ?? ""]
          ?? given.value?.replacing(
            "FILE", with: folder.path("FILE"))
        try given.option.apply(&options, example ?? "yes", given.name)
      }
    }
  }

  /// Words that stand for something in a document.
  static let examples = [
    "N": "5", "S": "5", "sha-256=HEX": "sha-256=\(String(repeating: "0", count: 64))",
    "http://HOST:PORT": "http://127.0.0.1:1", "socks5h://HOST:1080": "socks5h://127.0.0.1:1",
    "http://USER:PASSWORD@HOST:PORT": "http://me:secret@127.0.0.1:1", "cookies.txt": "/dev/null",
    "MIRROR": "http://127.0.0.1:2/x", "URL2": "http://127.0.0.1:2/x", "eth0": "lo",
    "URL.sha256": "http://127.0.0.1:1/x.sha256",
  ]
}
