import Glibc

/// Options from the environment: `HAUL_LIMIT_RATE=2M` is `--limit-rate 2M`.
///
/// An empty variable counts as none. Variables that are no option of `haul get` are not ours.
struct EnvironmentSettings {
  private let lookUp: (String) -> String?
  /// The names of all variables, where they are known.
  private let names: [String]

  /// The environment of the process, or another one for tests.
  init(
    _ lookUp: @escaping (String) -> String? = Self.ofProcess,
    names: [String] = Self.namesOfProcess
  ) {
    self.lookUp = lookUp
    self.names = names
  }

  subscript(_ name: String) -> String? {
    guard let value = lookUp(name), !value.isEmpty else { return nil }
    return value
  }

  func apply(to options: inout GetOptions) throws(UsageError) {
    for option in GetOptionTable.all {
      guard let name = option.variable, let value = self[name] else { continue }
      let shown = "the variable \(name)"
      do {
        let value = try HomeFolder.expandSetting(value, of: option, home: self["HOME"])
        try option.apply(&options, value, shown)
      } catch {
        throw error.message.contains(shown) ? error : UsageError("\(shown): \(error.message)")
      }
    }
    options.warnings += names.sorted().compactMap(warning)
  }

  /// A warning of a variable that looks like an option, and is none.
  private func warning(_ name: String) -> String? {
    let known = GetOptionTable.all.compactMap(\.variable) + ["HAUL_CONFIG"]
    guard name.hasPrefix("HAUL_"), !known.contains(name), self[name] != nil else { return nil }
    // Without what all of them have: it would make every two look alike.
    let endings = known.map { String($0.dropFirst(5)) }
    let near = Suggestion.nearest(to: String(name.dropFirst(5)), among: endings)
      .map { "; did you mean HAUL_\($0)?" }
    let own = GetOptionTable.all.first { "HAUL_" + $0.long.uppercased() == name }
    let place = own.map { "; --\($0.long) stands on the command line only" }
    return "the variable \(name) means nothing" + (place ?? near ?? "; see haul help environment")
  }

  /// Names of variables of this process. Where the system does not tell them, none.
  private static var namesOfProcess: [String] {
    guard let file = try? SmallFile.read("/proc/self/environ", atMost: 1 << 22) else { return [] }
    return file.bytes.split(separator: 0).map { entry in
      String(decoding: entry.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
    }.filter { $0.hasPrefix("HAUL_") }
  }

  static func ofProcess(_ name: String) -> String? {
    // The value is copied at once, and nothing in this program changes the environment.
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }
}
