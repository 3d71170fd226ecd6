#!/usr/bin/env python3
"""ends.py PROGRAM WAY [OPTION...]: runs PROGRAM WAY, which has to end with 7, with a new profile;
prints what it said and the names and snapshots that the profile has."""
import glob
import json
import os
import subprocess
import sys

program, way = sys.argv[1:3]
for old in glob.glob(program + ".*.causal"):
    os.remove(old)
options = ":".join([f"output={program}.%p.causal"] + sys.argv[3:])
done = subprocess.run([program, way], env=dict(os.environ, CAUSAL_OPTIONS=options), text=True,
                      capture_output=True, timeout=300)
print(f"== {way}: {done.returncode}")
print(done.stderr, end="")
for path in sorted(glob.glob(program + ".*.causal"), key=os.path.getmtime):
    names, calls = {}, {}
    for line in open(path):
        r = json.loads(line)
        if r["type"] == "routine":
            names[r["id"]] = r["name"]
        elif r["type"] == "routine_total":
            calls[names[r["routine"]]] = calls.get(names[r["routine"]], 0) + r["calls"]
        elif r["type"] == "input_snapshot":
            print("snapshot", "final" if r["final"] else "", "lost", r["lost"])
    print("calls", *sorted(f"{n}:{c}" for n, c in calls.items()))
sys.exit(done.returncode != 7)
