"""What mode=continuous costs: user and system CPU time of whole runs, with and without.

    python3 overhead.py [--pairs 16] [--options mode=continuous] PROGRAM [ARGUMENT...]

Runs come in pairs, in random order within each. Prints the median of the ratios with the
95 % interval of that median (bootstrap), and of the time without the spread of its runs."""
import argparse
import os
import random
import shutil
import statistics
import subprocess
import tempfile

parser = argparse.ArgumentParser()
parser.add_argument("--pairs", type=int, default=16)
parser.add_argument("--options", default="mode=continuous")
parser.add_argument("program", nargs=argparse.REMAINDER)
args = parser.parse_args()
db = tempfile.mkdtemp(prefix="causal-overhead")


def cpu_time(options):
    before = os.times()
    subprocess.run(args.program, check=True, stdout=subprocess.DEVNULL,
                   env=dict(os.environ, CAUSAL_OPTIONS=options))
    after = os.times()
    return (after.children_user + after.children_system
            - before.children_user - before.children_system)


ways = {"without": "enabled=0", "with": f"{args.options}:db={db}/db"}
cpu_time(ways["without"])  # Into the caches.
ratios, base = [], []
for _ in range(args.pairs):
    times = {}
    for way in random.sample(list(ways), 2):
        times[way] = cpu_time(ways[way])
    ratios.append(times["with"] / times["without"])
    base.append(times["without"])
shutil.rmtree(db)
medians = sorted(statistics.median(random.choices(ratios, k=len(ratios))) for _ in range(2000))
name = os.path.basename(args.program[0])
print(f"| {name} | {statistics.median(base):.2f} s ± {100 * statistics.stdev(base) / statistics.mean(base):.1f} % "
      f"| {100 * statistics.median(ratios) - 100:+.2f} % "
      f"| {100 * medians[50] - 100:+.2f} to {100 * medians[1949] - 100:+.2f} % |")
