/// `~/` at the beginning of a path that no shell has read: behind `=`, in a config file, or in a
/// variable.
enum HomeFolder {
  /// The value with the user's home folder in place of `~`, where the option takes a path. A file
  /// whose name begins with `~` is `./~`.
  static func expand(_ value: String, of option: Option, home: String?) -> String {
    guard let home, isPath(option), value == "~" || value.hasPrefix("~/") else { return value }
    return home + value.dropFirst()
  }

  /// The same for settings, in which nothing but a home folder can be meant.
  ///
  /// - Throws: `UsageError` when the home folder is not known, or is named as only a shell reads it.
  static func expandSetting(
    _ value: String, of option: Option, home: String?
  ) throws(UsageError) -> String {
    guard isPath(option) else { return value }
    if value.hasPrefix("$HOME") || value.hasPrefix("${HOME}") {
      throw UsageError("“\(value)”: variables are not read here; the home folder is ~/")
    }
    if home == nil, value.hasPrefix("~/") {
      throw UsageError("“\(value)”: the home folder is not known, since HOME is not set")
    }
    return expand(value, of: option, home: home)
  }

  private static func isPath(_ option: Option) -> Bool {
    option.value?.kind == .file || option.value?.kind == .folder
  }
}
