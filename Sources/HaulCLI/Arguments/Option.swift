/// One option: its names, its value, its texts, and what it does. Parser, help, manual page,
/// completions, config file and environment are all made of it.
struct Option: Sendable {
  let long: String
  var short: Character?
  /// Its value, or nil for a flag.
  var value: OptionValue?
  /// One line for the help.
  let summary: String
  /// Sentences for the manual page, after the summary.
  let details: String
  let traits: OptionTraits
  /// What other programs call the same, with its dashes; read, but not shown by the short help.
  private(set) var aliases: [String] = []
  /// Takes its value, and the name by which it was given, for messages.
  let apply: @Sendable (inout GetOptions, String, String) throws(UsageError) -> Void

  init(
    _ long: String, short: Character? = nil, _ value: OptionValue, _ summary: String,
    details: String = "", _ traits: OptionTraits = [],
    apply: @escaping @Sendable (inout GetOptions, String, String) throws(UsageError) -> Void
  ) {
    self.long = long
    self.short = short
    self.value = value
    self.summary = summary
    self.details = details
    self.traits = traits
    self.apply = apply
  }

  private init(
    flag long: String, short: Character?, summary: String, details: String, traits: OptionTraits,
    apply: @escaping @Sendable (inout GetOptions, String, String) throws(UsageError) -> Void
  ) {
    self.long = long
    self.short = short
    self.summary = summary
    self.details = details
    self.traits = traits
    self.apply = apply
  }

  /// An option that is given or not. `--NAME=no` takes it back.
  static func flag(
    _ long: String, short: Character? = nil, _ summary: String, details: String = "",
    _ traits: OptionTraits = [], apply: @escaping @Sendable (inout GetOptions, Bool) -> Void
  ) -> Option {
    Option(flag: long, short: short, summary: summary, details: details, traits: traits) {
      (options, value, name) throws(UsageError) in
      apply(&options, try Values.answer(value, of: name))
    }
  }

  /// The same option, also read by the names that it has in other programs.
  func also(_ names: String...) -> Option {
    var option = self
    option.aliases = names
    return option
  }

  /// Its names with their dashes, the short one first.
  var names: [String] { (short.map { ["-\($0)"] } ?? []) + ["--" + long] }

  /// All that there is to say after the summary.
  var explanation: String {
    guard !aliases.isEmpty else { return details }
    let names = "Also understood: \(aliases.joined(separator: ", "))."
    return details.isEmpty ? names : "\(details) \(names)"
  }

  /// The variable that sets it, or nil when it belongs on the command line only.
  var variable: String? {
    guard !traits.contains(.commandLineOnly) else { return nil }
    let letters = long.uppercased().map { $0.isLetter || $0.isNumber ? $0 : "_" }
    return "HAUL_" + String(letters)
  }
}

/// What an option takes.
struct OptionValue: Sendable {
  /// What completions offer.
  enum Kind: Sendable, Equatable {
    case text
    case file
    case folder
    case url
    case choices([String])
  }

  /// Its name in the help: `FILE`.
  let name: String
  let kind: Kind
  /// Whether the option may stand without it; then it follows `=` only.
  let isOptional: Bool

  private init(_ name: String, _ kind: Kind, isOptional: Bool = false) {
    self.name = name
    self.kind = kind
    self.isOptional = isOptional
  }

  static func text(_ name: String) -> OptionValue { OptionValue(name, .text) }
  static func file(_ name: String) -> OptionValue { OptionValue(name, .file) }
  static func folder(_ name: String) -> OptionValue { OptionValue(name, .folder) }
  static func url(_ name: String) -> OptionValue { OptionValue(name, .url) }

  static func choices(_ name: String, _ values: [String], isOptional: Bool = false) -> OptionValue {
    OptionValue(name, .choices(values), isOptional: isOptional)
  }
}

/// Where an option is shown, and where it may stand.
struct OptionTraits: OptionSet, Sendable {
  let rawValue: Int

  /// Shown by the short help.
  static let basic = OptionTraits(rawValue: 1)
  /// About one run: not in the config file, not in the environment.
  static let commandLineOnly = OptionTraits(rawValue: 2)
  /// Its value is a secret.
  static let secret = OptionTraits(rawValue: 4)
}
