/// What changed between two runs, by their ratios: times of two runs do not compare.
enum Change {
  static func table(from old: Report, to new: Report) -> MarkdownTable {
    var table = MarkdownTable(["row", "Haul", "against", "wall", "", "CPU", ""])
    for row in new.rows {
      guard
        let earlier = old.rows.first(where: {
          $0.workload == row.workload && $0.subject == row.subject && $0.rivals == row.rivals
        })
      else { continue }
      table.add(
        [row.workload, row.subject, row.against]
          + cells(earlier.wall, row.wall) + cells(earlier.cpu, row.cpu))
    }
    return table
  }

  /// Both ratios, and whether they can be told apart.
  private static func cells(_ old: Ratio?, _ new: Ratio?) -> [String] {
    guard let old, let new, old.value > 0 else { return ["–", ""] }
    let word =
      switch Verdict(new.value / old.value, target: nil) {
      case .faster: "better"
      case .slower: "worse"
      default: "as before"
      }
    return ["\(Number.ratio(old.value)) → \(Number.ratio(new.value))", word]
  }
}
