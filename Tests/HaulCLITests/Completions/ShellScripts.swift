/// What makes a shell complete each line of a list as if it was typed, and write down what it
/// offers. `CASES` has the lines, `SCRIPT` the completions. For each line `RESULTS` gets `>line`,
/// `+word`, TAB and its text for each word that is offered, and `=line` with the line as it then stands.
enum ShellScripts {
  /// Types into a bash on a terminal. Each answer is waited for.
  static let bash = #"""
    zmodload zsh/zpty
    zpty shell "bash --noprofile --rcfile $RCFILE -i"
    zpty -r shell seen '*HAUL-READY*'
    while IFS= read -r line; do
      print -r -- ">$line" >>$RESULTS
      zpty -w -n shell "$line"$'\t\x14'
      zpty -r shell seen '*HAUL-DONE*'
    done <$CASES
    """#

  /// Makes bash write down what the function answers, and what its own editor does with that.
  static let bashStart = #"""
    PS1= PS2=
    bind 'set completion-query-items 0'
    bind 'set page-completions off'
    bind 'set enable-bracketed-paste off'
    bind 'set show-all-if-ambiguous on'
    COMP_WORDBREAKS=${COMP_WORDBREAKS//[$NO_BREAKS]/}
    source "$SCRIPT"
    record() {
      _haul "$@"
      local word
      for word in "${COMPREPLY[@]}"; do printf '+%s\n' "$word" >>"$RESULTS"; done
    }
    complete -F record haul
    show() {
      printf '=%s\n' "$READLINE_LINE" >>"$RESULTS"
      READLINE_LINE= READLINE_POINT=0
      printf 'HAUL-DONE\n'
    }
    bind -x '"\C-t": show'
    printf 'HAUL-READY\n'
    """#

  /// Starts a zsh on a terminal, and lets it complete all lines at one key.
  static let zsh = #"""
    zmodload zsh/zpty
    zpty shell "zsh -f -i"
    zpty -w shell "source $RCFILE"
    zpty -r shell seen '*HAUL-READY*'
    zpty -w -n shell $'\x14'
    zpty -r shell seen '*HAUL-DONE*'
    """#

  /// Makes zsh write down what is added to the offered words, with what is shown beside them.
  static let zshStart = #"""
    PS1= PS2= RPS1=
    stty columns 1000
    setopt no_list_beep no_auto_menu
    fpath=($FUNCTIONS $fpath)
    autoload -Uz compinit && compinit -u -D
    compadd() {
      # Some calls ask which words fit, and offer nothing.
      if [[ ${@[(I)-[OAD]]} -gt 0 ]]; then
        builtin compadd "$@"
        return
      fi
      local -a found shown
      local texts=${@[(I)-[^-]#d]} i
      (( texts )) && shown=("${(@P)@[texts+1]}")
      builtin compadd -A found -D shown "$@"
      for (( i = 1; i <= $#found; i++ )); do
        print -r -- "+$IPREFIX${found[i]}"$'\t'"${shown[i]}" >>$RESULTS
      done
      builtin compadd "$@"
    }
    zle -C offer complete-word _generic
    run() {
      local line
      while IFS= read -r line; do
        print -r -- ">$line" >>$RESULTS
        BUFFER=$line CURSOR=$#line
        zle offer
        print -r -- "=$BUFFER" >>$RESULTS
      done <$CASES
      BUFFER=
      print -r -- HAUL-DONE
    }
    zle -N run
    bindkey '^T' run
    print -r -- HAUL-READY
    """#

  /// Asks fish, which completes a line on demand.
  static let fish = #"""
    source $SCRIPT
    while read -l line
        echo ">$line" >>$RESULTS
        for offer in (complete -C "$line")
            echo "+$offer" >>$RESULTS
        end
    end <$CASES
    """#
}
