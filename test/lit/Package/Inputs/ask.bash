# ask.bash SHARE WORD...: what bash would complete the last word to.
source "$1/bash-completion/completions/causal"
COMP_WORDS=("${@:2}")
COMP_CWORD=$(($# - 2))
_causal
echo "${COMPREPLY[*]}"
