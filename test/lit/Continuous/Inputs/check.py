"""check.py DB TOOL [--least N] [--name NAME ...]: what `causal db prof` says of a database adds up.

The samples of all rows, those dropped and those in no image are all that were taken, by
function, image and line alike; each NAME is a function or an image with samples."""
import argparse
import json
import subprocess

parser = argparse.ArgumentParser()
parser.add_argument("db")
parser.add_argument("tool")
parser.add_argument("--least", type=int, default=1)
parser.add_argument("--unmapped", type=int, default=0, help="at least so many in no image")
parser.add_argument("--name", action="append", default=[])
parser.add_argument("--ratio", nargs=2, help="the first has more samples than the second")
args = parser.parse_args()

sums = set()
names = {}
for by in ("function", "image", "line", "host", "epoch"):
    text = subprocess.run([args.tool, "db", "prof", f"--by={by}", "--format=json", args.db],
                          check=True, stdout=subprocess.PIPE).stdout
    p = json.loads(text)
    rows = sum(row["samples"] for row in p["rows"])
    assert rows + p["dropped"] + p["unmapped"] == p["samples"], p
    assert p["time_ns"] > 0, p
    sums.add((p["samples"], p["dropped"], p["unmapped"], p["time_ns"]))
    for row in p["rows"]:
        name = row["name"].rsplit("/", 1)[-1]
        names[name] = names.get(name, 0) + row["samples"]
assert len(sums) == 1, sums
samples, dropped, unmapped, _ = sums.pop()
assert samples >= args.least, samples
assert unmapped >= args.unmapped, unmapped
for name in args.name:
    assert names.get(name), (name, names)
if args.ratio:
    assert names[args.ratio[0]] > names[args.ratio[1]], names
print(f"{samples} samples add up")
