"""check_completion.py CAUSAL SHARE SHELL: asks the shell what it would complete, and compares
with what `causal help` lists. SHARE has the completion files. Nothing of their generator is used."""
import re
import subprocess
import sys

causal, share, shell = sys.argv[1:4]


def run(*command, stdin=None):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, input=stdin).stdout


# Each question is the words of a command line, the last one to be completed.
BASH = f"""source {share}/bash-completion/completions/causal
ask() {{ COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _causal; echo "${{COMPREPLY[*]}}"; }}
"""
# Completion of zsh runs in its editor only: these two say what they were to offer.
ZSH = f"""fpath=({share}/zsh/vendor-completions $fpath); autoload -Uz _causal
_describe() {{ local each; for each in "${{(@P)2}}"; do print -rn -- "${{each%%:*}} "; done; print }}
_arguments() {{ local each; for each; do print -rn -- "${{each%%\\[*}} "; done; print }}
ask() {{ words=("$@") CURRENT=$#; _causal }}
"""
FISH = f"""source {share}/fish/vendor_completions.d/causal.fish
function ask; complete -C (string join ' ' -- $argv) | string replace -r '\\t.*' '' | string join ' '; echo; end
"""


def answers(questions):
    def words(q):
        return " ".join("'" + w + "'" for w in q)
    script = {"bash": BASH, "zsh": ZSH, "fish": FISH}[shell]
    script += "".join(f"ask {words(q)}\n" for q in questions)
    flags = {"bash": ["--norc"], "zsh": ["-f"], "fish": ["--no-config"]}[shell]
    lines = [line for line in run(shell, *flags, stdin=script).splitlines()
             if line.strip() or shell != "fish"]
    if len(lines) != len(questions):
        sys.exit(f"{len(questions)} questions, {len(lines)} answers")
    return [set(re.sub(r"=(?= |$)", "", line).split()) - {"*:file:_files"} for line in lines]


commands = re.findall(r"^  ([a-z][a-z ]*[a-z])  ", run(causal, "help"), re.M)
assert "run" in commands and "db prof" in commands, commands
expected = [{c.split()[0] for c in commands} | {"help"},
            {c.split()[1] for c in commands if c.startswith("db ")}]
questions = [["causal", ""], ["causal", "db", ""]]
for command in commands:
    options = re.findall(r"^  (--?[A-Za-z][\w-]*)", run(causal, "help", *command.split()), re.M)
    assert "--help" in options, (command, options)
    # fish offers an option of one letter only behind a single dash.
    expected.append({o for o in options if shell != "fish" or o.startswith("--")})
    questions.append(["causal", *command.split(), "--" if shell == "fish" else "-"])

bad = 0
for question, want, have in zip(questions, expected, answers(questions)):
    if want != have:
        bad += 1
        print(f"{' '.join(question)}: missing {sorted(want - have)}, too much {sorted(have - want)}")
print(f"{shell}: {len(questions)} questions, {bad} differ")
sys.exit(bool(bad))
