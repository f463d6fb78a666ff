/// What `haul help` and `--help` can explain.
enum HelpTopic: Equatable {
  case overview
  case get
  case all
  /// A group of options.
  case group(OptionTopic)
  /// A text of its own.
  case text(String)

  /// The words that ask for a topic.
  static let names = ["all"] + OptionTopic.allCases.map(\.rawValue) + HelpTexts.all.map(\.topic)

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
      throw UsageError(
        "there is no help on “\(name)”; there is on \(Self.names.joined(separator: ", "))")
    }
  }
}
