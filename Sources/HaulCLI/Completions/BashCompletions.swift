/// Completions for bash 4 or later. They need nothing beside bash itself.
enum BashCompletions {
  static func text(_ commands: [CommandDescription]) -> String {
    """
    # Completions of haul for bash 4 or later. Made by: haul completions bash

    # Sets what stands behind a command: its options, and words that are no options.
    _haul_command() {
      options='' operands=''
      case $1 in
    \(commands.map(command).joined())    -h | --help) operands='\(HelpTopic.names.joined(separator: " "))' ;;
      esac
    }

    # Sets what an option of a command takes.
    _haul_option() {
      kind='' choices=''
      case $1 in
    \(commands.flatMap { command in command.options.map { option($0, of: command.name) } }.joined())  esac
    }

    \(logic)
    # The first word behind the program.
    _haul_first='\(words(commands))'

    complete -F _haul haul

    """
  }

  private static func words(_ commands: [CommandDescription]) -> String {
    (commands.map(\.name) + ["--help", "--version"]).joined(separator: " ")
  }

  private static func command(_ command: CommandDescription) -> String {
    var parts: [String] = []
    if !command.options.isEmpty {
      parts.append("options='\(command.options.map { "--" + $0.long }.joined(separator: " "))'")
    }
    if case .one(let words) = command.operand {
      parts.append("operands='\(words.map(\.word).joined(separator: " "))'")
    }
    guard !parts.isEmpty else { return "" }
    return "    \(command.name)) \(parts.joined(separator: " ")) ;;\n"
  }

  private static func option(_ option: Option, of command: String) -> String {
    // What other programs call it is not offered, but read.
    let names = option.names + option.aliases
    let pattern = names.map { "'\(command) \($0)'" }.joined(separator: " | ")
    return "    \(pattern)) \(value(option)) ;;\n"
  }

  private static func value(_ option: Option) -> String {
    guard let value = option.value else { return "kind=flag choices='yes no'" }
    switch value.kind {
    case .text, .url: return "kind=text"
    case .file: return "kind=file"
    case .folder: return "kind=folder"
    case .choices(let words):
      // One that may stand alone is a flag to what comes behind it.
      return
        "kind=\(value.isOptional ? "flag" : "choice") choices='\(words.joined(separator: " "))'"
    }
  }

  /// What is the same whatever the commands are.
  private static let logic = #"""
    # Offers the words of a list that begin with what was typed behind a prefix of the argument.
    _haul_offer() {
      local prefix=$1 typed=$2 word
      for word in $3; do
        [[ $word == "$typed"* ]] && COMPREPLY+=("${prefix#"$kept"}$word")
      done
    }

    # Offers files or folders behind a prefix of the argument.
    _haul_files() {
      local prefix=${1#"$kept"} typed=$2 action=$3 name
      if [[ -z $prefix ]]; then
        # bash itself knows best about quotes, variables and home folders.
        if [[ $action == directory ]]; then
          compopt -o dirnames
        else
          compopt -o bashdefault -o default
        fi
        return
      fi
      compopt -o filenames
      while IFS= read -r name; do
        if [[ -d $name ]]; then
          name+=/
          compopt -o nospace
        fi
        COMPREPLY+=("$prefix$name")
      done < <(compgen -A "$action" -- "$typed")
    }

    # Offers values of the kind that was found.
    _haul_value() {
      case $kind in
        file) _haul_files "$1" "$2" file ;;
        folder) _haul_files "$1" "$2" directory ;;
        choice | flag) _haul_offer "$1" "$2" "$choices" ;;
      esac
    }

    # Finds what a cluster of short options takes: sets `kind`, and `attached` to what is behind it.
    _haul_cluster() {
      attached=$2
      while [[ -n $attached ]]; do
        _haul_option "$1 -${attached:0:1}"
        attached=${attached:1}
        case $kind in
          '') return 1 ;;
          flag) kind='' ;;
          *) return ;;
        esac
      done
    }

    _haul() {
      COMPREPLY=()
      local IFS=$' \t\n'
      local rest=${COMP_LINE:0:COMP_POINT} gap word i
      local -a typed=()
      # bash cuts words at = and : as well; what stands together in the line is one argument.
      for ((i = 0; i <= COMP_CWORD; i++)); do
        gap=${rest%%[![:space:]]*}
        rest=${rest#"$gap"}
        word=${COMP_WORDS[i]}
        [[ $rest == "$word"* ]] || word=$rest
        rest=${rest#"$word"}
        if ((i == 0)) || [[ -n $gap ]]; then
          typed+=("$word")
        else
          typed[${#typed[@]}-1]+=$word
        fi
      done
      local last=$((${#typed[@]} - 1))
      local current=${typed[last]} command=${typed[1]-} options operands kind choices
      # What bash keeps of the argument when it puts a completion in.
      local kept='' breaks=${COMP_WORDBREAKS//[!=:]/}
      [[ -n $breaks && $current == *[$breaks]* ]] && kept=${current%"${current##*[$breaks]}"}

      if ((last < 2)); then
        _haul_offer '' "$current" "$_haul_first"
        return
      fi
      # A redirection is the shell's own.
      case ${COMP_WORDS[COMP_CWORD - 1]} in
        *[\<\>])
          compopt -o default
          return
          ;;
      esac
      _haul_command "$command"
      # Of the last argument it stays known whether a value must follow, and of which kind.
      local operand_count=0 attached=''
      kind=''
      for ((i = 2; i < last; i++)); do
        word=${typed[i]}
        if [[ -n $kind ]]; then
          kind=''
          continue
        fi
        case $word in
          --) return ;;
          --*=*) ;;
          --*)
            _haul_option "$command $word"
            [[ $kind == flag ]] && kind=''
            ;;
          -?*)
            _haul_cluster "$command" "${word#-}"
            [[ -n $attached ]] && kind=''
            ;;
          *) ((operand_count++)) ;;
        esac
      done
      if [[ -n $kind ]]; then
        _haul_value '' "$current"
        return
      fi
      case $current in
        --*=*)
          _haul_option "$command ${current%%=*}"
          _haul_value "${current%%=*}=" "${current#*=}"
          ;;
        --* | -) _haul_offer '' "$current" "$options" ;;
        -*)
          if ! _haul_cluster "$command" "${current#-}"; then
            return
          elif [[ -n $attached ]]; then
            _haul_value "${current%"$attached"}" "$attached"
          else
            COMPREPLY=("${current#"$kept"}")
          fi
          ;;
        *) ((operand_count == 0)) && _haul_offer '' "$current" "$operands" ;;
      esac
    }

    """#
}
