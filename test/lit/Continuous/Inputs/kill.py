"""kill.py TOOL PROGRAM DB: processes and collectors are killed at random moments.

First nobody collects: what the segments say was taken, read here from their bytes, is what
the database has afterwards. Then two collectors at a time, killed as well: everything that
was taken is in images, dropped or in no image, and no segment is left."""
import json
import os
import random
import signal
import struct
import subprocess
import sys
import time

tool, program, db = sys.argv[1:4]
environment = dict(os.environ, CAUSAL_OPTIONS=f"mode=continuous:db={db}:sample_period_us=200")
random.seed(7)

# The layout of include/causal/SegmentFormat.h.
HEAD = 8 * 10 + 250 * 256
HALF = 8 * 6 + 4096 * 4 * 8 + 8192 * 8


def spool():
    path = os.path.join(db, "spool")
    return [os.path.join(path, name) for name in os.listdir(path)] if os.path.isdir(path) else []


def taken(path):
    data = open(path, "rb").read()
    assert len(data) == HEAD + 2 * HALF, (len(data), HEAD + 2 * HALF)
    return sum(struct.unpack_from("<Q", data, HEAD + half * HALF)[0] for half in (0, 1))


def start(count):
    return [subprocess.Popen([program, "100000"], env=environment) for _ in range(count)]


def kill(process):
    process.send_signal(signal.SIGKILL)
    process.wait()


def collect():
    return subprocess.Popen([tool, "db", "collect", db], stdout=subprocess.DEVNULL)


def prof():
    text = subprocess.run([tool, "db", "prof", "--format=json", db], check=True,
                          stdout=subprocess.PIPE).stdout
    p = json.loads(text)
    assert sum(row["samples"] for row in p["rows"]) + p["dropped"] + p["unmapped"] == p["samples"]
    return p


processes = start(20)
while sum(name.endswith(".seg") for name in spool()) < 20:
    pass
for process in processes:
    # A moment of the program, not of this script.
    for _ in range(random.randrange(4000)):
        pass
    kill(process)
expected = sum(taken(path) for path in spool())
assert expected > 0
assert collect().wait() == 0
assert prof()["samples"] == expected, (prof()["samples"], expected)
assert not spool(), spool()

running, collectors, killed = [], [], 0
began = len(spool())
for step in range(120):
    if len(running) < 12:
        running += start(1)
    if len(collectors) < 2:
        collectors.append(collect())
    for pool in (running, collectors):
        if pool and random.random() < 0.4:
            process = pool.pop(random.randrange(len(pool)))
            killed += process.poll() is None
            kill(process)
for process in running + collectors:
    kill(process)
assert killed > 50, killed
assert collect().wait() == 0
p = prof()
assert p["samples"] > expected
assert not [name for name in spool() if name.endswith(".seg")], spool()
# What the totals say was counted apart from the images.
again = prof()
assert collect().wait() == 0 and prof() == again
print(p["samples"], "samples,", p["dropped"], "dropped, after", killed, "kills")
