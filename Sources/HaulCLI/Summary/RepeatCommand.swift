import HaulHTTP

/// The command that was typed, as it can be typed again.
struct RepeatCommand {
  private let program: String
  private let command: String
  private let arguments: [String]

  /// - Parameter words: The words of the command line, the program's own name included.
  init(_ words: [String]) {
    program = words.first ?? "haul"
    command = words.dropFirst().first ?? "get"
    arguments = Array(words.dropFirst(2))
  }

  /// The longest command that is shown, in bytes.
  private static let longest = 2000

  /// The line for a shell, or nil where it must not be shown, since it holds a secret, or would not
  /// come out of a terminal as it went in. `skipping` leaves out files that are there.
  func line(skipping: Bool) -> String? {
    guard !holdsSecret else { return nil }
    let words = [program, command] + (skipping ? ["--exists", "skip"] : []) + nameable
    let line = words.map(Self.quoted).joined(separator: " ")
    guard line.utf8.count <= Self.longest, Output.harmless(line) == line, !line.contains("\u{FFFD}")
    else { return nil }
    return line + (input.map { " < \($0)" } ?? "")
  }

  /// What files that are read are called in a command that cannot name them.
  private static let contents = [
    "input": "LIST", "metalink": "DOCUMENT", "digest-from": "CHECKSUMS",
  ]

  /// What it reads on standard input, and is gone by now; nil for nothing.
  var input: String? {
    let names = ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"]
    return parsed?.options.lazy.compactMap { given in
      names.contains(given.value ?? "") ? Self.contents[given.option.long] : nil
    }.first
  }

  /// The arguments, without names that a shell made up for a pipe (`<(…)`) and that mean nothing later.
  private var nameable: [String] {
    let pipes = (parsed?.options ?? []).compactMap { given in
      Self.contents[given.option.long].flatMap { content in given.value.map { (content, $0) } }
    }.filter { _, path in
      ["/dev/fd/", "/proc/self/fd/"].contains { path.hasPrefix($0) && path != $0 + "0" }
    }
    return arguments.map { word in
      for (content, path) in pipes where word.hasSuffix(path) {
        return word.dropLast(path.count) + content
      }
      return word
    }
  }

  /// Whether it has an option of this long name.
  func has(_ name: String) -> Bool {
    parsed?.options.contains { $0.option.long == name } ?? false
  }

  private var parsed: GetCommandLine? { try? GetCommandLine(arguments) }

  private var holdsSecret: Bool {
    // What cannot be read was not carried out; it is not shown either.
    guard let parsed else { return true }
    return parsed.urls.contains(where: Self.isSecret)
      || parsed.options.contains { given in
        given.option.traits.contains(.secret)
          || given.option.value?.kind == .url && Self.isSecret(given.value ?? "")
      }
  }

  private static func isSecret(_ address: String) -> Bool {
    guard let url = try? HTTPURL(parsing: address) else { return true }
    return url.user != nil || url.redacted.contains("***")
  }

  /// A word as the shell of POSIX reads it (§2.2).
  private static func quoted(_ word: String) -> String {
    let plain = "%+,-./:=@_"
    let isPlain = word.allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber) || plain.contains($0)
    }
    if isPlain, !word.isEmpty { return word }
    return "'"
      + word.split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: "'\\''") + "'"
  }
}
