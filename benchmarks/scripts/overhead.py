#!/usr/bin/env python3
"""Throughput of a program under the profiler against the plain build.

  overhead.py [-n PAIRS] [--options CAUSAL_OPTIONS] [--rate REGEX] PLAIN PROFILED [ARG...]

runs the two in turn, A B B A, and prints the ratio plain/profiled - 1 pair by pair
(its median is the overhead). REGEX's first group is the rate in the program's
output. The default options keep the sampler on and insert no delay."""
import argparse
import os
import re
import statistics
import subprocess

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("-n", type=int, default=10)
parser.add_argument("--options", default="max_speedup=0:output=/dev/null")
parser.add_argument("--rate", default=r"([\d.]+) inserts per second")
parser.add_argument("plain")
parser.add_argument("profiled")
parser.add_argument("args", nargs="*")
options = parser.parse_args()
env = dict(os.environ, CAUSAL_OPTIONS=options.options)


def rate(program):
    output = subprocess.run([program, *options.args], env=env, check=True, capture_output=True, text=True).stdout
    return float(re.search(options.rate, output).group(1))


ratios = []
for run in range(options.n):
    if run % 2:
        profiled, plain = rate(options.profiled), rate(options.plain)
    else:
        plain, profiled = rate(options.plain), rate(options.profiled)
    ratios.append(plain / profiled - 1)
    print(f"plain {plain:.6g}  profiled {profiled:.6g}  overhead {100 * ratios[-1]:+.1f} %", flush=True)
print(f"median overhead {100 * statistics.median(ratios):+.2f} % over {options.n} pairs, "
      f"quartiles {' '.join(f'{100 * q:+.1f}' for q in statistics.quantiles(ratios, n=4))}")
