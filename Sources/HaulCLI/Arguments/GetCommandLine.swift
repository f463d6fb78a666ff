/// The command line of `haul get` in its parts, as GNU programs read it: options anywhere, clustered
/// short ones, `--name=value` or `--name value`, and `--` before what is no option.
struct GetCommandLine {
  /// The options with their values, in order; a flag without one has none.
  private(set) var options: [(option: Option, value: String?)] = []
  private(set) var urls: [String] = []
  private let home: String?

  /// Takes the words behind `haul get` apart. `home` is what `~/` means behind `=`, where shells leave
  /// it as it is; nil for nothing.
  init(_ arguments: [String], home: String? = nil) throws(UsageError) {
    self.home = home
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        urls += rest
        break
      }
      if argument.hasPrefix("--") {
        try takeLong(argument.dropFirst(2), &rest)
      } else if argument.hasPrefix("-"), argument != "-" {
        try takeShort(argument.dropFirst(), &rest)
      } else {
        urls.append(argument)
      }
    }
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
      options.append((option, given))
      return
    }
    guard let value = given ?? rest.popFirst() else {
      throw UsageError("--\(name) needs a value: --\(name) \(form.name)")
    }
    options.append((option, value))
  }

  private mutating func takeShort(
    _ cluster: Substring, _ rest: inout ArraySlice<String>
  ) throws(UsageError) {
    let whole = cluster
    var cluster = cluster
    while let letter = cluster.popFirst() {
      guard let option = GetOptionTable.option(letter) else {
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
        options.append((option, nil))
        continue
      }
      let attached =
        cluster.isEmpty ? nil : HomeFolder.expand(String(cluster), of: option, home: home)
      guard let value = attached ?? rest.popFirst() else {
        throw UsageError("-\(letter) needs a value: -\(letter) \(form.name)")
      }
      options.append((option, value))
      return
    }
  }
}
