/// Completions for fish 3 or later (complete(1) of fish).
enum FishCompletions {
  static func text(_ commands: [CommandDescription]) -> String {
    """
    # Completions of haul for fish 3 or later. Made by: haul completions fish

    function __haul_at -d 'Whether so many words stand before the cursor'
        test (count (commandline -opc)) -eq $argv[1]
    end

    function __haul_is -d 'Whether the command is one of these, and options may follow'
        set -l words (commandline -opc)
        test (count $words) -gt 1
        and contains -- $words[2] $argv
        and not contains -- -- $words
    end

    function __haul_typed -d 'Whether a name stands at the cursor or before it'
        set -l words (commandline -opc) (commandline -ct)
        string match -q -- $argv[1]'*' $words[-1] $words[-2]
    end

    function __haul_folders -d 'Folders for the value at the cursor, behind an equals sign or not'
        __fish_complete_directories (string replace -r -- '^--[^=]*=' '' (commandline -ct))
    end

    complete -c haul -f
    \(commands.map { "complete -c haul -n '__haul_at 1' -a \($0.name) -d \(quoted($0.summary))\n" }
      .joined())complete -c haul -n '__haul_at 1' -s h -l help -d 'explain the commands'
    complete -c haul -n '__haul_at 1' -s V -l version -d \(quoted(Command.version.summary))
    \(operand("-h --help", HelpTopic.summaries))\(commands.map(command).joined())
    """
  }

  private static func command(_ command: CommandDescription) -> String {
    var lines = command.options.map { option($0, of: command.name) }.joined()
    if case .one(let words) = command.operand { lines += operand(command.name, words) }
    return lines
  }

  private static func operand(
    _ command: String, _ words: [(word: String, meaning: String)]
  ) -> String {
    words.map {
      "complete -c haul -n '__haul_at 2; and __haul_is \(command)' -a \($0.word)"
        + " -d \(quoted($0.meaning))\n"
    }.joined()
  }

  private static func option(_ option: Option, of command: String) -> String {
    let end = " -d \(quoted(option.summary))\n"
    return option.names.map { name in
      "complete -c haul -n '__haul_is \(command)'\(argument(option, name))\(end)"
    }.joined()
      // What other programs call it is not offered, but read.
      + option.aliases.map { name in
        "complete -c haul -n '__haul_is \(command); and __haul_typed \(name)'"
          + argument(option, name) + end
      }.joined()
  }

  private static func argument(_ option: Option, _ name: String) -> String {
    let isLong = name.hasPrefix("--")
    let switches = isLong ? " -l \(name.dropFirst(2))" : " -s \(name.dropFirst())"
    guard let value = option.value else { return switches }
    // One that may stand alone takes a value only behind an equals sign.
    if value.isOptional { return switches + (isLong ? offer(value) : "") }
    return switches + " -r" + offer(value)
  }

  private static func offer(_ value: OptionValue) -> String {
    switch value.kind {
    case .text, .url: " -f"
    case .file: " -F"
    case .folder: " -f -a '(__haul_folders)'"
    case .choices(let words): " -f -a '\(words.joined(separator: " "))'"
    }
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.map { "'\\".contains($0) ? "\\\($0)" : "\($0)" }.joined() + "'"
  }
}
