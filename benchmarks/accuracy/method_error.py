#!/usr/bin/env python3
"""How far predictions are off beyond what the scatter of experiments explains.

  method_error.py [--prefix PREFIX] KEPT...

KEPT are folders of `accuracy.py --keep`. What is left of predicted - real, once the scatter
and what the measurement of reality is itself off by are taken off, is taken for normal with
a variance of (d * delays)^2 + (g * gain)^2, where delays is the share of the time that they
took at that speedup. Finds d and g of the largest likelihood, for programs of one thread and
for others, which are the constants of tools/causal/lib/MethodError.cpp, and tells how many of
the 95 % intervals made so agree with what was measured, where each program's are made with
the d and g that are found without it."""
import argparse
import collections
import json
import math
import os
import statistics
import subprocess

import accuracy

Residual = collections.namedtuple("Residual", "program threads region speedup predicted real known delays")
Residual.__doc__ = "In percent; known is the standard error of predicted - real but for the method's."
NORMAL = 1.96


def residuals(prefix, folder):
    for path in sorted(os.listdir(folder)):
        if not path.endswith(".truth.json"):
            continue
        name = path[:-len(".truth.json")]
        source = f"{accuracy.HERE}/{name}.cpp"
        at = ",".join(map(str, accuracy.SPEEDUPS))
        report = json.loads(subprocess.run([f"{prefix}/bin/causal", "report", "--format=json", f"--at={at}",
                                            f"{folder}/{name}.causal"], check=True, capture_output=True, text=True).stdout)
        regions = {line: region for region, line in accuracy.regions(source)}
        truth = accuracy.load_truth(folder, name)
        for point in report["points"]:
            for entry in point["lines"] if point["name"] == "item" else []:
                region = regions.get(entry["line"])
                if not region or os.path.basename(entry["file"]) != os.path.basename(source):
                    continue
                for p in entry["predictions"]:
                    real = truth[region, p["line_speedup"]]
                    yield Residual(name, report["losses"]["threads"], region, p["line_speedup"], p["gain"], real.gain,
                                   math.hypot(p["scatter_std_error"], real.error / NORMAL),
                                   entry["delay_share"] * p["line_speedup"] / 100)


def deviation(r, of_delays, of_gain):
    return math.sqrt(r.known**2 + (of_delays * r.delays) ** 2 + (of_gain * r.predicted) ** 2)


def likelihood(every, of_delays, of_gain):
    total = 0
    for r in every:
        sigma = max(deviation(r, of_delays, of_gain), 1e-6)
        total -= math.log(sigma) + ((r.predicted - r.real) / sigma) ** 2 / 2
    return total


def fit(every):
    grid = [i / 200 for i in range(41)]
    return max(((d, g) for d in grid for g in grid), key=lambda both: likelihood(every, *both))


def held(every, of_delays, of_gain):
    return sum(abs(r.predicted - r.real) <= NORMAL * deviation(r, of_delays, of_gain) for r in every)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prefix", default=os.path.join(accuracy.HERE, "../../../build/prefix"))
    parser.add_argument("kept", nargs="+", metavar="KEPT")
    options = parser.parse_args()
    every = [r for folder in options.kept for r in residuals(options.prefix, folder)]
    for kind, own in (("of one thread", [r for r in every if r.threads == 1]),
                      ("of several threads", [r for r in every if r.threads > 1])):
        if own:
            print("{} predictions {}: d {:.3f}, g {:.3f}".format(len(own), kind, *fit(own)))
    without, alone = 0, 0
    for name in sorted({r.program for r in every}):
        own = [r for r in every if r.program == name]
        alike = [r for r in every if r.program != name and (r.threads == 1) == (own[0].threads == 1)]
        d, g = fit(alike) if alike else (0, 0)
        within, by_scatter = held(own, d, g), held(own, 0, 0)
        without += within
        alone += by_scatter
        print(f"  {name:16s} {within:2d} of {len(own):2d} agree, {by_scatter:2d} by the scatter alone; "
              f"mean error {statistics.mean(abs(r.predicted - r.real) for r in own):.1f}")
    print(f"{without} of {len(every)} agree ({100 * without / len(every):.0f} %), {alone} by the scatter alone")


main()
