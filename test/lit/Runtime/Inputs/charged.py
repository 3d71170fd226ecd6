"""charged.py PROFILE: pauses asked for, against samples x period x speedup."""
import json
import sys

CONTENDED = 0.25  # Waiting for a core per time on one: beyond, progress is known roughly only.

asked = due = contended = 0
for text in open(sys.argv[1]):
    record = json.loads(text)
    if record["type"] == "run":
        period = record["period"]
    if record["type"] == "experiment":
        if record["core_wait"] > CONTENDED:
            contended += 1
            continue
        asked += record["pause"]
        due += record["samples"] * period * record["speedup"] / 100
print(f"asked for {asked / 1e6:.1f} ms, due {due / 1e6:.1f} ms, {contended} contended experiments left out")
assert contended or due > 20e6, "too few samples in the line"
assert due < 20e6 or 0.6 < asked / due < 1.4
