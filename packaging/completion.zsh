#compdef causal
# Completion of causal for zsh. Made from what `causal help` says: no file to edit.
typeset -ga _causal_commands _causal_db
@TABLES@

_causal() {
  local command=${words[2]} first=3
  if ((CURRENT == 2)); then
    _describe command _causal_commands
    return
  fi
  if [[ $command == help ]]; then
    command=${words[3]} first=4
    if ((CURRENT == 3)); then
      _describe command _causal_commands
      return
    fi
  fi
  if [[ $command == db ]]; then
    if ((CURRENT == first)); then
      _describe command _causal_db
      return
    fi
    command="db ${words[first]}"
  fi
  _causal_arguments "$command"
}
_causal "$@"
