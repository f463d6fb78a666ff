import HaulTestKit

/// Profiles as text.
struct ProfileReport: Sendable {
  struct Column: Sendable, Hashable {
    var workload: String
    var contestant: String
    var profile: Profile
  }

  var date: String
  var isQuick: Bool
  var profiler: Profiler
  var stages: [String]
  var columns: [Column]
  /// Readable names of functions, where there are any.
  var names: [String: String] = [:]

  /// How many functions are listed for each column.
  static let listed = 10

  var text: String {
    """
    \(isQuick ? "**This was a quick run with small files.**\n\n" : "")\
    \(date). Parts of \(profiler.unit).

    \(table.text)
    ### The costliest functions

    \(functions.text)
    """
  }

  private var table: MarkdownTable {
    var table = MarkdownTable(
      ["stage"] + columns.map { "\($0.workload), \($0.contestant)" })
    for stage in stages {
      let shares = columns.map { $0.profile.share(stage) }
      guard shares.contains(where: { $0 >= 0.0005 }) else { continue }
      table.add([stage] + shares.map(Number.percentage))
    }
    table.add(["all"] + columns.map { profiler.amount($0.profile.total) })
    return table
  }

  private var functions: MarkdownTable {
    var table = MarkdownTable(["work", "part", "stage", "function"])
    for column in columns {
      for (function, share) in column.profile.costliest(Self.listed) {
        let symbol = function.frame.symbol
        let object = function.frame.object.split(separator: "/").last ?? ""
        let name = symbol == "[unknown]" ? "in \(object)" : names[symbol] ?? symbol
        table.add([
          "\(column.workload), \(column.contestant)", Number.percentage(share), function.stage,
          "`\(name.count > 70 ? "\(name.prefix(69))…" : name)`",
        ])
      }
    }
    return table
  }
}
