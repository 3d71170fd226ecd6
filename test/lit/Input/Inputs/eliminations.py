#!/usr/bin/env python3
"""eliminations.py --clang C --dir D --programs P NAME:ARGUMENT...: builds each program with and
without eliminations, runs both, and compares their profiles point by point."""
import argparse
import os
import subprocess
import sys

parser = argparse.ArgumentParser()
parser.add_argument("--clang", required=True)
parser.add_argument("--dir", required=True)
parser.add_argument("--programs", required=True)
parser.add_argument("--flags", default="-O2")
parser.add_argument("--mode", default="input")
parser.add_argument("names", nargs="+")
args = parser.parse_args()
os.makedirs(args.dir, exist_ok=True)
here = os.path.dirname(os.path.abspath(__file__))
none = "-Xclang -mllvm -Xclang -causal-input-eliminate=false".split()
failed = False
for item in args.names:
    name, argument = item.split(":")
    profiles = []
    for kind, extra in (("a", []), ("b", none)):
        exe = os.path.join(args.dir, f"{name}.{kind}")
        profiles.append(exe + ".causal")
        if os.path.exists(profiles[-1]):
            os.remove(profiles[-1])
        subprocess.run([args.clang, f"-fcausal-profile={args.mode}", *args.flags.split(), *extra,
                        os.path.join(args.programs, name + ".cpp"), "-o", exe, "-lpthread"], check=True)
        subprocess.run([exe] + ([argument] if argument else []), check=True, stdout=subprocess.DEVNULL,
                       env=dict(os.environ, CAUSAL_OPTIONS="output=" + profiles[-1]))
    done = subprocess.run([sys.executable, os.path.join(here, "points.py"), "--same", *profiles],
                          capture_output=True, text=True)
    print(name + ": " + done.stdout, end="")
    failed |= done.returncode != 0
sys.exit(failed)
