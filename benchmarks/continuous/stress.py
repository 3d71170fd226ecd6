"""Many processes and two collectors, all killed at random; then sums are checked.

    python3 stress.py TOOL PROGRAM [--processes 200] [--short 50] [--seconds 10]

PROGRAM burns CPU time until it is killed, or as many rounds as its argument says."""
import argparse
import json
import os
import random
import shutil
import subprocess
import tempfile
import time

parser = argparse.ArgumentParser()
parser.add_argument("tool")
parser.add_argument("program")
parser.add_argument("--processes", type=int, default=200)
parser.add_argument("--short", type=int, default=50, help="short processes a second")
parser.add_argument("--seconds", type=float, default=10)
args = parser.parse_args()
base = tempfile.mkdtemp(prefix="causal-stress")
db = os.path.join(base, "db")
environment = dict(os.environ, CAUSAL_OPTIONS=f"mode=continuous:db={db}:sample_period_us=500")


def start(rounds):
    return subprocess.Popen([args.program, str(rounds)], env=environment,
                            stdout=subprocess.DEVNULL)


def collect():
    return subprocess.Popen([args.tool, "db", "collect", db], stdout=subprocess.DEVNULL)


long = [start(1000000) for _ in range(args.processes)]
short, collectors, kills, ended = [], [], [0, 0], 0
begin = time.monotonic()
while (now := time.monotonic() - begin) < args.seconds:
    while ended + len(short) < now * args.short:
        short.append(start(random.randrange(20)))
    ended += sum(p.poll() is not None for p in short)
    short = [p for p in short if p.poll() is None]
    collectors = [c for c in collectors if c.poll() is None]
    while len(collectors) < 2:
        collectors.append(collect())
    if random.random() < 0.3:
        victim = random.choice(collectors)
        victim.kill()
        kills[1] += 1
    if long and random.random() < 0.5:
        victim = long.pop(random.randrange(len(long)))
        victim.kill()
        victim.wait()
        kills[0] += 1
        if kills[0] > 100:
            long.append(start(1000000))
    time.sleep(0.02)
for process in long:
    process.kill()
    kills[0] += 1
for process in long + short + collectors:
    process.wait()
assert collect().wait() == 0
p = json.loads(subprocess.run([args.tool, "db", "prof", "--format=json", db], check=True,
                              stdout=subprocess.PIPE).stdout)
rows = sum(row["samples"] for row in p["rows"])
left = [n for n in os.listdir(os.path.join(db, "spool")) if n.endswith(".seg")]
# Counted apart from the images, in the same delta as they.
export = os.path.join(base, "export")
subprocess.run([args.tool, "db", "export", "--format=csv", "-o", export, db], check=True)
taken = 0
with open(os.path.join(export, "totals.csv")) as table:
    next(table)
    for line in table:
        taken += int(line.split(",")[4])
print(f"{kills[0]} processes and {kills[1]} collectors killed, {ended} short processes ended: "
      f"{taken} samples taken = {rows} in images + {p['dropped']} dropped + "
      f"{p['unmapped']} in no image: {taken == rows + p['dropped'] + p['unmapped']}; "
      f"{len(left)} segments left")
shutil.rmtree(base)
assert taken == rows + p["dropped"] + p["unmapped"] and not left
