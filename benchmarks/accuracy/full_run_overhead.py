#!/usr/bin/env python3
"""What a full causal run costs, delays included, beside Coz.

  full_run_overhead.py [--prefix PREFIX] [--seconds T] [--rounds N] [--sqlite DIR] [PROGRAM...]

For each accuracy program (and, with --sqlite, the SQLite example with the amalgamation
in DIR): a plain build, one under the profiler in PREFIX and one under Coz run in turn,
and the medians of plain rate / profiled rate - 1 are printed in percent. Both profilers
run with their default options; a rate counts items per wall second. A program that a
profiler does not finish has no number."""
import argparse
import collections
import os
import re
import statistics
import subprocess
import tempfile

import accuracy

ROOT = os.path.join(accuracy.HERE, "../../..")
TOOLS = ("causal", "coz")


def build(name, options, work):
    """{tool: command} for a program; the rate is the first number after rate= or before inserts."""
    flags, coz_flags = ["-O1", "-g"], ["-gdwarf-4", "-ldl"]
    if name == "sqlite":
        flags = ["-O3", "-g", "-DNDEBUG", "-std=gnu11", "-DSQLITE_THREADSAFE=2", "-DSQLITE_OMIT_LOAD_EXTENSION",
                 f"-I{options.sqlite}", f"{options.sqlite}/sqlite3.c", "-pthread", "-lm"]
        sources, suffix = [f"{ROOT}/examples/sqlite/sqlite_insert.c"], ""
        arguments = ["2", str(int(options.seconds))]
    else:
        sources, suffix = [f"{accuracy.HERE}/{name}.cpp"], "++"
        flags = accuracy.flags(sources[0])
        arguments = ["--seconds", str(options.seconds), "--speed", options.speed]
    include = f"-I{ROOT}/include"
    subprocess.run([f"clang{suffix}-19", include, *sources, *flags, "-o", f"{work}/plain"], check=True)
    subprocess.run([f"{options.prefix}/bin/causal-clang{suffix}", "-fcausal-profile", *sources, *flags, "-o", f"{work}/causal"], check=True)
    define = ["-include", f"{work}/progress.h"] if name == "sqlite" else ["-DUSE_COZ"]
    with open(f"{work}/progress.h", "w") as header:
        header.write('#include <causal/causal.h>\n#include <coz.h>\n#undef CAUSAL_PROGRESS_NAMED\n'
                     '#define CAUSAL_PROGRESS_NAMED(n) COZ_PROGRESS_NAMED(n)\n')
    subprocess.run([f"clang{suffix}-19", include, *define, *sources, *flags, *coz_flags, "-o", f"{work}/for-coz"], check=True)
    return {
        "plain": [f"{work}/plain", *arguments],
        "causal": [f"{work}/causal", *arguments],
        "coz": ["coz", "run", "-o", f"{work}/profile.coz", "-s", f"{accuracy.HERE}/%" if name != "sqlite" else f"{options.sqlite}/%",
                "---", f"{work}/for-coz", *arguments],
    }


def rate(command, work, limit=None):
    """Items per second. With a limit, in seconds: None where the command fails or takes longer."""
    environment = dict(os.environ, CAUSAL_OPTIONS=f"output={work}/profile.causal")
    try:
        output = subprocess.run(command, env=environment, check=True, capture_output=True, text=True, timeout=limit).stdout
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        if limit is None:
            raise
        return None
    return float(re.search(r"rate=([\d.]+)|([\d.]+) inserts per second", output).group().split("=")[-1].split()[0])


def row(name, overheads):
    cells = [f"{tool} {overheads[tool]:+6.1f} %" if tool in overheads else f"{tool}   none  " for tool in TOOLS]
    return f"{name:16s} {'   '.join(cells)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prefix", default=f"{ROOT}/build/prefix")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sqlite", help="folder with sqlite3.c and sqlite3.h")
    parser.add_argument("programs", nargs="*")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        options.speed = accuracy.calibrate(work)
    names = options.programs or sorted(f[:-4] for f in os.listdir(accuracy.HERE) if f.endswith(".cpp"))
    limit = 20 + 10 * options.seconds
    overheads = collections.defaultdict(list)
    for name in names + (["sqlite"] if options.sqlite else []):
        costs = collections.defaultdict(list)
        with tempfile.TemporaryDirectory() as work:
            commands = build(name, options, work)
            for _ in range(options.rounds):
                before = rate(commands["plain"], work)
                for tool in TOOLS:
                    profiled = rate(commands[tool], work, limit)
                    after = rate(commands["plain"], work)
                    if profiled:
                        costs[tool].append(100 * ((before + after) / 2 / profiled - 1))
                    before = after
        medians = {tool: statistics.median(values) for tool, values in costs.items()}
        for tool, value in medians.items():
            overheads[tool].append(value)
        print(row(name, medians), flush=True)
    print(row("mean", {tool: statistics.mean(values) for tool, values in overheads.items()}))


main()
