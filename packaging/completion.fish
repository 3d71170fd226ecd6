# Completion of causal for fish. Made from what `causal help` says: no file to edit.

# Whether the words before the cursor name this command; without one, whether they name none yet.
function __causal_command_is
    set -l words (commandline -opc)
    set -e words[1]
    if test "$words[1]" = help
        set -e words[1]
    end
    contains -- -- $words; and return 1
    if test (count $argv) = 0
        test (count $words) = 0
    else if test "$argv" = db
        test (count $words) = 1; and test "$words[1]" = db
    else if test "$argv[1]" = db
        test "$words[1] $words[2]" = "$argv"
    else
        test "$words[1]" = "$argv[1]"
    end
end

complete -c causal -n __causal_command_is -f -a db -d 'Ask a database of always-on profiles'
complete -c causal -n __causal_command_is -f -a help -d 'List commands, or options of one'
@TABLES@
