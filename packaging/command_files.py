#!/usr/bin/env python3
"""Makes manual pages and shell completion from what the programs say in their help.

usage: command_files.py CAUSAL CAUSAL_CLANG OUT

CAUSAL and CAUSAL_CLANG are programs that run here. The build calls this; OUT gets man/man1/*.1,
and completion for bash, zsh and fish in the folders that packages have for it. It fails when the help has a form that it does
not know, so that no option is left out in silence.
"""
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


@dataclass
class Option:
    name: str  # with its dashes
    value: str = ""  # as in the help, without <>
    text: str = ""
    choices: list = field(default_factory=list)  # (value, text)

    @property
    def takes_value(self):
        return bool(self.value)

    @property
    def long(self):
        return self.name.startswith("--")


@dataclass
class Command:
    name: str  # "db prof"
    text: str
    usage: str = ""
    options: list = field(default_factory=list)
    example: str = ""


def parse_options(help_text):
    """The options in the help of a command, as LLVM's CommandLine library prints them."""
    options = []
    lines = help_text.split("OPTIONS:\n", 1)[1].split("\nExample:\n", 1)[0].splitlines()
    for line in lines:
        if not line.strip() or re.fullmatch(r"[A-Z][\w ]*:", line):
            continue
        if m := re.fullmatch(r"  (--?[\w-]+)(?:[= ]<(.+?)>)? +- (.*)", line):
            options.append(Option(m[1], m[2] or "", m[3]))
        elif (m := re.fullmatch(r"    =(\S+) +- *(.*)", line)) and options:
            options[-1].choices.append((m[1], m[2]))
        elif (m := re.fullmatch(r" {6,}(\S.*)", line)) and options:
            options[-1].text += " " + m[1]
        else:
            sys.exit(f"command_files: not understood in the help: {line!r}")
    values = {o.name: o.value for o in options}
    for o in options:
        if m := re.fullmatch(r"Alias for (--[\w-]+)", o.text):
            o.value = values.get(m[1], "")
        # --help-hidden is of no use: it lists the options of LLVM.
        o.text = re.sub(r" \(--help(-list)?-hidden for more\)", "", o.text)
    return options


def parse_causal(causal):
    overview = output(causal, "help")
    commands = []
    for line in overview.splitlines():
        if m := re.fullmatch(r"  ([a-z][a-z ]*[a-z])  +(.*)", line):
            commands.append(Command(m[1], m[2]))
    if not commands:
        sys.exit("command_files: causal help lists no command")
    for c in commands:
        text = output(causal, *c.name.split(), "--help")
        c.usage = re.search(r"^USAGE: (.*)$", text, re.M)[1]
        c.options = parse_options(text)
        if m := re.search(r"\nExample:\n\n(.*)", text):
            c.example = m[1].strip()
    return overview, commands


# --- manual pages


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    return "\\&" + text if text.startswith((".", "'")) else text


def page(name, version, text, sections):
    out = [f'.TH "{name.upper()}" 1 "" "causal {version}" "Causal profiler"',
           ".SH NAME", f"{roff(name)} \\- {roff(text)}"]
    for title, body in sections:
        if body:
            out += [f".SH {title}", *body]
    return "\n".join(out) + "\n"


def option_body(options):
    body = []
    for o in options:
        separator = "=" if o.long else " "
        value = f"{separator}\\fI{roff(o.value)}\\fR" if o.value else ""
        body += [".TP", f"\\fB{roff(o.name)}\\fR{value}", roff(o.text)]
        for value, text in o.choices:
            body += [".RS", ".TP", f"\\fB{roff(value)}\\fR", roff(text) or "\\&", ".RE"]
    return body


def page_name(command):
    return "causal-" + command.name.replace(" ", "-")


def write_pages(overview, commands, version, out):
    out.mkdir(parents=True, exist_ok=True)
    first = overview.splitlines()[0]
    names = [page_name(c) for c in commands]
    see = [", ".join(f"\\fB{roff(n)}\\fR(1)" for n in ["causal", "causal-clang", *names])]
    listed = []
    for c in commands:
        listed += [".TP", f"\\fBcausal {roff(c.name)}\\fR", roff(c.text)]
    (out / "causal.1").write_text(page(
        "causal", version, re.sub(r"^causal ", "", first).rstrip("."),
        [("SYNOPSIS", ["\\fBcausal\\fR \\fICOMMAND\\fR [\\fIoptions\\fR]"]),
         ("COMMANDS", listed),
         ("ENVIRONMENT", [".TP", "\\fBCAUSAL_OPTIONS\\fR",
                          "Options of a program that is profiled. "
                          "\\fBCAUSAL_OPTIONS=help=1 ./program\\fR lists them."]),
         ("SEE ALSO", see)]))
    for c in commands:
        (out / f"{page_name(c)}.1").write_text(page(
            page_name(c), version, c.text,
            [("SYNOPSIS", [roff(c.usage)]),
             ("OPTIONS", option_body(c.options)),
             ("EXAMPLE", [".nf", roff(c.example), ".fi"] if c.example else []),
             ("SEE ALSO", see)]))


