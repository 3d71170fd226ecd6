#!/usr/bin/env python3
"""What an experiment costs a program besides the delays that it inserts.

  placebo.py [--seconds S] [--options CAUSAL_OPTIONS] LINE PROGRAM [ARG...]

profiles PROGRAM with every experiment on LINE (FILE:NUMBER). If that has next to no
samples, a virtual speedup inserts next to nothing, and should change nothing; with
--options=max_speedup=5, so that there is no other speedup than 5 %, no line should make
the program more than 5 % faster or slower. Prints by how much it is faster than at the
baseline, in percent: in the median, at the quartiles, and on average with the 95 %
interval; and how much of the time was delay. LINE has to be sampled now and then, or there
is no experiment. PROGRAM is stopped after S seconds, if it has not ended before."""
import argparse
import json
import os
import statistics
import subprocess
import tempfile

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--seconds", type=float, default=60)
parser.add_argument("--options", default="", metavar="CAUSAL_OPTIONS")
parser.add_argument("line")
parser.add_argument("program", nargs=argparse.REMAINDER)
options = parser.parse_args()

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "placebo.causal")
    env = dict(os.environ, CAUSAL_OPTIONS=f"output={path}:fixed_line='{options.line}':{options.options}")
    try:
        subprocess.run(options.program, env=env, stdout=subprocess.DEVNULL, timeout=options.seconds)
    except subprocess.TimeoutExpired:
        pass
    if not os.path.exists(path):
        parser.exit(1, f"{options.program[0]} wrote no profile: build it with -fcausal-profile\n")
    with open(path) as profile:
        records = [json.loads(record) for record in profile]
experiments = [record for record in records if record["type"] == "experiment"]


def time_per_visit(experiment):
    point = experiment["points"][0]
    return point["span"] / point["span_visits"]


baselines = [time_per_visit(e) for e in experiments if e["speedup"] == 0]
sped_up = [e for e in experiments if e["speedup"]]
times = [time_per_visit(e) for e in sped_up]
if min(len(baselines), len(times)) < 2:
    parser.exit(1, f"too few experiments on {options.line}: run longer, or name a line that is sampled\n")
baseline = statistics.mean(baselines)
error = (statistics.variance(baselines) / len(baselines) + statistics.variance(times) / len(times)) ** 0.5
delay = sum(e["delay"] for e in sped_up) / sum(e["wall"] for e in sped_up)
quartiles = [1 - with_speedup / without
             for with_speedup, without in zip(statistics.quantiles(times), statistics.quantiles(baselines))]
print(f"{100 * quartiles[1]:+.1f} % faster (quartiles {100 * quartiles[0]:+.1f} and {100 * quartiles[2]:+.1f}, "
      f"mean {100 * (1 - statistics.mean(times) / baseline):+.1f} ±{196 * error / baseline:.1f}) "
      f"in {len(times)} experiments than in {len(baselines)} baselines; {100 * delay:.1f} % of the time delay")
