/// Which stage of the work a function belongs to.
struct StageRules: Sendable, Hashable {
  /// What a pattern is compared with.
  enum Subject: String, Sendable {
    /// The function that was running.
    case symbol
    /// The file that this function comes from.
    case object
    /// This function and all that called it.
    case chain
  }

  struct Condition: Sendable, Hashable {
    var subject: Subject
    var pattern: Pattern

    func holds(for chain: [Frame]) -> Bool {
      switch subject {
      case .symbol: chain.first.map { pattern.matches($0.symbol) } ?? false
      case .object: chain.first.map { pattern.matches($0.object) } ?? false
      case .chain: chain.contains { pattern.matches($0.symbol) }
      }
    }
  }

  struct Rule: Sendable, Hashable {
    var stage: String
    /// All have to hold.
    var conditions: [Condition]
  }

  /// A text that has to be equal; a star at an end stands for any characters there.
  struct Pattern: Sendable, Hashable {
    private let text: String
    private let isOpenBefore: Bool
    private let isOpenBehind: Bool

    /// Nil when there is a star elsewhere.
    init?(_ pattern: some StringProtocol) {
      isOpenBefore = pattern.hasPrefix("*")
      isOpenBehind = pattern.hasSuffix("*")
      text = String(pattern.dropFirst(isOpenBefore ? 1 : 0).dropLast(isOpenBehind ? 1 : 0))
      if text.contains("*") { return nil }
    }

    func matches(_ other: String) -> Bool {
      switch (isOpenBefore, isOpenBehind) {
      case (false, false): other == text
      case (false, true): other.hasPrefix(text)
      case (true, false): other.hasSuffix(text)
      case (true, true): other.contains(text)
      }
    }
  }

  struct Malformed: Error, Hashable, CustomStringConvertible {
    var line: Int
    var description: String {
      "line \(line) of the rules is not a stage with subjects and patterns"
    }
  }

  /// What belongs to no rule.
  static let other = "other"

  let rules: [Rule]

  /// Reads lines `STAGE TAB SUBJECT TAB PATTERN`, with more pairs of subject and pattern where
  /// several conditions have to hold; blank lines and those that begin with `#` are skipped.
  init(_ text: String) throws(Malformed) {
    var rules: [Rule] = []
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where !line.isEmpty && !line.hasPrefix("#") {
      var parts = line.split(separator: "\t")[...]
      guard let stage = parts.popFirst(), !parts.isEmpty else { throw Malformed(line: index + 1) }
      var conditions: [Condition] = []
      while let word = parts.popFirst() {
        guard let subject = Subject(rawValue: String(word)),
          let pattern = parts.popFirst().flatMap({ Pattern($0) })
        else { throw Malformed(line: index + 1) }
        conditions.append(Condition(subject: subject, pattern: pattern))
      }
      rules.append(Rule(stage: String(stage), conditions: conditions))
    }
    self.rules = rules
  }

  /// The stages in the order of the rules, then that of the rest.
  var stages: [String] {
    var seen: Set<String> = []
    return (rules.map(\.stage) + [Self.other]).filter { seen.insert($0).inserted }
  }

  /// The stage of the first rule that fits a function that was running, followed by its caller,
  /// and so on.
  func stage(of chain: [Frame]) -> String {
    rules.first { $0.conditions.allSatisfy { $0.holds(for: chain) } }?.stage ?? Self.other
  }
}
