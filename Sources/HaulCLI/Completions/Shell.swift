/// The shells that completions are made for.
enum Shell: String, CaseIterable {
  case bash, zsh, fish

  /// A script for the shell that makes it complete the commands.
  func completions(_ commands: [CommandDescription] = CommandDescription.all) -> String {
    switch self {
    case .bash: BashCompletions.text(commands)
    case .zsh: ZshCompletions.text(commands)
    case .fish: FishCompletions.text(commands)
    }
  }
}
