"""rests.py PROFILE COUNT MS: fails unless the program was idle for half or more of COUNT rests of MS
each, some of it in experiments, and not while its threads worked."""
import json
import sys

records = [json.loads(line) for line in open(sys.argv[1])]
rests = int(sys.argv[2]) * int(sys.argv[3]) * 1e6
run, last = records[0], records[-1]
idle, undelayed = last.get("idle", 0), last.get("undelayed_idle", 0)
most = last["wall"] - 0.9 * last["cpu_time"] / run["cores"]
within = [(r.get("idle", 0), r["wall"]) for r in records if r["type"] == "experiment"]
print(f"idle {idle / 1e6:.0f} ms, {undelayed / 1e6:.0f} undelayed, of {rests / 1e6:.0f} and at most "
      f"{most / 1e6:.0f}; {sum(i for i, _ in within) / 1e6:.0f} in {len(within)} experiments")
sys.exit(not (0.5 * rests < idle < most and undelayed <= idle and undelayed <= last["undelayed_wall"]
              and any(i > 20e6 for i, _ in within) and all(i <= wall for i, wall in within)))
