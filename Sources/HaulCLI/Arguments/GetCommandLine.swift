/// The command line of `haul get` in its parts, as GNU programs read it: options anywhere, clustered
/// short ones, `--name=value` or `--name value`, and `--` before what is no option.
struct GetCommandLine {
  /// An option as it was given.
  struct Given {
    let option: Option
    /// By which of its names, with the dashes.
    let name: String
    /// Its value; nil for a flag without one.
    let value: String?

    func apply(to options: inout GetOptions) throws(UsageError) {
      try option.apply(&options, value ?? "yes", name)
    }
  }

  /// The options, in order.
  private(set) var options: [Given] = []
  private(set) var urls: [String] = []
  private let home: String?

  /// Takes the words behind `haul get` apart. `home` is what `~/` means behind `=`, where shells leave
  /// it as it is; nil for nothing.
  init(_ arguments: [String], home: String? = nil) throws(UsageError) {
    self.home = home
    var rest = arguments[...]
    var isAfterShort = false
    while let argument = rest.popFirst() {
      if argument == "--" {
        urls += rest
        break
      }
      if argument.hasPrefix("--") {
        try takeLong(argument.dropFirst(2), &rest)
      } else if argument.hasPrefix("-"), argument != "-" {
        try takeShort(argument.dropFirst(), &rest)
        isAfterShort = true
        continue
      } else {
        if isAfterShort { try refuseNumber(argument[...]) }
        urls.append(argument)
      }
      isAfterShort = false
    }
  }

  /// Refuses a number behind a flag that takes one in aria2.
  private func refuseNumber(_ text: Substring) throws(UsageError) {
    guard let last = options.last, last.option.value == nil,
      let hint = Habits.hint(for: last, before: text)
    else { return }
    throw UsageError(hint)
  }

  private mutating func takeLong(
    _ text: Substring, _ rest: inout ArraySlice<String>
  ) throws(UsageError) {
    let equals = text.firstIndex(of: "=")
    let name = String(text[..<(equals ?? text.endIndex)])
    guard let option = GetOptionTable.option(name) else {
      let hint = Habits.hint(for: "--" + name) ?? Suggestion.text(for: name)
      throw UsageError("there is no option --\(name)\(hint)")
    }
    let given = equals.map {
      HomeFolder.expand(String(text[text.index(after: $0)...]), of: option, home: home)
    }
    guard let form = option.value, !form.isOptional else {
      options.append(Given(option: option, name: "--" + name, value: given))
      return
    }
    guard let value = given ?? rest.popFirst() else {
      throw UsageError("--\(name) needs a value: --\(name) \(form.name)")
    }
    options.append(Given(option: option, name: "--" + name, value: value))
  }

  private mutating func takeShort(
    _ cluster: Substring, _ rest: inout ArraySlice<String>
  ) throws(UsageError) {
    let whole = cluster
    var cluster = cluster
    while let letter = cluster.popFirst() {
      guard let option = GetOptionTable.option(letter) else {
        let taken = whole.dropLast(cluster.count + 1)
        if !taken.isEmpty { try refuseNumber(whole[taken.endIndex...]) }
        // wget has names of two letters, and gives -O its value in the same word.
        for name in ["-\(whole)", "-\(letter)\(cluster)"] {
          if let hint = Habits.hint(for: name) {
            throw UsageError("there is no option \(name)\(hint)")
          }
        }
        let hint = Habits.hint(for: "-\(letter)") ?? "; see haul get --help"
        throw UsageError("there is no option -\(letter)\(hint)")
      }
      guard let form = option.value, !form.isOptional else {
        options.append(Given(option: option, name: "-\(letter)", value: nil))
        continue
      }
      let attached =
        cluster.isEmpty ? nil : HomeFolder.expand(String(cluster), of: option, home: home)
      guard let value = attached ?? rest.popFirst() else {
        throw UsageError("-\(letter) needs a value: -\(letter) \(form.name)")
      }
      options.append(Given(option: option, name: "-\(letter)", value: value))
      return
    }
  }
}
