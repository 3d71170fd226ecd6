"""From the counts of `causal db count`: how often each block of a function ran, sorted."""
import json
import sys

for line in open(sys.argv[1]):
    record = json.loads(line)
    if record["record"] == "procedure" and record["name"] == sys.argv[2]:
        print(sys.argv[2], *sorted((count for _, count in record["blocks"]), reverse=True))
