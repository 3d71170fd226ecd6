"""exit_code.py PROGRAM WAY...: runs PROGRAM once for each way to end, and checks its
status and that the profile closes with a final snapshot where the program could."""
import json
import os
import signal
import subprocess
import sys

program = sys.argv[1]
expected = {"abort": -signal.SIGABRT, "kill": -signal.SIGTERM}
for way in sys.argv[2:]:
    profile = f"{program}.{way}.causal"
    if os.path.exists(profile):
        os.remove(profile)
    options = f"experiment_ms=5:output={profile}"
    status = subprocess.run([program, way], env=dict(os.environ, CAUSAL_OPTIONS=options)).returncode
    assert status == expected.get(way, 7), (way, status)
    records = [json.loads(line) for line in open(profile)]
    assert any(r["type"] == "experiment" for r in records), way
    final = [r for r in records if r["type"] == "snapshot" and r["final"]]
    assert len(final) == (0 if way in expected else 1), (way, final)
