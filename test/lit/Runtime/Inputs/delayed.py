# Fails unless a profile's experiments with a speedup took that much of their time off, at
# least; and all of them less than all.
import json
import sys

profile, least = sys.argv[1], float(sys.argv[2])
records = [json.loads(line) for line in open(profile)]
experiments = [r for r in records if r["type"] == "experiment" and r["speedup"]]
wall, delay = (sum(r[key] for r in experiments) for key in ("wall", "delay"))
print(f"{delay} of {wall} ns")
sys.exit(not experiments or delay < least * wall or any(r["delay"] >= r["wall"] for r in experiments))
