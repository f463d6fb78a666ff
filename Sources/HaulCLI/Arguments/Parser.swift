/// Reads the command line of `haul get`, as GNU programs do: options anywhere, clustered short
/// ones, `--name=value` or `--name value`, and `--` before what is no option.
enum Parser {
  static func parse(_ arguments: [String]) throws(UsageError) -> GetOptions {
    var options = GetOptions()
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        options.urls += rest
        break
      }
      if argument.hasPrefix("--") {
        try takeLong(argument.dropFirst(2), &rest, &options)
      } else if argument.hasPrefix("-"), argument != "-" {
        try takeShort(argument.dropFirst(), &rest, &options)
      } else {
        options.urls.append(argument)
      }
    }
    if !options.wantsHelp { try check(options) }
    return options
  }

  private static func takeLong(
    _ text: Substring, _ rest: inout ArraySlice<String>, _ options: inout GetOptions
  ) throws(UsageError) {
    let equals = text.firstIndex(of: "=")
    let name = String(text[..<(equals ?? text.endIndex)])
    guard let option = GetOptionTable.all.first(where: { $0.long == name }) else {
      let hint = Habits.hint(for: "--" + name) ?? suggestion(for: name)
      throw UsageError("there is no option --\(name)\(hint)")
    }
    let given = equals.map { String(text[text.index(after: $0)...]) }
    guard let valueName = option.value else {
      if given != nil { throw UsageError("--\(name) takes no value") }
      try option.apply(&options, "")
      return
    }
    guard let value = given ?? rest.popFirst() else {
      throw UsageError("--\(name) needs a value: --\(name) \(valueName)")
    }
    try option.apply(&options, value)
  }

  private static func takeShort(
    _ cluster: Substring, _ rest: inout ArraySlice<String>, _ options: inout GetOptions
  ) throws(UsageError) {
    var cluster = cluster
    while let letter = cluster.popFirst() {
      guard let option = GetOptionTable.all.first(where: { $0.short == letter }) else {
        let hint = Habits.hint(for: "-\(letter)") ?? "; see haul get --help"
        throw UsageError("there is no option -\(letter)\(hint)")
      }
      guard let valueName = option.value else {
        try option.apply(&options, "")
        continue
      }
      let attached = cluster.isEmpty ? nil : String(cluster)
      guard let value = attached ?? rest.popFirst() else {
        throw UsageError("-\(letter) needs a value: -\(letter) \(valueName)")
      }
      try option.apply(&options, value)
      return
    }
  }

  private static func check(_ options: GetOptions) throws(UsageError) {
    guard !options.urls.isEmpty || options.inputFile != nil else {
      throw UsageError("no URL was given: haul get https://example.com/file")
    }
    let isSingle = options.urls.count == 1 && options.inputFile == nil
    guard isSingle || options.output == nil else {
      throw UsageError("-o names one file, so it needs exactly one URL; use -d for a folder")
    }
    guard isSingle || options.digest == nil else {
      throw UsageError(
        "--digest is for one URL; in a list it follows the name: URL TAB NAME TAB sha-256=HEX")
    }
  }

  /// The nearest name, if one is near enough to be meant.
  private static func suggestion(for name: String) -> String {
    let near = GetOptionTable.all.map { ($0.long, distance(name, $0.long)) }
      .min { $0.1 < $1.1 }
    guard let near, near.1 <= max(1, name.count / 3) else { return "; see haul get --help" }
    return "; did you mean --\(near.0)?"
  }

  /// The number of letters to change, add or remove (Levenshtein's distance).
  private static func distance(_ left: String, _ right: String) -> Int {
    var row = Array(0...right.count)
    for (i, a) in left.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, b) in right.enumerated() {
        let cost = min(row[j] + 1, row[j + 1] + 1, diagonal + (a == b ? 0 : 1))
        diagonal = row[j + 1]
        row[j + 1] = cost
      }
    }
    return row[right.count]
  }
}
