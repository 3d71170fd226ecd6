#!/usr/bin/env python3
"""Predicted against real speedups of whole runs, on a program that does one job and ends.

  end_to_end.py [--prefix PREFIX] [--max-time T]

Builds jobs/job.cpp plain and profiled, lets `causal run --end-to-end` find out what each of
its regions is worth, really makes each 25, 50 and 75 % faster between two plain runs, and
prints predicted/real with the half-width of the prediction's 95 % interval, in percent of
the time of a run. The machine should be idle, and have two cores."""
import argparse
import json
import os
import statistics
import subprocess
import tempfile
import time

import accuracy

SOURCE = os.path.join(accuracy.HERE, "../jobs/job.cpp")
REPEATS = 7


def duration(command):
    begin = time.monotonic()
    subprocess.run(command, check=True)
    return time.monotonic() - begin


def measure(plain, name, percent):
    gains = []
    for _ in range(REPEATS):
        before = duration(plain)
        faster = duration([*plain, "--faster", f"{name}={percent}"])
        gains.append(100 * (1 - 2 * faster / (before + duration(plain))))
    return statistics.median(gains)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prefix", default=os.path.join(accuracy.HERE, "../../../build/prefix"))
    parser.add_argument("--max-time", default="90s", help="of causal run")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        plain, profiled, profile = f"{work}/plain", f"{work}/profiled", f"{work}/profile.causal"
        speed = ["--speed", accuracy.calibrate(work)]
        subprocess.run(["clang++-19", *accuracy.FLAGS, f"-I{accuracy.HERE}/../../../include", SOURCE, "-o", plain], check=True)
        subprocess.run([f"{options.prefix}/bin/causal-clang++", "-fcausal-profile", *accuracy.FLAGS, SOURCE, "-o", profiled], check=True)
        subprocess.run([f"{options.prefix}/bin/causal", "run", "--end-to-end", "--until=0.1%", "--max-time", options.max_time,
                        "--output", profile, "--", profiled, *speed], check=True, stdout=subprocess.DEVNULL)
        at = ",".join(map(str, accuracy.SPEEDUPS))
        report = json.loads(subprocess.run([f"{options.prefix}/bin/causal", "report", "--format=json", f"--at={at}", profile],
                                           check=True, capture_output=True, text=True).stdout)
        point = report["points"][0]
        print(f"{point['visits']:.0f} runs, {point['baseline_period_ns'] / 1e6:.0f} ms each")
        predictions = {line["line"]: {p["line_speedup"]: p for p in line["predictions"]} for line in point["lines"]}
        errors = []
        for name, line in accuracy.regions(SOURCE):
            row = []
            for percent in accuracy.SPEEDUPS:
                real, predicted = measure([plain, *speed], name, percent), predictions.get(line, {}).get(percent)
                if predicted is None:
                    row.append(f"-/{real:+.1f}")
                    continue
                errors.append(abs(predicted["gain"] - real))
                row.append(f"{predicted['gain']:+.1f} ±{(predicted['high'] - predicted['low']) / 2:.1f}/{real:+.1f}")
            print(f"  {name:6s} {'  '.join(row)}", flush=True)
        print(f"mean absolute error {statistics.mean(errors):.2f} points, worst {max(errors):.1f}, {len(errors)} predictions")


if __name__ == "__main__":
    main()
