/// What may have been meant by a name that does not exist.
enum Suggestion {
  /// The end of a message: the nearest option, if one is near enough to be meant.
  static func text(for name: String) -> String {
    guard let near = nearest(to: name, among: GetOptionTable.all.map(\.long)) else {
      return "; see haul get --help=all"
    }
    return "; did you mean --\(near)?"
  }

  static func nearest(to name: String, among names: [String]) -> String? {
    let near = names.map { ($0, distance(name, $0)) }.min { $0.1 < $1.1 }
    guard let near, near.1 <= max(1, name.count / 3) else { return nil }
    return near.0
  }

  /// The number of letters to change, add or remove (Levenshtein's distance).
  private static func distance(_ left: String, _ right: String) -> Int {
    var row = Array(0...right.count)
    for (i, a) in left.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, b) in right.enumerated() {
        let cost = min(row[j] + 1, row[j + 1] + 1, diagonal + (a == b ? 0 : 1))
        diagonal = row[j + 1]
        row[j + 1] = cost
      }
    }
    return row[right.count]
  }
}
