"""system.py TOOL DB PLAIN OWN: `causal daemon --system` while two programs run."""
import json
import os
import signal
import subprocess
import sys

tool, db, plain, own = sys.argv[1:5]
daemon = subprocess.Popen([tool, "daemon", "--system", "--every=1s", db],
                          stdout=subprocess.PIPE, text=True)
assert "sampling" in daemon.stdout.readline()
subprocess.run([plain], check=True)
before = os.times()
subprocess.run([own], check=True, env=dict(os.environ, CAUSAL_OPTIONS=f"mode=continuous:db={db}"))
after = os.times()
daemon.send_signal(signal.SIGTERM)
print(daemon.stdout.read())
assert daemon.wait() == 0


def prof(*options):
    p = json.loads(subprocess.run([tool, "db", "prof", "--format=json", *options, db], check=True,
                                  stdout=subprocess.PIPE).stdout)
    assert sum(r["samples"] for r in p["rows"]) + p["dropped"] + p["unmapped"] == p["samples"], p
    return {os.path.basename(r["name"]): r for r in p["rows"]}, p


for event in ("cpu", "cycles"):
    images, whole = prof("--by=image", f"--event={event}")
    if os.path.basename(plain) in images:
        break
assert images[os.path.basename(plain)]["samples"] > 20, images.keys()
# Counted twice it would have twice its CPU time.
images, _ = prof("--by=image")
seconds = (after.children_user + after.children_system
           - before.children_user - before.children_system)
time = images[os.path.basename(own)]["time_ns"] / 1e9
assert time < 1.6 * seconds, (time, seconds)
