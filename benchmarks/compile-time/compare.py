#!/usr/bin/env python3
# Part of the causal profiler, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the plugins cost when a source file is compiled, and what comes of it.

  compare.py --build DIR time  SOURCE [OPTION...]   CPU time, as a ratio
  compare.py --build DIR size  SOURCE [OPTION...]   bytes of table, DWARF and code
  compare.py --build DIR code  SOURCE [OPTION...]   is the code the same?
  compare.py --build DIR lines SOURCE [OPTION...]   does it agree with DWARF?

DIR is a build of this project. Options go to the compiler. Times are those of the
process (user + system), of builds that take turns: a round is one of each, and the
ratio of a round is less sensitive to what else the machine does than any time.
"""
import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile

TEST_TOOLS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "test", "tools")


def run(command):
    """Runs a command and returns its CPU time in seconds."""
    before = os.times()
    subprocess.run(command, check=True)
    after = os.times()
    return (after.children_user - before.children_user
            + after.children_system - before.children_system)


class Compiler:
    def __init__(self, args):
        lib = os.path.join(args.build, "lib", "causal")
        off = [f"-Xclang -mllvm -Xclang -causal-{part}=false".split()
               for part in ("sync", "module-setup")]
        self.plain = [args.clang]
        self.plugin = [args.clang, f"-fplugin={lib}/CausalFrontend.so",
                       f"-fpass-plugin={lib}/CausalPass.so"]
        self.table_only = self.plugin + off[0] + off[1]
        self.options = args.options


def time(args, compiler, out):
    variants = {"plain": compiler.plain, "plugins": compiler.plugin,
                "-gline-tables-only": compiler.plain + ["-gline-tables-only"]}
    seconds = {name: [] for name in variants}
    names = list(variants)
    for i in range(args.rounds):
        # No variant is always the first.
        for name in names[i % len(names):] + names[:i % len(names)]:
            command = variants[name] + compiler.options + ["-c", args.source, "-o", out("o")]
            seconds[name].append(run(command))
        print(f"round {i + 1}: " + ", ".join(f"{name} {times[-1]:.2f} s" for name, times in seconds.items()),
              flush=True)
    best = min(seconds["plain"])
    for name, times in seconds.items():
        ratios = [a / b for a, b in zip(times, seconds["plain"])]
        print(f"{name:20} ratio: median {statistics.median(ratios):.3f}, from {min(ratios):.3f} "
              f"to {max(ratios):.3f}; of the best times {min(times) / best:.3f}")


def size(args, compiler, out):
    run(compiler.table_only + compiler.options + ["-gline-tables-only", "-c", args.source, "-o", out("o")])
    text = subprocess.run([os.path.join(args.tools, "llvm-readelf"), "-SW", out("o")],
                          check=True, capture_output=True, text=True).stdout
    sizes = {"code": 0, "causal_fn": 0, "causal_ln": 0, ".causal_str": 0, "DWARF": 0}
    pattern = r"\] (\S+) +(?:PROGBITS|X86_64_UNWIND) +\S+ +\S+ (\S+) \S+ +(\w*)"
    for name, length, flags in re.findall(pattern, text):
        key = "code" if "X" in flags else "DWARF" if name.startswith(".debug") else name
        if key in sizes:
            sizes[key] += int(length, 16)
    table = sizes["causal_fn"] + sizes["causal_ln"] + sizes[".causal_str"]
    print(", ".join(f"{name} {n}" for name, n in sizes.items()))
    print(f"table {table}: {table / sizes['DWARF']:.1%} of DWARF, {table / sizes['code']:.1%} of code")


def code(args, compiler, out):
    run(compiler.plain + compiler.options + ["-c", args.source, "-o", out("a.o")])
    run(compiler.table_only + compiler.options + ["-c", args.source, "-o", out("b.o")])
    run([sys.executable, os.path.join(TEST_TOOLS, "compare_code.py"),
         "--readobj", os.path.join(args.tools, "llvm-readobj"), out("a.o"), out("b.o")])


def lines(args, compiler, out):
    # One IR gives both files: the locations are the same, one has DWARF made of them.
    run(compiler.table_only + compiler.options + ["-S", "-emit-llvm", args.source, "-o", out("a.ll")])
    with open(out("a.ll")) as source, open(out("b.ll"), "w") as result:
        for line in source:
            result.write(line.replace("emissionKind: NoDebug", "emissionKind: LineTablesOnly"))
    for name in ("a", "b"):
        run(compiler.plugin + compiler.options
            + ["-Xclang", "-disable-llvm-passes", "-fuse-ld=lld", "-pie", "-nostdlib", "-Wl,-e,0",
               "-Wl,--unresolved-symbols=ignore-all", out(name + ".ll"), "-o", out(name)])
    run([sys.executable, os.path.join(TEST_TOOLS, "compare_lines.py"), "--tools", args.tools,
         "--dump", os.path.join(args.build, "test", "tools", "linemap-dump"), out("a"), out("b")])


def main():
    actions = {f.__name__: f for f in (time, size, code, lines)}
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", required=True, help="build directory of this project")
    parser.add_argument("--tools", default="/usr/lib/llvm-19/bin", help="directory of LLVM's tools")
    parser.add_argument("--clang", default="clang-19", help="compiler (clang++-19 for C++)")
    parser.add_argument("--rounds", type=int, default=7, help="rounds of time")
    parser.add_argument("action", choices=actions)
    parser.add_argument("source")
    args, args.options = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as directory:
        try:
            actions[args.action](args, Compiler(args), lambda name: os.path.join(directory, name))
        except subprocess.CalledProcessError as error:
            sys.exit(f"compare.py: failed: {' '.join(error.cmd)}")


main()
