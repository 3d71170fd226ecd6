#!/usr/bin/env python3
"""What profiling adds to the time from exec to exit of a program that does nothing.

  startup.py [-n RUNS] PLAIN PROFILED [ARG...]

runs the two programs in turn, pinned to one core, and prints the medians and the
median of the differences pair by pair, in milliseconds. ARGs go to both and should
make them end at once."""
import argparse
import os
import statistics
import subprocess
import time


def wall(command, env):
    begin = time.perf_counter()
    subprocess.run(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return 1000 * (time.perf_counter() - begin)


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("-n", type=int, default=200)
parser.add_argument("plain")
parser.add_argument("profiled")
parser.add_argument("args", nargs="*")
options = parser.parse_args()
os.sched_setaffinity(0, {0})
env = dict(os.environ, CAUSAL_OPTIONS="output=/dev/null")
pairs = []
for run in range(options.n + 5):
    pair = wall([options.plain, *options.args], env), wall([options.profiled, *options.args], env)
    if run >= 5:  # The first few fill the caches.
        pairs.append(pair)
print(f"plain    {statistics.median(p for p, _ in pairs):.3f} ms")
print(f"profiled {statistics.median(q for _, q in pairs):.3f} ms")
print(f"added    {statistics.median(q - p for p, q in pairs):.3f} ms (median of {options.n} pairs)")
