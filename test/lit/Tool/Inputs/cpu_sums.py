"""Checks that the states of every thread of a JSON report add up to its life."""
import json
import sys

cpu = json.load(open(sys.argv[1]))["cpu"]
states = {"lock", "wait", "io", "sleep", "join", "runqueue", "pagefault", "idle", "other", "unexplained"}
for thread in cpu["threads"]:
    off = thread["off_ns"]
    assert set(off) == states, off
    assert thread["cpu_ns"] + sum(off.values()) == thread["wall_ns"], thread
    print(thread["name"], thread["tid"], "wall", thread["wall_ns"], "cpu", thread["cpu_ns"],
          "off", sum(off.values()), "unexplained", off["unexplained"])
for total in ("cpu_ns", "wall_ns"):
    assert cpu[total] == sum(t[total] for t in cpu["threads"])
assert cpu["stacks_ns"] == cpu["cpu_ns"], "stacks have all of the CPU time"
print("every state adds up in", len(cpu["threads"]), "threads")
lock = next(w for w in cpu["waits"] if w["state"] == "lock")
waker = lock["wakers"][0]
print("waker of lock:", waker["name"], waker["file"].split("/")[-1] + ":" + str(waker["line"]), waker["thread"])
