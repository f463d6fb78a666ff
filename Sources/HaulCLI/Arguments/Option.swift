/// One option: its names, its value, its help, and what it does. Parser and help are made of it.
struct Option: Sendable {
  let long: String
  var short: Character?
  /// The name of the value in the help, or nil for an option without one.
  var value: String?
  let help: String
  let apply: @Sendable (inout GetOptions, String) throws(UsageError) -> Void

  init(
    _ long: String, short: Character? = nil, value: String? = nil, _ help: String,
    apply: @escaping @Sendable (inout GetOptions, String) throws(UsageError) -> Void
  ) {
    self.long = long
    self.short = short
    self.value = value
    self.help = help
    self.apply = apply
  }

  /// An option without a value.
  static func flag(
    _ long: String, short: Character? = nil, _ help: String,
    apply: @escaping @Sendable (inout GetOptions) -> Void
  ) -> Option {
    Option(long, short: short, help) { (options, _) throws(UsageError) in apply(&options) }
  }
}
