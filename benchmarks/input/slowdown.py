#!/usr/bin/env python3
"""slowdown.py --clang CAUSAL-CLANG++ --dir DIR [--sqlite DIR] [--reps N]: builds the programs here
natively, for input mode with cells of 4 and 8 bytes, and with ThreadSanitizer, and runs them
interleaved. Prints medians: wall and CPU time by the native one's, peak memory, and geometric means."""
import argparse
import math
import os
import statistics
import subprocess
import time

PROGRAMS = ["matmul:500", "nbody:40", "pipeline:2000", "sort:2", "tree:60000"]
parser = argparse.ArgumentParser()
parser.add_argument("--clang", required=True)
parser.add_argument("--dir", required=True)
parser.add_argument("--sqlite", help="where sqlite3.c is")
parser.add_argument("--reps", type=int, default=5)
parser.add_argument("--programs", nargs="*", default=PROGRAMS)
args = parser.parse_args()
here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "programs")
os.makedirs(args.dir, exist_ok=True)
KINDS = {"native": ["clang++-19"], "input": [args.clang, "-fcausal-profile=input"],
         "input-fast": [args.clang, "-fcausal-profile=input-fast"],
         "tsan": ["clang++-19", "-fsanitize=thread"]}
if args.sqlite:
    args.programs = args.programs + ["sqlite:20000"]


def build(name, kind):
    exe = os.path.join(args.dir, f"{name}.{kind}")
    if os.path.exists(exe):
        return exe
    command = [w.replace("clang++", "clang") for w in KINDS[kind]] if name == "sqlite" else KINDS[kind]
    if name != "sqlite":
        subprocess.run([*command, "-O2", "-w", f"{here}/{name}.cpp", "-o", exe, "-lpthread"], check=True)
        return exe
    flags = ["-O2", "-w", "-DSQLITE_THREADSAFE=2", "-DSQLITE_OMIT_LOAD_EXTENSION", f"-I{args.sqlite}"]
    before = time.time()
    subprocess.run([*command, *flags, "-c", f"{args.sqlite}/sqlite3.c", "-o", exe + ".o"], check=True)
    print(f"sqlite3.c {kind}: {time.time() - before:.0f} s to compile", flush=True)
    subprocess.run([*command, *flags, f"{here}/sqlite.c", exe + ".o", "-o", exe, "-lm", "-lpthread"], check=True)
    return exe


def run(exe, argument):
    before = time.time()
    environment = dict(os.environ, CAUSAL_OPTIONS="output=/dev/null", TSAN_OPTIONS="report_bugs=0")
    child = subprocess.Popen([exe, argument], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        print(f"{exe} ended with {status}")
    return time.time() - before, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


ratios = {kind: [] for kind in KINDS}
print(f"{'program':<16}" + "".join(f"{k + ': wall CPU MB':>26}" for k in KINDS), flush=True)
for item in args.programs:
    name, argument = item.split(":")
    exes = {kind: build(name, kind) for kind in KINDS}
    runs = {kind: [] for kind in KINDS}
    for _ in range(args.reps):
        for kind, exe in exes.items():
            runs[kind].append(run(exe, argument))
    median = {k: [statistics.median(r[i] for r in runs[k]) for i in range(3)] for k in KINDS}
    line = f"{item:<16}"
    for kind, (wall, cpu, memory) in median.items():
        base = median["native"]
        if kind == "native":
            line += f"{wall:>12.2f} s {cpu:.2f} s {memory:.0f}"
        else:
            ratios[kind].append((wall / base[0], cpu / base[1], memory / base[2]))
            line += f"{wall / base[0]:>16.1f}x {cpu / base[1]:.1f}x {memory:.0f}"
    print(line, flush=True)
for kind, rows in ratios.items():
    if rows:
        means = [math.exp(statistics.mean(math.log(r[i]) for r in rows)) for i in range(3)]
        print(f"geometric mean {kind}: wall {means[0]:.2f}x CPU {means[1]:.2f}x memory {means[2]:.2f}x")
