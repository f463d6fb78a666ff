import HaulTransfer

/// The failures of a run, to be told once more at its end, those of one kind together.
struct FailureList {
  private struct Group {
    let code: String
    var messages: [String] = []
    var count = 0
  }

  private var groups: [Group] = []
  private(set) var count = 0

  /// The failures that are told again.
  static let longest = 20

  mutating func add(_ code: String, _ message: String) {
    let index = groups.firstIndex { $0.code == code } ?? groups.count
    if index == groups.count { groups.append(Group(code: code)) }
    groups[index].count += 1
    count += 1
    if groups[index].messages.count < Self.longest { groups[index].messages.append(message) }
  }

  /// A line for each kind, and one for each failure, as many as are told of any kind: every kind has
  /// its share.
  var lines: [StyledLine] {
    let shown = shares
    return groups.indices.flatMap { index in
      let group = groups[index]
      // In words: a number alone behind the kind would look like the exit status.
      let count = group.count > 1 ? ", \(group.count) files" : ""
      var head = StyledLine("failed", .bad)
      head.add(" [\(group.code)]\(count):")
      let messages = group.messages.prefix(shown[index])
      let rest = group.count - messages.count
      return [head] + messages.map { StyledLine("  " + Output.harmless($0)) }
        + (rest > 0 ? [StyledLine("  and \(rest) more")] : [])
    }
  }

  /// How many failures of each kind are told: one after another, as long as there is room.
  private var shares: [Int] {
    var shares = groups.map { _ in 0 }
    var room = Self.longest
    while room > 0 {
      let open = groups.indices.filter { shares[$0] < groups[$0].messages.count }
      if open.isEmpty { break }
      for index in open.prefix(room) { shares[index] += 1 }
      room -= open.count
    }
    return shares
  }
}
