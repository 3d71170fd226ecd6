"""Checks the sums of a JSON report on a program that ran: each thread's states make up its life."""
import json
import sys

cpu = json.load(open(sys.argv[1]))["cpu"]
for thread in cpu["threads"]:
    states = thread["cpu_ns"] + sum(thread["off_ns"].values())
    assert abs(states - thread["wall_ns"]) <= 0.01 * thread["wall_ns"] + 1e6, thread
assert abs(cpu["stacks_ns"] - cpu["cpu_ns"]) <= 0.05 * cpu["cpu_ns"] + 5e6, (cpu["stacks_ns"], cpu["cpu_ns"])
print(len(cpu["threads"]), "threads add up")
