#!/usr/bin/env python3
# Part of the causal profiler, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the plugins cost when a source file is compiled, and what comes of it.

  compare.py --build DIR time  SOURCE [OPTION...]   CPU time, as a ratio
  compare.py --build DIR instructions SOURCE [OPTION...]   the same in instructions
  compare.py --build DIR size  SOURCE [OPTION...]   bytes of table, DWARF and code
  compare.py --build DIR code  SOURCE [OPTION...]   is the code the same?
  compare.py --build DIR lines SOURCE [OPTION...]   does it agree with DWARF?

DIR is a build of this project. Options go to the compiler. Times are those of the
process (user + system), of two builds at the same time on two cores, which they change
in every round: what else the machine does falls on both. Instructions are counted by
valgrind, 20 times as slowly, and are the same every time.
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
    subprocess.run(command, check=True)


def cpu_times(commands):
    """Runs commands at the same time, each on a core of its own; their CPU times in
    seconds."""
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < len(commands):
        sys.exit(f"compare.py: time needs {len(commands)} cores")
    processes = [subprocess.Popen(command, preexec_fn=lambda core=core: os.sched_setaffinity(0, [core]))
                 for command, core in zip(commands, cores)]
    times = []
    for process in processes:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, process.args)
        times.append(usage.ru_utime + usage.ru_stime)
    return times


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


def variants(compiler):
    return {"plugins": compiler.plugin, "-gline-tables-only": compiler.plain + ["-gline-tables-only"]}


def time(args, compiler, out):
    ratios = {name: [] for name in variants(compiler)}
    for i in range(args.rounds):
        for name, variant in variants(compiler).items():
            pair = [start + compiler.options + ["-c", args.source, "-o", out(str(n))]
                    for n, start in enumerate((compiler.plain, variant))]
            # Each core has each of them as often.
            plain, other = cpu_times(pair) if i % 2 == 0 else cpu_times(pair[::-1])[::-1]
            ratios[name].append(other / plain)
            print(f"round {i + 1}: plain {plain:.2f} s, {name} {other:.2f} s", flush=True)
    for name, all_of_it in ratios.items():
        print(f"{name:20} ratio: median {statistics.median(all_of_it):.3f}, geometric mean "
              f"{statistics.geometric_mean(all_of_it):.3f}, from {min(all_of_it):.3f} to {max(all_of_it):.3f}")


def instructions(args, compiler, out):
    def count(start):
        done = subprocess.run(
            ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=" + os.devnull]
            + start + compiler.options + ["-c", args.source, "-o", out("o")],
            check=True, capture_output=True, text=True)
        return int(re.search(r"I +refs: +([\d,]+)", done.stderr)[1].replace(",", ""))
    plain = count(compiler.plain)
    for name, variant in variants(compiler).items():
        other = count(variant)
        print(f"{name:20} {other:,} instructions, plain {plain:,}: ratio {other / plain:.4f}", flush=True)


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
    actions = {f.__name__: f for f in (time, instructions, size, code, lines)}
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
