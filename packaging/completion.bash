# Completion of causal for bash. Made from what `causal help` says: no file to edit.
@TABLES@

_causal() {
  local current=${COMP_WORDS[COMP_CWORD]} option='' command=${COMP_WORDS[1]} first=2 i
  COMPREPLY=()
  # Bash makes three words of --format=json.
  if [[ $current == = ]]; then
    option=${COMP_WORDS[COMP_CWORD - 1]} current=''
  elif ((COMP_CWORD > 1)) && [[ ${COMP_WORDS[COMP_CWORD - 1]} == = ]]; then
    option=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W "$_causal_commands" -- "$current"))
    return
  fi
  if [[ $command == help ]]; then
    command=${COMP_WORDS[2]} first=3
    if ((COMP_CWORD == 2)); then
      COMPREPLY=($(compgen -W "${_causal_commands% help}" -- "$current"))
      return
    fi
  fi
  if [[ $command == db ]]; then
    if ((COMP_CWORD == first)); then
      COMPREPLY=($(compgen -W "$_causal_db" -- "$current"))
      return
    fi
    command="db ${COMP_WORDS[first]}"
  fi
  # Behind -- is a program with its arguments: files, which is what bash does itself.
  for ((i = first; i < COMP_CWORD; ++i)); do
    [[ ${COMP_WORDS[i]} != -- ]] || return
  done
  if [[ -n $option ]]; then
    COMPREPLY=($(compgen -W "$(_causal_values "$command $option")" -- "$current"))
  elif [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$(_causal_options "$command")" -- "$current"))
    [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace 2>/dev/null
  fi
}
complete -o default -F _causal causal
