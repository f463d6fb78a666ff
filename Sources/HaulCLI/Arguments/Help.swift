/// The texts that explain the program.
enum Help {
  static let overview = """
    haul \(Version.number): fetches files, and never reports a wrong one as right.

      haul get [options] URL...   fetch files into this folder; run it again to go on
      haul get --help             all options
      haul --version              versions of the program and its libraries

    """

  static var get: String {
    var text = "haul get [options] URL...\n"
    for group in GetOptionTable.groups {
      text += "\n\(group.title)\n"
      for option in group.options {
        let short = option.short.map { "-\($0), " } ?? "    "
        let value = option.value.map { " \($0)" } ?? ""
        let names = "\(short)--\(option.long)\(value)"
        let padding = String(repeating: " ", count: max(2, 30 - names.count))
        text += "  \(names)\(padding)\(option.help)\n"
      }
    }
    return text + """

      A list has one URL a line, and optionally: URL TAB name TAB sha-256=HEX. Blank lines and
      lines that begin with # are skipped. Paths of finished files go to standard output.
      Exit: 0 right, 2 usage, 3 network, 4 server, 5 integrity, 6 disk, 7 refused, 130 interrupted,
      1 several reasons.

      """
  }
}
