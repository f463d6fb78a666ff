/// The texts that explain the program on a terminal, 80 columns wide.
enum Help {
  static var overview: String {
    var text = "haul \(Version.number): fetches files, and never reports a wrong one as right.\n\n"
    for command in Command.allCases {
      let call = ["haul", command.rawValue, command.arguments].filter { !$0.isEmpty }
      text += row(call.joined(separator: " "), command.summary, column: 34)
    }
    return text + "\nTopics: " + wrapped(HelpTopic.names.joined(separator: " "), indent: 8) + "\n"
  }

  static func text(_ topic: HelpTopic) -> String {
    switch topic {
    case .overview: overview
    case .get: get
    case .all:
      "haul get [OPTION]... URL...\n"
        + GetOptionTable.groups.map { "\n" + group($0) }.joined()
        + HelpTexts.all.map { "\n" + section($0) }.joined()
    case .command(let command): about(command)
    case .group(let name):
      GetOptionTable.groups.filter { $0.topic == name }.map { detailed($0) }.joined()
    case .text(let name): HelpTexts.all.filter { $0.topic == name }.map { section($0) }.joined()
    }
  }

  /// What most people need; it fits a terminal of 24 lines.
  private static var get: String {
    var text = "haul get [OPTION]... URL...   fetch files; run it again to go on\n\n"
    for option in GetOptionTable.all where option.traits.contains(.basic) { text += line(option) }
    return text + "\nMore: haul help all, or haul help TOPIC: "
      + wrapped(HelpTopic.names.dropFirst().joined(separator: " "), indent: 6, used: 41) + "\n"
  }

  private static func group(_ group: OptionGroup) -> String {
    group.title + "\n" + group.options.map(line).joined()
  }

  private static func detailed(_ group: OptionGroup) -> String {
    group.title + "\n"
      + group.options.map { option in
        let more = option.explanation
        return line(option) + (more.isEmpty ? "" : indented(more, by: 28))
      }.joined()
  }

  private static func about(_ command: Command) -> String {
    let call = ["haul", command.rawValue, command.arguments].filter { !$0.isEmpty }
    return "\(call.joined(separator: " "))   \(command.summary)\n" + paragraphs(command.details)
  }

  private static func section(_ text: HelpText) -> String {
    text.title + "\n" + paragraphs(text.paragraphs)
  }

  private static func paragraphs(_ paragraphs: [HelpText.Paragraph]) -> String {
    paragraphs.map { paragraph in
      switch paragraph {
      case .text(let sentences): indented(sentences, by: 2)
      case .table(let rows):
        rows.map { row($0.0, $0.1, column: 4 + (rows.map(\.0.count).max() ?? 0)) }.joined()
      case .code(let lines): lines.map { "    \($0)\n" }.joined()
      }
    }.joined()
  }

  private static func line(_ option: Option) -> String {
    row(OptionNames.text(option), option.summary, column: 28)
  }

  private static func row(_ name: String, _ meaning: String, column: Int) -> String {
    let used = max(column, name.count + 4)
    let padding = String(repeating: " ", count: used - 2 - name.count)
    return "  \(name)\(padding)" + wrapped(meaning, indent: column, used: used) + "\n"
  }

  private static func indented(_ text: String, by indent: Int) -> String {
    String(repeating: " ", count: indent) + wrapped(text, indent: indent, used: indent) + "\n"
  }

  /// Breaks a text into lines of 79 columns; `used` are taken on the first one.
  private static func wrapped(_ text: String, indent: Int, used: Int? = nil) -> String {
    var lines = ""
    var column = used ?? indent
    for (number, word) in text.split(separator: " ").enumerated() {
      if number > 0, column + 1 + word.count > 79 {
        lines += "\n" + String(repeating: " ", count: indent)
        column = indent
      } else if number > 0 {
        lines += " "
        column += 1
      }
      lines += word
      column += word.count
    }
    return lines
  }
}

/// The names of an option as texts show them.
enum OptionNames {
  /// `-o, --output FILE`.
  static func text(_ option: Option) -> String {
    let short = option.short.map { "-\($0), " } ?? "    "
    return short + long(option)
  }

  /// `--output FILE`.
  static func long(_ option: Option) -> String {
    guard let value = option.value else { return "--\(option.long)" }
    return "--\(option.long)" + (value.isOptional ? "[=\(value.name)]" : " \(value.name)")
  }
}
