"""Reads records of many runs: those that had experiments, closed with a final snapshot.
Ten programs work in Behaviour/processes.c, twice: with each sampler."""
import json
import sys

records = [json.loads(line) for line in sys.stdin]
worked = {r["run"] for r in records if r["type"] == "experiment"}
finished = {r["run"] for r in records if r["type"] == "snapshot" and r["final"]}
assert worked and worked <= finished, (worked - finished)
assert len({r["pid"] for r in records if r["type"] == "run"}) >= 6
