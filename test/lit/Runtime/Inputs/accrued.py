"""accrued.py PROFILE SHARE: fails unless threads were to pause for half of the CPU time that
the line took, SHARE of all work, from the sixth experiment on, when roles are known; give or
take a half. Where other programs have the cores it is less (law 9), so experiments in which
threads waited for one for long do not count."""
import json
import sys

pauses = work = 0
for line in open(sys.argv[1]):
    record = json.loads(line)
    if record["type"] == "experiment" and record["index"] >= 5 and record["core_wait"] < 0.5:
        pauses += record["pause"]
        work += record["work"]
expected = 0.5 * float(sys.argv[2]) * work
print(f"{pauses / 1e6:.1f} ms of pauses, {expected / 1e6:.1f} expected")
sys.exit(work > 200e6 and not expected / 2 < pauses < 1.5 * expected)
