"""Writes a profile of two threads that share nothing, one line with a fifth of their time, and
units of work that differ in size much from experiment to experiment."""
import json
import random

rng = random.Random(1)
run = {"run": "a", "file": "/a.c", "line": 1, "function": "f"}
print(json.dumps({"type": "run", "version": 1, "run": "a", "exe": "/p", "build_id": "b", "pid": 1, "host": "h",
                  "time": 1, "options": "", "sampler": "perf-sigtrap", "period": 1000000}))
for index in range(45):
    speedup = (0, 25, 75)[index % 3]
    gain = speedup / 500
    unit = 1e5 * rng.lognormvariate(0, 1.2)
    visits = int(2e8 / unit / (1 - gain))
    effective = int(visits * unit * (1 - gain) / 2)
    delay = int(effective * gain / (1 - gain))
    print(json.dumps({"type": "experiment", **run, "index": index, "speedup": speedup, "start": index * 10**9,
                      "wall": effective + delay, "delay": delay, "samples": 100, "work": int(visits * unit * rng.gauss(1, 0.01)),
                      "unsettled": 0, "points": [{"name": "pixel", "kind": "throughput", "visits": visits}]}))
