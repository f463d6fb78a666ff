import Foundation

/// A file of the repository, by lines.
struct Lines {
  let lines: [String]

  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  init(of path: String) throws {
    lines = try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
      .components(separatedBy: "\n")
  }

  /// The blocks of Swift code of a page.
  var swiftBlocks: [[String]] {
    var blocks: [[String]] = []
    var block: [String]?
    for line in lines {
      if let lines = block {
        block = line == "```" ? nil : lines + [line]
        if line == "```" { blocks.append(lines) }
      } else if line == "```swift" {
        block = []
      }
    }
    return blocks
  }

  /// The snippets of a source by their names: their pieces one after another, without their indentation.
  var snippets: [String: [String]] {
    var snippets: [String: [String]] = [:]
    var names: [String] = []
    var piece: [String] = []
    for line in lines {
      let text = line.trimmingCharacters(in: .whitespaces)
      if text.hasPrefix("// snippet: ") {
        names = text.dropFirst("// snippet: ".count).components(separatedBy: ", ")
        piece = []
      } else if text == "// end" {
        for name in names { snippets[name, default: []] += Self.withoutIndentation(piece) }
        names = []
      } else if !names.isEmpty {
        piece.append(line)
      }
    }
    return snippets
  }

  private static func withoutIndentation(_ lines: [String]) -> [String] {
    let filled = lines.filter { !$0.isEmpty }
    let width = filled.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return lines.map { String($0.dropFirst(width)) }
  }
}
