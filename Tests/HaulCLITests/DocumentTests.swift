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

  /// Messages as a document quotes them: in quotation marks, or as a block.
  static func quotes(in text: String) -> [String] {
    var quotes: [String] = []
    var block: [Substring] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("> ") {
        block.append(line.dropFirst(2))
      } else if !block.isEmpty {
        quotes.append(block.joined(separator: " "))
        block = []
      }
    }
    return quotes
      + text.split(separator: "“").dropFirst().compactMap {
        $0.split(separator: "”").first.map(String.init)
      }
  }

  /// The texts of the program, as far as they stand in its source.
  static func texts() throws -> String {
    let folder = Documents.root + "/Sources"
    let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return try files.filter { $0.hasSuffix(".swift") }.map { file in
      try String(contentsOfFile: folder + "/" + file, encoding: .utf8)
        .split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: "\n")
        .replacing("\"\n+ \"", with: "").replacing("\\\n", with: "")
    }.joined()
  }

  /// A message was quoted that the program shows in other words.
  @Test func whatIsQuotedIsWhatIsShown() throws {
    let texts = try Self.texts()
    let page = try Documents.text("TROUBLESHOOTING.md")
    let quotes = Self.quotes(in: page)
    #expect(quotes.count >= 6)
    for quote in quotes {
      // What stands before a colon or an ellipsis may be put in.
      for piece in quote.split(separator: "…").flatMap({ $0.split(separator: ": ") }) {
        let words = piece.split(separator: " ").joined(separator: " ")
        #expect(texts.contains(words), "\(quote)")
      }
    }
    for line in page.split(separator: "\n") where line.hasPrefix("## `[") {
      let code = line.dropFirst(5).prefix { $0 != "]" }
      #expect(TransferFailure.Code(rawValue: String(code)) != nil, "\(line)")
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
