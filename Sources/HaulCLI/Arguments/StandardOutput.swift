/// `-o -`: the file itself goes to standard output. What makes no sense beside it is refused, and
/// what only would be for a file when it stands in the settings means nothing.
enum StandardOutput {
  /// The value of `-o` that asks for it; a file of this name is `./-`.
  static let name = "-"
  /// The system's own names for it.
  static let paths: Set = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]

  /// Refuses what makes no sense; `given` are the options of the command line, but for flags that are
  /// taken back.
  static func check(_ options: GetOptions, given: Set<String>) throws(UsageError) {
    guard options.isOnlyFile else {
      throw UsageError(
        "-o - gives out one file, so it needs exactly one URL: haul get -o - URL; "
          + "use -d for files in a folder")
    }
    guard !options.isJSON else {
      throw UsageError(
        "-o - and --json both want standard output; give one of them (--json=no takes back what "
          + "the settings say)")
    }
    if given.contains("directory"), !options.hasDigest {
      throw UsageError(
        "with -o -, -d is where a file waits until its digest is checked: "
          + "haul get -o - --digest sha-256=HEX -d DIR URL")
    }
    if given.contains("continue") {
      throw UsageError("-o - always begins with the first byte; to go on later use -o FILE")
    }
    for name in ["exists", "keep-bad"] where given.contains(name) {
      throw UsageError("--\(name) is about files, and -o - makes none; use -o FILE")
    }
  }
}
