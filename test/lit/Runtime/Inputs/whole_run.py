"""whole_run.py [LINE SPEEDUP] < PROFILE: the parent's run is one experiment, as long as the
run, on that line at that speedup; the child's run has none."""
import json
import sys

records = [json.loads(text) for text in sys.stdin]
experiments = [r for r in records if r["type"] == "experiment"]
assert len(experiments) == 1, experiments
e = experiments[0]
final = [r for r in records if r["type"] == "snapshot" and r["run"] == e["run"]][-1]
assert final["final"] and final["experiments"] == 1, final
assert e["points"] == [{"name": "run", "kind": "run", "visits": 1}], e
assert e["start"] == 0 and 0.9 * final["wall"] < e["wall"] <= final["wall"], (e, final)
if len(sys.argv) > 1:
    assert (e["line"], e["speedup"]) == tuple(map(int, sys.argv[1:3])), e
    assert e["samples"] > 20 and 0 < e["delay"] < e["wall"], e
