import Glibc

/// Options from a file: a line is `name = value`, or the name alone for a flag, by the long names of
/// the options. Blank lines and lines that begin with `#` are skipped; quotes around a value are
/// taken off.
struct ConfigFile {
  let path: String
  let text: String
  /// Whether others than its owner may read it.
  var isShared = false
  /// What `~` means in it, where that is known.
  var home: String?

  /// The file that was named, or the user's own if there is one, or nil.
  ///
  /// The user's own is `haul/config` in `$XDG_CONFIG_HOME`, by default `~/.config` (XDG Base
  /// Directory Specification).
  static func find(
    named path: String?, _ environment: EnvironmentSettings
  ) throws(UsageError) -> ConfigFile? {
    let home = environment["HOME"]
    if let path = path ?? environment["HAUL_CONFIG"] { return try read(path, home) }
    let folder: String
    if let given = environment["XDG_CONFIG_HOME"], given.hasPrefix("/") {
      folder = given
    } else if let home {
      folder = home + "/.config"
    } else {
      return nil
    }
    let own = folder + "/haul/config"
    // The text is passed as a string that ends with NUL.
    return unsafe access(own, F_OK) == 0 ? try read(own, home) : nil
  }

  /// The largest file that is read, in bytes.
  static let maximumByteCount = 1 << 20

  private static func read(_ path: String, _ home: String?) throws(UsageError) -> ConfigFile {
    guard let file = try? SmallFile.read(path, atMost: maximumByteCount) else {
      throw UsageError(
        "the config file “\(path)” cannot be read (\(Values.describe(errno))); "
          + "--no-config goes without")
    }
    guard let text = String(validating: file.bytes, as: UTF8.self) else {
      throw UsageError("the config file “\(path)” is not text in UTF-8")
    }
    return ConfigFile(path: path, text: text, isShared: file.isShared, home: home)
  }

  func apply(to options: inout GetOptions) throws(UsageError) {
    var number = 0
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      do { try take(line, &options) } catch {
        throw UsageError("\(path), line \(number): \(error.message)")
      }
    }
  }

  private func take(_ line: Substring, _ options: inout GetOptions) throws(UsageError) {
    let line = trimmed(line)
    guard let first = line.first, first != "#" else { return }
    let end = line.firstIndex { $0 == "=" || $0 == " " || $0 == "\t" } ?? line.endIndex
    var name = line[..<end]
    while name.first == "-" { name.removeFirst() }
    var value = trimmed(line[end...])
    if value.first == "=" { value = trimmed(value.dropFirst()) }
    if value.count >= 2, value.first == "\"", value.last == "\"" {
      value = value.dropFirst().dropLast()
    }
    guard let option = GetOptionTable.option(String(name)) else {
      throw UsageError("there is no option “\(name)”\(Suggestion.text(for: String(name)))")
    }
    guard option.variable != nil else {
      throw UsageError("“\(name)” is about one run and belongs on the command line")
    }
    if option.value != nil, end == line.endIndex {
      throw UsageError("“\(name)” needs a value: \(name) = \(option.value?.name ?? "")")
    }
    if isShared, option.traits.contains(.secret) {
      let warning = "“\(path)” holds secrets and others may read it: chmod 600 it"
      if !options.warnings.contains(warning) { options.warnings.append(warning) }
    }
    let text = option.value == nil && value.isEmpty ? "yes" : String(value)
    let expanded = try HomeFolder.expandSetting(text, of: option, home: home)
    try option.apply(&options, expanded, "“\(name)”")
  }

  private func trimmed(_ text: Substring) -> Substring {
    let start = text.drop { $0 == " " || $0 == "\t" || $0 == "\u{FEFF}" }
    guard let last = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
    return start[...last]
  }
}
