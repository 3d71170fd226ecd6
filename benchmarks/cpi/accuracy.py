#!/usr/bin/env python3
"""How right are frequencies? Against exact counts of the same binary by callgrind, for each
grade: the share of samples in blocks that are within 5, 10 and 15 %. docs/measurements/cpi.md
has the numbers.

  benchmarks/cpi/accuracy.py [--bin=build/dev/bin] [--work=DIR] [NAME...]

Needs valgrind and npm. Exit status 1 if a grade does not keep its rule: X within 0.1 % in all
blocks, M within 25 %; L promises nothing. Flow is checked too: of the executions of blocks
at most 0.5 % may be in blocks where it does not balance."""
import argparse
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = {
    "lz4": ("lz4@0.6.5", ["deps/lz4/lib/lz4.c", "deps/lz4/lib/lz4hc.c"], ["-I{src}/deps/lz4/lib"], 25),
    "zstd": ("zstd-napi@0.0.13", ["deps/zstd/lib/common/*.c", "deps/zstd/lib/compress/*.c",
                                  "deps/zstd/lib/decompress/*.c"],
             ["-I{src}/deps/zstd/lib", "-DZSTD_DISABLE_ASM", "-DDYNAMIC_BMI2=0"], 12),
    "sqlite": ("better-sqlite3@12.11.1", ["deps/sqlite3/sqlite3.c"],
               ["-I{src}/deps/sqlite3", "-DSQLITE_THREADSAFE=0", "-DSQLITE_OMIT_LOAD_EXTENSION"], 8),
}
RULES = {"X": 0.001, "M": 0.25}


def fetch(package, work):
    name = package.replace("@", "-")
    if not os.path.isdir(f"{work}/{name}"):
        os.makedirs(f"{work}/{name}")
        subprocess.run(["npm", "pack", "--silent", package], cwd=work, check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["tar", "xzf", f"{work}/{name}.tgz", "-C", f"{work}/{name}"], check=True)
    return f"{work}/{name}/package"


def build(args, name, kind):
    package, sources, flags, _ = PROGRAMS[name]
    program = f"{args.work}/{name}.{kind}"
    source = fetch(package, args.work)
    files = [f for pattern in sources for f in sorted(glob.glob(f"{source}/{pattern}"))]
    # No PIE: callgrind tells the addresses of the file.
    if not os.path.exists(program):
        subprocess.run([f"{args.bin}/causal-clang", f"-fcausal-profile={kind}", "-O2", "-w", "-no-pie", "-Wl,--build-id",
                        *(f.format(src=source) for f in flags), f"{HERE}/workloads/{name}.c", *files, "-lm",
                        "-o", program], check=True)
    return program


def callgrind(args, name, program, environment):
    """Executions by address of instruction."""
    out = f"{args.work}/{name}.callgrind"
    if not os.path.exists(out):
        # valgrind 3.19 cannot read DWARF 5.
        subprocess.run(["strip", "-o", f"{program}.stripped", program], check=True)
        subprocess.run(["valgrind", "--tool=callgrind", "--dump-instr=yes", "--compress-pos=no",
                        "--compress-strings=no", f"--callgrind-out-file={out}", f"{program}.stripped", "1"],
                       check=True, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    counts, ours, skip = {}, False, False
    for line in open(out):
        if line.startswith("ob="):
            ours = line.strip().endswith(".stripped")
        elif line.startswith("calls="):
            skip = True
        elif line.startswith("0x"):
            if ours and not skip:
                address, _, count = line.split()[:3]
                counts[int(address, 16)] = counts.get(int(address, 16), 0) + int(count)
            skip = False
    return counts


def analysed(args, program, probe, counts, runs):
    words = [f"--counts={counts}", f"--runs={runs}"] if counts else []
    text = subprocess.run([f"{args.bin}/causal", "db", "calc", "--format=json", f"--program={program}", *words, probe],
                          check=True, capture_output=True, text=True).stdout
    return json.loads(text)["procedures"]


def table(procedures, exact, runs):
    """By grade: samples, and those within each error; executions, and those out of balance."""
    rows, flow, unbalanced, edges = {}, 0, 0, {}
    for procedure in procedures:
        # Within a function one scale is free for what is estimated, as DCPI's tables had it.
        for block in procedure["blocks"]:
            if not block["instructions"] or not block["samples"]:
                continue
            true = exact.get(block["instructions"][0]["at"], 0) * runs
            error = abs(block["executions"] / true - 1) if true else float("inf") if block["executions"] else 0
            row = rows.setdefault(block["grade"], [0, 0, 0, 0, 0, 0])
            row[0] += block["samples"]
            for i, bound in enumerate((0.05, 0.10, 0.15, 0.25)):
                row[1 + i] += block["samples"] * (error <= bound)
            row[5] = max(row[5], error)
            flow += block["executions"]
            if block["imbalance"] > 0.005 * max(block["executions"], 1):
                unbalanced += block["executions"]
            for edge in block["edges"]:
                e = edges.setdefault(edge["grade"], 0)
                edges[edge["grade"]] = e + edge["executions"]
    return rows, unbalanced / max(flow, 1), edges


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default="build/dev/bin")
    parser.add_argument("--work", help="keeps what was built and counted")
    parser.add_argument("--period-us", type=int, default=250)
    parser.add_argument("names", nargs="*", default=list(PROGRAMS))
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        args.work = args.work or directory
        os.makedirs(args.work, exist_ok=True)
        environment = dict(os.environ, CAUSAL_OPTIONS="enabled=0")
        failures = []
        print(f"{'program':8} {'grade':5} {'samples':>8} {'5 %':>6} {'10 %':>6} {'15 %':>6} {'25 %':>6} {'worst':>9}")
        for name in args.names:
            runs = PROGRAMS[name][3]
            program, counting = build(args, name, "cpi"), build(args, name, "count")
            counts, probe = f"{args.work}/{name}.counts", f"{args.work}/{name}.probe"
            run = dict(check=True, env=environment, stdout=subprocess.DEVNULL)
            subprocess.run([f"{args.bin}/causal", "db", "count", "-o", counts, "--", counting, "1"], **run)
            subprocess.run([f"{args.bin}/causal", "db", "probe", f"--period-us={args.period_us}", "-o", probe, "--",
                            program, str(runs)], **run)
            exact = callgrind(args, name, program, environment)
            for given in (counts, None):
                rows, unbalanced, edges = table(analysed(args, program, probe, given, runs), exact, runs)
                for grade, (samples, *within, worst) in sorted(rows.items()):
                    print(f"{name:8} {grade:5} {samples:8.0f} " +
                          " ".join(f"{100 * w / samples:5.1f}%" for w in within) + f" {100 * worst:8.2f}%", flush=True)
                    if grade in RULES and worst > RULES[grade]:
                        failures.append(f"{name}: a block of grade {grade} is {100 * worst:.1f} % off")
                print(f"{name:8} executions of edges by grade: " + ", ".join(
                    f"{g} {100 * e / max(sum(edges.values()), 1):.2f} %" for g, e in sorted(edges.items())) +
                      f"; in blocks out of balance: {100 * unbalanced:.3f} %")
                if unbalanced > 0.005:
                    failures.append(f"{name}: {100 * unbalanced:.2f} % of executions are out of balance")
        for failure in failures:
            print("FAILED:", failure)
        sys.exit(1 if failures else 0)


main()
