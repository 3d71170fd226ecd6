"""count_runs.py N < PROFILE: the profile has N runs, each with experiments, samples
and a final snapshot."""
import collections
import json
import sys

kinds = collections.defaultdict(collections.Counter)
for line in sys.stdin:
    record = json.loads(line)
    kinds[record["run"]][record["type"]] += 1
assert len(kinds) == int(sys.argv[1]), kinds
for run in kinds.values():
    assert run["run"] == 1 and run["experiment"] > 3 and run["line"] > 0 and run["snapshot"] > 0, kinds
