/// What the program can be told to do.
enum Command: String, CaseIterable {
  case get
  case help
  case manual
  case completions
  case version

  /// What stands after it.
  var arguments: String {
    switch self {
    case .get: "[OPTION]... URL..."
    case .help: "[TOPIC]"
    case .manual: ""
    case .completions: Shell.allCases.map(\.rawValue).joined(separator: "|")
    case .version: ""
    }
  }

  var summary: String {
    switch self {
    case .get: "fetch files; run it again to go on"
    case .help: "explain one thing"
    case .manual: "the manual page: haul manual | man -l -"
    case .completions: "what lets a shell complete commands"
    case .version: "versions of the program and its libraries"
    }
  }

  /// More of it for the manual page and its own help.
  var details: [HelpText.Paragraph] {
    switch self {
    case .get: HelpTexts.aboutGet
    case .help: [.text("Topics are \(HelpTopic.names.joined(separator: ", ")), and the commands.")]
    case .manual: HelpTexts.aboutManual
    case .completions: HelpTexts.aboutCompletions
    case .version: []
    }
  }

  /// What completions offer after it, besides its options.
  var operand: Operand {
    switch self {
    case .get, .manual, .version: .none
    case .help: .one(of: HelpTopic.summaries)
    case .completions: .one(of: Shell.allCases.map { ($0.rawValue, "for \($0.rawValue)") })
    }
  }

  var groups: [OptionGroup] {
    switch self {
    case .get: GetOptionTable.groups
    case .help, .manual, .completions, .version: []
    }
  }

  /// All of it, as the manual page and the completions take it.
  var description: CommandDescription {
    CommandDescription(
      name: rawValue, arguments: arguments, summary: summary, details: details, operand: operand,
      groups: groups)
  }
}

/// A command as the manual page and the completions show it.
struct CommandDescription {
  let name: String
  let arguments: String
  let summary: String
  var details: [HelpText.Paragraph] = []
  var operand = Operand.none
  var groups: [OptionGroup] = []

  /// Every command of the program.
  static var all: [CommandDescription] { Command.allCases.map(\.description) }

  var options: [Option] { groups.flatMap(\.options) }
}

/// What can be completed in the place of an argument that is no option.
enum Operand {
  /// Nothing that could be known before it is typed.
  case none
  /// One of these words, each with what it means.
  case one(of: [(word: String, meaning: String)])
}
