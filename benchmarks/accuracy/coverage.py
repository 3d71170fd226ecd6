#!/usr/bin/env python3
"""Do the 95 % intervals of real profiles contain the truth?

  coverage.py [--prefix DIR] [--seconds S] [--runs N] [--options CAUSAL_OPTIONS]

Two programs whose gains are known without measuring them are profiled N times each:
`serial`, where a line's gain is its share of the work, and `fork_join`, where it is
what the longer thread is longer. Counts the intervals, at 25, 50 and 75 %, that hold
the truth, and those that do by the scatter alone; those of one run are not independent.
The machine should be idle."""
import argparse
import collections
import json
import os
import statistics
import subprocess
import tempfile

import accuracy


def fork_join_gain(region, speedup):
    a, b = 6700, 6400
    faster = 1 - speedup / 100
    return 100 * (1 - max(a * faster, b) / a) if region == "a" else 0


TRUTH = {
    "serial": lambda region, speedup: speedup * {"a": 0.6, "b": 0.4}[region],
    "fork_join": fork_join_gain,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prefix", default=os.path.join(accuracy.HERE, "../../../build/prefix"))
    parser.add_argument("--seconds", type=float, default=6, help="of each profiled run")
    parser.add_argument("--runs", type=int, default=20, help="of each program")
    parser.add_argument("--options", default="", help="more CAUSAL_OPTIONS")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        speed = accuracy.calibrate(work)
        for name, truth in TRUTH.items():
            source, program, path = f"{accuracy.HERE}/{name}.cpp", f"{work}/{name}", f"{work}/{name}.causal"
            subprocess.run([f"{options.prefix}/bin/causal-clang++", "-fcausal-profile", *accuracy.FLAGS, source,
                            "-o", program], check=True)
            lines = {line: region for region, line in accuracy.regions(source)}
            covered = collections.Counter()
            total = collections.Counter()
            errors, widths, by_scatter = [], [], 0
            for _ in range(options.runs):
                if os.path.exists(path):
                    os.remove(path)
                environment = dict(os.environ, CAUSAL_OPTIONS=f"{options.options}:output={path}")
                subprocess.run([program, "--seconds", str(options.seconds), "--speed", speed], env=environment,
                               check=True, stdout=subprocess.DEVNULL)
                report = json.loads(subprocess.run(
                    [f"{options.prefix}/bin/causal", "report", "--format=json", "--at=25,50,75", path],
                    check=True, capture_output=True, text=True).stdout)
                for entry in report["points"][0]["lines"]:
                    for p in entry["predictions"]:
                        if entry["line"] not in lines:
                            continue
                        real = truth(lines[entry["line"]], p["line_speedup"])
                        total[p["line_speedup"]] += 1
                        covered[p["line_speedup"]] += p["low"] <= real <= p["high"]
                        by_scatter += abs(p["gain"] - real) <= 1.96 * p["scatter_std_error"]
                        errors.append(p["gain"] - real)
                        widths.append((p["high"] - p["low"]) / 2)
            shares = ", ".join(f"{covered[s]} of {total[s]} at {s:g} %" for s in sorted(total))
            print(f"{name}: {sum(covered.values())} of {sum(total.values())} intervals hold the truth ({shares}); "
                  f"{by_scatter} by the scatter alone; mean half-width {statistics.mean(widths):.1f}, bias {statistics.mean(errors):+.1f}, "
                  f"mean error {statistics.mean(map(abs, errors)):.1f} points", flush=True)


main()
