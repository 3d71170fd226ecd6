#!/usr/bin/env python3
"""planted.py [--build DIR] [--times N]: three programs with a planted fault, each run N times with
other data. Counts how often the fault is ranked first with its caller under it, and how often
`causal check` exits as it should. Prints a table in Markdown."""
import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter

HERE = os.path.dirname(os.path.abspath(__file__))
# Per program: the fault, why it is one, its caller, and contracts with the right exit status.
PROGRAMS = {
    "words": ("uniqueWords", "slow by itself", "summarise",
              [("uniqueWords<=n log n", 1), ("count<=n", 0), ("uniqueWords<=n^2", 0), ("sortWords<=n log n", 0)]),
    "render": ("render", "calls too often", "publish", [("render<=n log n", 1), ("append<=n", 0), ("measure<=n", 0), ("render<=n^2", 0)]),
    "sensors": ("rank", "slow by itself", "digest", [("rank<=n log n", 1), ("smooth<=n", 0), ("digest<=n^2", 0)]),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default=os.path.join(HERE, "../../build/ci"))
    parser.add_argument("--times", type=int, default=100)
    options = parser.parse_args()
    tool, compiler = (os.path.join(os.path.abspath(options.build), "bin", name) for name in ("causal", "causal-clang++"))
    wrong = 0
    with tempfile.TemporaryDirectory() as work:
        print("| program | what is asked | right | of |\n| --- | --- | --: | --: |")
        for name, (fault, why, caller, contracts) in PROGRAMS.items():
            program = os.path.join(work, name)
            subprocess.run([compiler, "-fcausal-profile=input", "-O2", "-pthread", f"{HERE}/{name}.cpp", "-o", program], check=True)
            right = Counter()
            seen = Counter()
            for seed in range(options.times):
                profiles = []
                for variant in ([], ["few"]):
                    profile = os.path.join(work, f"{name}.causal")
                    if variant:
                        profile += ".few"
                    if os.path.exists(profile):
                        os.unlink(profile)
                    subprocess.run([program, str(seed), *variant], check=True, stdout=subprocess.DEVNULL,
                                   env={**os.environ, "CAUSAL_OPTIONS": f"output={profile}"})
                    profiles.append(profile)
                report = subprocess.run([tool, "report", "--format=json", profiles[0]], check=True, capture_output=True, text=True).stdout
                data = json.loads(report)["input"]
                first = data["causes"][0] if data["causes"] else {"name": "", "why": "", "callers": []}
                callers = [data["routines"][each["routine"]]["short_name"] for each in first["callers"]]
                right["first"] += first["name"].split("(")[0].split(" ")[-1] == fault and first["why"] == why and callers[:1] == [caller]
                for contract, status in [*contracts, (f"{fault}<=n", 2)]:
                    profile = profiles[status == 2]
                    exit_status = subprocess.run([tool, "check", profile, "--complexity", contract], stdout=subprocess.DEVNULL).returncode
                    right[contract, status] += exit_status == status
                    seen[contract, status, exit_status] += 1
            rows = [(f"ranked first: `{fault}`, {why}, under it `{caller}`", right["first"])]
            for contract, status in [*contracts, (f"{fault}<=n", 2)]:
                words = {0: "holds", 1: "broken", 2: "three inputs: cannot say"}[status]
                others = ", ".join(f"{count} times {got}" for (c, s, got), count in sorted(seen.items()) if (c, s) == (contract, status) and got != status)
                rows.append((f"`{contract}`: {words} ({status})" + (f"; else {others}" if others else ""), right[contract, status]))
            for text, count in rows:
                wrong += count != options.times
                print(f"| {name} | {text} | {count} | {options.times} |", flush=True)
    return 1 if wrong else 0


sys.exit(main())
