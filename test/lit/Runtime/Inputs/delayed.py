# Fails unless half of a profile's experiments with a speedup took that much of their time
# off, at least; and all of them less than all.
import json
import statistics
import sys

profile, least = sys.argv[1], float(sys.argv[2])
records = [json.loads(line) for line in open(profile)]
shares = [r["delay"] / r["wall"] for r in records if r["type"] == "experiment" and r["speedup"]]
print(shares)
sys.exit(not shares or statistics.median(shares) < least or max(shares) >= 1)
