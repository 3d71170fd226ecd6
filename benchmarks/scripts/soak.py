#!/usr/bin/env python3
"""Runs a profiled program for a long time and watches what it uses.

  soak.py [--seconds T] [--every T] PROFILE PROGRAM [ARG...]

PROGRAM must run longer than T (default 3600); it is ended with SIGTERM. Prints resident
memory (KiB), descriptors and the profile's size over time; then the growth of memory
and descriptors from a tenth of the run on, and the losses that the profile's last
snapshot and its experiments tell of."""
import argparse
import json
import os
import signal
import subprocess
import time

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--seconds", type=float, default=3600)
parser.add_argument("--every", type=float, default=60)
parser.add_argument("profile")
parser.add_argument("program", nargs=argparse.REMAINDER)
options = parser.parse_args()
if os.path.exists(options.profile):
    os.remove(options.profile)
environment = dict(os.environ, CAUSAL_OPTIONS=f"{os.environ.get('CAUSAL_OPTIONS', '')}:output={options.profile}")
child = subprocess.Popen(options.program, env=environment, stdout=subprocess.DEVNULL)


def look():
    status = open(f"/proc/{child.pid}/status").read()
    memory = int(status.split("VmRSS:")[1].split()[0])
    size = os.path.getsize(options.profile) if os.path.exists(options.profile) else 0
    return memory, len(os.listdir(f"/proc/{child.pid}/fd")), size


begin, seen = time.monotonic(), []
while (elapsed := time.monotonic() - begin) < options.seconds:
    time.sleep(min(options.every, options.seconds - elapsed))
    if child.poll() is not None:
        raise SystemExit(f"the program ended after {elapsed:.0f} s with {child.returncode}")
    seen.append((time.monotonic() - begin, *look()))
    print("%6.0f s  %8d KiB  %4d descriptors  profile %9d bytes" % seen[-1], flush=True)
child.send_signal(signal.SIGTERM)
child.wait()

settled = [entry for entry in seen if entry[0] >= options.seconds / 10]
experiments, unsettled, snapshot, damaged = 0, 0, None, 0
for text in open(options.profile, "rb"):
    try:
        record = json.loads(text)
    except ValueError:
        damaged += 1
        continue
    if record["type"] == "experiment":
        experiments += 1
        unsettled += record["unsettled"] > 0
    elif record["type"] == "snapshot":
        snapshot = record
print(f"memory {settled[-1][1] - settled[0][1]:+d} KiB from {settled[0][1]}, descriptors {settled[-1][2] - settled[0][2]:+d} from "
      f"{settled[0][2]}; {experiments} experiments ({unsettled} unsettled), {damaged} damaged records; "
      f"losses at the last snapshot: {snapshot and snapshot['losses']}")
