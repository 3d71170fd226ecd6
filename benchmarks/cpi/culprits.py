#!/usr/bin/env python3
"""Twelve programs with one cause of stalls each: is it named, is it never ruled out, and is
it not named once it is removed? docs/measurements/cpi.md has the numbers.

  benchmarks/cpi/culprits.py [--bin=build/dev/bin] [NAME...]

Named: `causal db calc` finds the cause in a stall that makes at least a tenth of the time of
the program's image. Ruled out: in the largest stall of the program. Exit status 1 if fewer
than eleven are named, a true cause is ruled out, or a removed one is named."""
import argparse
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CAUSES = {"dependence": "a", "port": "f", "unit": "u", "data-cache": "d", "data-tlb": "D",
          "branch": "p", "code-cache": "I", "store-buffer": "w", "atomic": "s",
          "true-sharing": "S", "false-sharing": "F", "page-fault": "P"}
TENTH = 0.1
PART = 40  # Of the work, what the counting run does.


def build(args, name, removed, directory):
    source = f"{HERE}/culprits/{name}.c"
    if not os.path.exists(source):
        source = f"{directory}/{name}.c"
        words = ["removed"] if removed else []
        with open(source, "w") as out:
            subprocess.run([sys.executable, f"{HERE}/culprits/{name}.py", *words], stdout=out, check=True)
    programs = []
    for kind in ("cpi", "count"):
        program = f"{directory}/{name}.{kind}"
        subprocess.run([f"{args.bin}/causal-clang", f"-fcausal-profile={kind}", "-O2", "-fno-unroll-loops",
                        "-fno-vectorize", "-Wl,--build-id", f"-I{HERE}/culprits", *(["-DREMOVED"] if removed else []),
                        source, "-o", program], check=True)
        programs.append(program)
    return programs


def measure(args, name, removed):
    """The stalls of a program: share of its time, verdict by cause, the instruction."""
    environment = dict(os.environ, CAUSAL_OPTIONS="enabled=0")
    with tempfile.TemporaryDirectory() as directory:
        cpi, count = build(args, name, removed, directory)
        run = dict(check=True, env=environment, stdout=subprocess.DEVNULL)
        subprocess.run([f"{args.bin}/causal", "db", "count", "-o", f"{directory}/counts", "--", count, str(PART)], **run)
        subprocess.run([f"{args.bin}/causal", "db", "probe", f"--period-us={args.period_us}", "-o",
                        f"{directory}/probe", "--", cpi], **run)
        text = subprocess.run([f"{args.bin}/causal", "db", "calc", "--format=json", f"--program={cpi}",
                               f"--counts={directory}/counts", f"--runs={PART}", f"{directory}/probe"],
                              check=True, capture_output=True, text=True).stdout
    stalls, total = [], 0
    for procedure in json.loads(text)["procedures"]:
        for block in procedure["blocks"]:
            for instruction in block["instructions"]:
                if instruction["cycles"]:
                    total += instruction["cycles"][0] * block["executions"]
                if "stall" in instruction:
                    stalls.append((instruction["stall"] * block["executions"], instruction,
                                   {c["cause"]: c for c in instruction["culprits"]}))
    stalls.sort(key=lambda s: -s[0])
    return [(s / total, instruction, culprits) for s, instruction, culprits in stalls]


def share_named(stalls, cause):
    return sum(share for share, _, culprits in stalls
               if cause in culprits and culprits[cause]["verdict"] == "found")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default="build/dev/bin")
    parser.add_argument("--period-us", type=int, default=100)
    parser.add_argument("names", nargs="*", default=list(CAUSES))
    args = parser.parse_args()
    named = 0
    wrong = []
    print(f"{'cause':14} {'':1} {'named in':>9} {'largest stall':>30}  {'unexplained':>11}  {'removed: named in':>17}")
    for name in args.names:
        cause = CAUSES[name]
        stalls = measure(args, name, removed=False)
        share = share_named(stalls, cause)
        named += share >= TENTH
        top = stalls[0] if stalls else (0, {"text": "none", "unexplained": [0, 0], "stall": 1}, {})
        if cause in top[2] and top[2][cause]["verdict"] == "ruled out":
            wrong.append(f"{name}: ruled out ({top[2][cause]['test']})")
        gone = share_named(measure(args, name, removed=True), cause)
        if gone >= TENTH:
            wrong.append(f"{name}: named once it is removed")
        unexplained = sum(s * i["unexplained"][0] / max(i["stall"], 1e-9) for s, i, _ in stalls)
        print(f"{name:14} {cause} {100 * share:8.0f}% {top[1]['text'][:24]:>24} {100 * top[0]:4.0f}%"
              f"  {100 * unexplained:10.0f}%  {100 * gone:16.0f}%", flush=True)
    for text in wrong:
        print("WRONG:", text)
    print(f"{named} of {len(args.names)} named")
    sys.exit(1 if wrong or named < len(args.names) - 1 else 0)


main()
