/// Completions for zsh, on its own `_arguments` (zshcompsys(1)).
enum ZshCompletions {
  static func text(_ commands: [CommandDescription]) -> String {
    """
    #compdef haul
    # Completions of haul for zsh. Made by: haul completions zsh

    _haul() {
      local -a commands options words_there
      if (( CURRENT == 2 )); then
        commands=(
    \(commands.map { "      \(item($0.name, $0.summary))\n" }.joined())    )
        options=('--help:explain the commands' '--version:\(Command.version.summary)')
        _describe -t commands command commands
        _describe -o -t options option options
        return
      fi
      local curcontext="${curcontext%:*:*}:haul-$words[2]:"
      shift words
      (( CURRENT-- ))
      case $words[1] in
    \(commands.map(command).joined())    -h|--help)
    \(operand(HelpTopic.summaries))      _arguments -S : '1:topic:{_describe -t words word words_there}'
          ;;
      esac
    }

    # The file may be loaded by compinit, which runs it, or be sourced.
    if [[ $funcstack[1] == _haul ]]; then
      _haul "$@"
    else
      compdef _haul haul
    fi

    """
  }

  private static func command(_ command: CommandDescription) -> String {
    var specs = command.options.flatMap(specifications)
    var text = "    \(command.name))\n"
    switch command.operand {
    case .none:
      let names = command.arguments.split(separator: " ").filter { !$0.hasPrefix("[") }
      if !names.isEmpty { specs.append("'*:\(message(names.joined(separator: " "))): '") }
    case .one(let words):
      text += operand(words)
      specs.append("'1:word:{_describe -t words word words_there}'")
    }
    if !specs.isEmpty {
      text += "      _arguments -s -S : \\\n"
      text += specs.map { "        \($0)" }.joined(separator: " \\\n") + "\n"
    }
    return text + "      ;;\n"
  }

  private static func operand(_ words: [(word: String, meaning: String)]) -> String {
    "      words_there=(\(words.map { item($0.word, $0.meaning) }.joined(separator: " ")))\n"
  }

  /// What `_arguments` is told of an option. It may be given again, so it stays on offer: `*`. What
  /// other programs call it is not offered, but read: `!`.
  private static func specifications(_ option: Option) -> [String] {
    let summary = quoted("[\(escaped(option.summary, "\\[]:"))]")
    return option.names.map { "'*'" + $0 + argument(option, $0, summary) }
      + option.aliases.map { "'!*'" + $0 + argument(option, $0, "") }
  }

  /// How a value follows a name, and what it may be.
  private static func argument(_ option: Option, _ name: String, _ summary: String) -> String {
    let isLong = name.hasPrefix("--")
    guard let value = option.value else { return summary }
    let rest = quoted(":\(message(value.name)):\(action(value.kind))")
    // One that may stand alone takes a value only behind an equals sign.
    if value.isOptional { return isLong ? "=-\(summary):\(rest)" : summary }
    return (isLong ? "=" : "+") + summary + rest
  }

  private static func action(_ kind: OptionValue.Kind) -> String {
    switch kind {
    // A lone space: the name of the value is shown, and nothing is offered.
    case .text, .url: " "
    case .file: "_files"
    // Not `_files -/`, which offers files where no folder fits.
    case .folder: "_path_files -/"
    case .choices(let words): "(\(words.joined(separator: " ")))"
    }
  }

  /// A word with its meaning, for `_describe`.
  private static func item(_ word: String, _ meaning: String) -> String {
    quoted("\(escaped(word, "\\:")):\(escaped(meaning, "\\"))")
  }

  private static func message(_ text: String) -> String { escaped(text, "\\:") }

  private static func escaped(_ text: String, _ special: String) -> String {
    text.map { special.contains($0) ? "\\\($0)" : "\($0)" }.joined()
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }
}
