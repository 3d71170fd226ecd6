"""sample_count.py PROFILE FUNCTION MIN MAX: bounds on the samples of a function."""
import json
import sys

profile, function, low, high = sys.argv[1:]
lines = {}
for text in open(profile):
    record = json.loads(text)
    if record["type"] == "line" and record["function"] == function:
        lines[record["line"]] = record["samples"]
assert int(low) <= sum(lines.values()) <= int(high), lines
