"""same.py [OPTION...] NATIVE PROFILED [ARGUMENT...]: runs a program without and with
the profiler, once with each sampler, and compares its output and how it ended.

  --options=TEXT    more of CAUSAL_OPTIONS
  --samplers=A,B    instead of auto,timer
  --before=COMMAND  a launcher for both, split at spaces
  --preload=FILE    LD_PRELOAD of both
  --experiments     the profile must have one, and the tool must read it (but for the
                    timer, whose samples are few); of three runs one will do: a machine
                    that stands still has no experiments
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


def has_experiment(profile):
    return any(json.loads(line)["type"] == "experiment" for line in open(profile))


for sampler in settings["samplers"].split(","):
    profile = f"{profiled}.{sampler}.causal"
    options = [f"sampler={sampler}", f"output={profile}", "sample_period_us=100",
               "experiment_ms=5", "cooloff_ms=1", "baseline_percent=10"]
    if "options" in settings:
        options.append(settings["options"])
    wanted = "experiments" in settings and sampler != "timer"
    for _ in range(3):
        if os.path.exists(profile):
            os.remove(profile)
        found = outcome(profiled, dict(environment, CAUSAL_OPTIONS=":".join(options)))
        if found != expected:
            print(f"sampler {sampler}:\nnative:   {expected}\nprofiled: {found}")
            sys.exit(1)
        if not wanted or has_experiment(profile):
            break
    else:
        print(f"sampler {sampler}: no experiment in {profile}")
        sys.exit(1)
    if wanted:
        subprocess.run([settings["tool"], "export", "--format=coz", profile], check=True,
                       stdout=subprocess.DEVNULL)
