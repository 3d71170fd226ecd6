# Whether the samples of lines, and those that fell into none, stand for the time that was
# sampled, as its period says; and how much that is of the process's CPU time.
import json
import sys

records = [json.loads(line) for line in open(sys.argv[1])]
period = records[0]["period"]
snapshot = [r for r in records if r["type"] == "snapshot"][-1]
lost = snapshot["losses"]
samples = sum(r["samples"] for r in records if r["type"] == "line" and r["snapshot"] == snapshot["index"])
samples += lost["unmapped"] + lost["out_of_scope"]
print(samples, snapshot["sampled_time"] / period, 0.9 < samples * period / snapshot["sampled_time"] < 1.1)
print("of all:", round(snapshot["sampled_time"] / snapshot["cpu_time"], 1))
