"""accrued.py PROFILE: fails unless delays were what samples of the line stand for, half of
their period each, from the sixth experiment on, when roles are known. Half or twice as much
passes: machines are busy."""
import json
import sys

period = pauses = samples = 0
for line in open(sys.argv[1]):
    record = json.loads(line)
    if record["type"] == "run":
        period = record["period"]
    elif record["type"] == "experiment" and record["index"] >= 5:
        pauses += record["pause"]
        samples += record["samples"]
expected = samples * period * 0.5
print(f"{pauses / 1e6:.1f} ms of pauses, {expected / 1e6:.1f} expected, {samples} samples")
sys.exit(samples < 10 or not expected / 2 < pauses < 2 * expected)
