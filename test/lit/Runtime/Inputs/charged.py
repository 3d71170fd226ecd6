"""charged.py PROFILE: pauses asked for, against samples x period x speedup."""
import json
import sys

asked = due = 0
for text in open(sys.argv[1]):
    record = json.loads(text)
    if record["type"] == "run":
        period = record["period"]
    if record["type"] == "experiment":
        asked += record["pause"]
        due += record["samples"] * period * record["speedup"] / 100
print(f"asked for {asked / 1e6:.1f} ms, due {due / 1e6:.1f} ms")
assert due > 20e6, "too few samples in the line"
assert 0.5 < asked / due < 1.5 # Contended cores are not known that well.