def write_wrapper_page(help_text, version, out):
    options = re.findall(r"^  (-\S*causal\S*) +(\S.*)$", help_text, re.M)
    if not options:
        sys.exit("command_files: causal-clang --causal-help names no option of ours")
    body = []
    for name, text in options:
        body += [".TP", f"\\fB{roff(name)}\\fR", roff(text)]
    text = page(
        "causal-clang", version, "clang 19 that builds programs for the causal profiler",
        [("SYNOPSIS", ["\\fBcausal\\-clang\\fR | \\fBcausal\\-clang++\\fR "
                       "[\\fB\\-fcausal\\-profile\\fR] [\\fIclang options\\fR] \\fIfile\\fR..."]),
         ("DESCRIPTION", ["Runs clang 19 with all options that it was given. Options below are its own."]),
         ("OPTIONS", body),
         ("EXAMPLE", [".nf", roff("causal-clang++ -fcausal-profile -O2 server.cpp -o server"), ".fi"]),
         ("SEE ALSO", ["\\fBcausal\\fR(1), \\fBclang\\-19\\fR(1)"])])
    (out / "causal-clang.1").write_text(text)
    (out / "causal-clang++.1").write_text(".so man1/causal-clang.1\n")


# --- completion: templates in this folder get the tables


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def spelled(option):
    return option.name + ("=" if option.takes_value and option.long else "")


def bash_tables(commands):
    names = [c.name for c in commands]
    top = list(dict.fromkeys(n.split()[0] for n in names)) + ["help"]
    rows = [f"_causal_commands={quoted(' '.join(top))}",
            f"_causal_db={quoted(' '.join(n.split()[1] for n in names if ' ' in n))}",
            "_causal_options() {", "  case $1 in"]
    for c in commands:
        rows.append(f"    {quoted(c.name)}) echo {quoted(' '.join(spelled(o) for o in c.options))} ;;")
    rows += ["  esac", "}", "_causal_values() {", "  case $1 in"]
    for c in commands:
        for o in c.options:
            if o.choices:
                choices = " ".join(value for value, _ in o.choices)
                rows.append(f"    {quoted(c.name + ' ' + o.name)}) echo {quoted(choices)} ;;")
    return "\n".join(rows + ["  esac", "}"])


def zsh_text(text):
    return re.sub(r"([\[\]:\\])", r"\\\1", text)


def zsh_tables(commands):
    def described(pairs):
        return " ".join(quoted(f"{zsh_text(name)}:{text}") for name, text in pairs)
    groups = [(c.name, c.text) for c in commands if " " not in c.name]
    groups += [("db", "Ask a database of always-on profiles"), ("help", "List commands, or options")]
    rows = [f"_causal_commands=({described(groups)})",
            f"_causal_db=({described((c.name.split()[1], c.text) for c in commands if ' ' in c.name)})",
            "_causal_arguments() {", "  case $1 in"]
    for c in commands:
        specs = []
        for o in c.options:
            spec = o.name + ("=" if spelled(o).endswith("=") else "") + f"[{zsh_text(o.text)}]"
            if o.choices:
                spec += ":value:(" + " ".join(value for value, _ in o.choices) + ")"
            elif o.takes_value:
                spec += f":{zsh_text(o.value)}:_files"
            specs.append(quoted(spec))
        rows.append(f"    {quoted(c.name)}) _arguments {' '.join(specs)} '*:file:_files' ;;")
    return "\n".join(rows + ["  esac", "}"])


def fish_text(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def fish_tables(commands):
    rows = []
    for c in commands:
        words = c.name.split()
        before = "db" if len(words) == 2 else ""
        rows.append(f"complete -c causal -n '__causal_command_is {fish_text(before)[1:-1]}' -f "
                    f"-a {words[-1]} -d {fish_text(c.text)}")
        for o in c.options:
            flag = f"-l {o.name[2:]}" if o.long else f"-s {o.name[1:]}"
            row = f"complete -c causal -n '__causal_command_is {c.name}' {flag} -d {fish_text(o.text)}"
            if o.choices:
                row += f" -x -a {fish_text(' '.join(v for v, _ in o.choices))}"
            elif o.takes_value:
                row += " -r -F"
            rows.append(row)
    return "\n".join(rows)


def main():
    causal, causal_clang, out = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    version = output(causal, "--version").split()[1]
    overview, commands = parse_causal(causal)
    write_pages(overview, commands, version, out / "man" / "man1")
    write_wrapper_page(output(causal_clang, "--causal-help"), version, out / "man" / "man1")
    here = Path(__file__).parent
    for shell, name, tables in (
            ("bash", "bash-completion/completions/causal", bash_tables),
            ("zsh", "zsh/vendor-completions/_causal", zsh_tables),
            ("fish", "fish/vendor_completions.d/causal.fish", fish_tables)):
        template = (here / f"completion.{shell}").read_text()
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_text(template.replace("@TABLES@", tables(commands)))


if __name__ == "__main__":
    main()
