/// What a group of options is about: the words that ask for help on it, `haul help TOPIC`.
enum OptionTopic: String, CaseIterable {
  case destination, lists, integrity, request, access, connection, effort, display
}

/// Options that belong together.
struct OptionGroup: Sendable {
  let topic: OptionTopic
  let title: String
  let options: [Option]
}

/// Every option of `haul get`: the one place where they are declared.
enum GetOptionTable {
  static let groups = [
    OptionGroup(topic: .destination, title: "Where it goes", options: destination),
    OptionGroup(topic: .lists, title: "Many files", options: lists),
    OptionGroup(topic: .integrity, title: "What must be right", options: integrity),
    OptionGroup(topic: .request, title: "How it is asked for", options: request),
    OptionGroup(topic: .access, title: "Who asks", options: access),
    OptionGroup(topic: .connection, title: "How it connects", options: connection),
    OptionGroup(topic: .effort, title: "How hard it tries", options: effort),
    OptionGroup(topic: .display, title: "What is shown", options: display),
  ]

  static let all = groups.flatMap(\.options)

  /// The option of a long name, or of what another program calls it.
  static func option(_ name: String) -> Option? {
    all.first { $0.long == name } ?? all.first { $0.aliases.contains("--" + name) }
  }

  /// The option of a short name, or of what another program calls it.
  static func option(_ letter: Character) -> Option? {
    all.first { $0.short == letter } ?? all.first { $0.aliases.contains("-\(letter)") }
  }

  /// Refuses a second value where it would silently replace the first one.
  static func once<Value>(_ earlier: Value?, _ name: String) throws(UsageError) {
    if earlier != nil { throw UsageError("\(name) was given twice; give it once") }
  }
}
