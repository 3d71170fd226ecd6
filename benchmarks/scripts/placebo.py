#!/usr/bin/env python3
"""What an experiment costs a program besides the delays that it inserts.

  placebo.py [--seconds S] LINE PROGRAM [ARG...]

profiles PROGRAM with every experiment on LINE (FILE:NUMBER), which should have next to no
samples: then a virtual speedup inserts next to nothing, and should change nothing. Prints
by how much the program is faster with one than at the baseline, in percent, with the 95 %
interval, and how much of the time was delay. LINE has to be sampled now and then, or there
is no experiment. PROGRAM is stopped after S seconds, if it has not ended before."""
import argparse
import json
import os
import statistics
import subprocess
import tempfile

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--seconds", type=float, default=60)
parser.add_argument("line")
parser.add_argument("program", nargs=argparse.REMAINDER)
options = parser.parse_args()

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "placebo.causal")
    env = dict(os.environ, CAUSAL_OPTIONS=f"output={path}:fixed_line='{options.line}'")
    try:
        subprocess.run(options.program, env=env, stdout=subprocess.DEVNULL, timeout=options.seconds)
    except subprocess.TimeoutExpired:
        pass
    with open(path) as profile:
        records = [json.loads(record) for record in profile]
experiments = [record for record in records if record["type"] == "experiment"]


def time_per_visit(experiment):
    point = experiment["points"][0]
    return point["span"] / point["span_visits"]


baselines = [time_per_visit(e) for e in experiments if e["speedup"] == 0]
sped_up = [e for e in experiments if e["speedup"]]
times = [time_per_visit(e) for e in sped_up]
baseline = statistics.mean(baselines)
error = (statistics.variance(baselines) / len(baselines) + statistics.variance(times) / len(times)) ** 0.5
delay = sum(e["delay"] for e in sped_up) / sum(e["wall"] for e in sped_up)
print(f"{100 * (1 - statistics.mean(times) / baseline):+.1f} ±{196 * error / baseline:.1f} % faster "
      f"in {len(times)} experiments than in {len(baselines)} baselines; {100 * delay:.1f} % of the time delay")
