/// What a group of options is about: the words that ask for help on it, `haul help TOPIC`.
enum OptionTopic: String, CaseIterable {
  case destination, lists, integrity, request, access, connection, effort, display

  /// What stands above its options.
  var title: String {
    switch self {
    case .destination: "Where it goes"
    case .lists: "Many files"
    case .integrity: "What must be right"
    case .request: "How it is asked for"
    case .access: "Who asks"
    case .connection: "How it connects"
    case .effort: "How hard it tries"
    case .display: "What is shown"
    }
  }
}

/// Options that belong together.
struct OptionGroup: Sendable {
  let topic: OptionTopic
  let options: [Option]

  var title: String { topic.title }
}

/// Every option of `haul get`: the one place where they are declared.
enum GetOptionTable {
  static let groups = [
    OptionGroup(topic: .destination, options: destination),
    OptionGroup(topic: .lists, options: lists),
    OptionGroup(topic: .integrity, options: integrity),
    OptionGroup(topic: .request, options: request),
    OptionGroup(topic: .access, options: access),
    OptionGroup(topic: .connection, options: connection),
    OptionGroup(topic: .effort, options: effort),
    OptionGroup(topic: .display, options: display),
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
