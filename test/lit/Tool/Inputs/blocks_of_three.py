"""blocks_of_three.py < PROFILE: after the first one, experiments come in blocks of three on
one line each: at speedup 0, and at a small and a large one that are 105 together."""
import json
import sys

experiments = [r for r in map(json.loads, sys.stdin) if r["type"] == "experiment"]
assert len(experiments) == 7 and experiments[0]["speedup"] == 0, experiments
for at in (1, 4):
    block = experiments[at:at + 3]
    assert len({(e["file"], e["line"]) for e in block}) == 1, block
    speedups = sorted(e["speedup"] for e in block)
    assert speedups[0] == 0 and speedups[1] + speedups[2] == 105, speedups
