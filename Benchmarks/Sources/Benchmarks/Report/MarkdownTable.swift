/// A table in Markdown whose columns also line up in plain text.
struct MarkdownTable: Sendable, Hashable {
  private let header: [String]
  private var rows: [[String]] = []

  init(_ header: [String]) {
    self.header = header
  }

  /// Adds a row; missing cells are empty, and those beyond the header are left out.
  mutating func add(_ cells: [String]) {
    let row = cells.prefix(header.count).map {
      $0.replacing("|", with: "\\|").replacing("\n", with: " ")
    }
    rows.append(row + Array(repeating: "", count: header.count - row.count))
  }

  var isEmpty: Bool { rows.isEmpty }

  /// The lines, with a newline after each.
  var text: String {
    let widths = header.indices.map { column in
      max(3, ([header] + rows).map { $0[column].count }.max() ?? 0)
    }
    func line(_ cells: [String]) -> String {
      let padded = zip(cells, widths).map { cell, width in
        cell + String(repeating: " ", count: width - cell.count)
      }
      return "| " + padded.joined(separator: " | ") + " |\n"
    }
    let rule = "|" + widths.map { String(repeating: "-", count: $0 + 2) + "|" }.joined() + "\n"
    return line(header) + rule + rows.map(line).joined()
  }
}
