"""spun.py PROFILE SPIN WORK: line SPIN is sampled, line WORK experimented on."""
import json
import sys

spin, work = map(int, sys.argv[2:])
records = [json.loads(text) for text in open(sys.argv[1])]
experiments = [r["line"] for r in records if r["type"] == "experiment"]
samples = max((r["samples"] for r in records if r["type"] == "line" and r["line"] == spin), default=0)
print(f"{samples} samples of {spin}; {experiments.count(spin)} experiments, {experiments.count(work)} on {work}")
assert samples > 20 # Of two seconds, however busy the machine is.
assert experiments.count(work) > 10
# A sample may fall between the loop's beginning and its first round.
assert experiments.count(spin) * 10 < len(experiments)
