"""same.py [OPTION...] NATIVE PROFILED [ARGUMENT...]: runs a program without and with
the profiler, once with each sampler, and compares its output and how it ended.

  --options=TEXT    more of CAUSAL_OPTIONS
  --samplers=A,B    instead of auto,timer
  --before=COMMAND  a launcher for both, split at spaces
  --preload=FILE    LD_PRELOAD of both
  --experiments     the profile must have one, and the tool must read it (but for the
                    timer, whose samples are few)
  --tool=PROGRAM    which tool
  --core            core dumps are allowed

Delays are active: the period is short, and so are the experiments."""
import json
import os
import re
import resource
import subprocess
import sys
import tempfile

settings = {"samplers": "auto,timer"}
arguments = sys.argv[1:]
while arguments[0].startswith("--"):
    name, _, value = arguments.pop(0)[2:].partition("=")
    settings[name] = value or "yes"
native, profiled, *arguments = arguments


def ours(line):
    return re.match(r"==\d+==causal: no experiment was", line)


def outcome(program, environment):
    """Runs in an empty directory: core dumps and files of the program fall there."""
    if "preload" in settings:
        environment = dict(environment, LD_PRELOAD=settings["preload"])
    with tempfile.TemporaryDirectory() as directory:
        result = subprocess.run(
            settings.get("before", "").split() + [program] + arguments, cwd=directory,
            env=environment, capture_output=True, text=True, timeout=40,
            stdin=subprocess.DEVNULL,
            preexec_fn=lambda: resource.setrlimit(
                resource.RLIMIT_CORE, (-1, -1) if "core" in settings else (0, 0)))
        files = sorted(os.listdir(directory))
    errors = [line.replace(".tmp.native", ".tmp") for line in result.stderr.splitlines() if not ours(line)]
    return {"status": result.returncode, "stdout": result.stdout, "stderr": errors,
            "files": files}


environment = {k: v for k, v in os.environ.items() if k != "CAUSAL_OPTIONS"}
expected = outcome(native, environment)
for sampler in settings["samplers"].split(","):
    profile = f"{profiled}.{sampler}.causal"
    if os.path.exists(profile):
        os.remove(profile)
    options = [f"sampler={sampler}", f"output={profile}", "sample_period_us=100",
               "experiment_ms=5", "cooloff_ms=1", "baseline_percent=10"]
    if "options" in settings:
        options.append(settings["options"])
    found = outcome(profiled, dict(environment, CAUSAL_OPTIONS=":".join(options)))
    if found != expected:
        print(f"sampler {sampler}:\nnative:   {expected}\nprofiled: {found}")
        sys.exit(1)
    if "experiments" in settings and sampler != "timer":
        records = [json.loads(line) for line in open(profile)]
        if not any(r["type"] == "experiment" for r in records):
            print(f"sampler {sampler}: no experiment in {profile}")
            sys.exit(1)
        subprocess.run([settings["tool"], "export", "--format=coz", profile], check=True,
                       stdout=subprocess.DEVNULL)
