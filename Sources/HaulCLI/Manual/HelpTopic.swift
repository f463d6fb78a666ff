/// What `haul help` and `--help` can explain.
enum HelpTopic: Equatable {
  case overview
  case get
  case all
  /// Another command.
  case command(Command)
  /// A group of options.
  case group(OptionTopic)
  /// A text of its own.
  case text(String)

  /// The words that ask for a topic, each with what it is about.
  static let summaries: [(word: String, meaning: String)] =
    [("all", "everything")]
    + OptionTopic.allCases.map { ($0.rawValue, $0.title) }
    + HelpTexts.all.map { ($0.topic, $0.title) }

  /// The words that ask for a topic.
  static let names = summaries.map(\.word)

  init(argument: String?) throws(UsageError) {
    if let group = argument.flatMap(OptionTopic.init(rawValue:)) {
      self = .group(group)
      return
    }
    switch argument {
    case nil, "", "get": self = .get
    case "all": self = .all
    case let name? where HelpTexts.all.contains { $0.topic == name }: self = .text(name)
    case let name?:
      guard let command = Command(rawValue: name) else {
        throw UsageError(
          "there is no help on “\(name)”; there is on \(Self.names.joined(separator: ", "))")
      }
      self = .command(command)
    }
  }
}
