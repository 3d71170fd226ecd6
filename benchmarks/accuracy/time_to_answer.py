#!/usr/bin/env python3
"""How long until the answer is known: our schedule and estimator, and Coz's.

  time_to_answer.py [--prefix DIR] [--seconds S] [--rounds N] [--sqlite PROGRAM] [NAME...]

Each program is profiled twice by the same runtime, with schedule=paired and with
schedule=paper (every experiment drawn by itself). Of the line that gains most, at a
speedup of 50 %, the 95 % interval is taken: of the first by `causal report`, of the
second as Coz computes a point, from the visits pooled over all experiments on the line
at that speedup and at 0. From the two follows when they are within --width points,
since intervals shrink with the root of the time.

An interval may be narrow and wrong. So what the line would really bring is measured, too
(where it can be: not of SQLite), and the last line on each program says when the interval
lies within --width points of that: what an estimate is off by, on the mean over all
rounds, no time takes away. --sqlite is the profiled example. The machine should be idle."""
import argparse
import json
import math
import os
import statistics
import subprocess
import tempfile

import accuracy

SPEEDUP = 50


def profile(command, schedule, path):
    environment = dict(os.environ, CAUSAL_OPTIONS=f"schedule={schedule}:output={path}")
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    return [json.loads(line) for line in open(path)]


def our_interval(prefix, records, line, work):
    path = f"{work}/part.causal"
    with open(path, "w") as part:
        part.writelines(json.dumps(r) + "\n" for r in records)
    report = json.loads(subprocess.run([f"{prefix}/bin/causal", "report", "--format=json", f"--at={SPEEDUP}", path],
                                       check=True, capture_output=True, text=True).stdout)
    for point in report["points"]:
        for entry in point["lines"]:
            if (entry["file"], entry["line"]) == line:
                for p in entry["predictions"]:
                    if p["line_speedup"] == SPEEDUP:
                        return p["gain"], (p["high"] - p["low"]) / 2
    return None


def quantile(freedom):
    """Student's t at 97.5 %, by the expansion of Abramowitz and Stegun, 26.7.5."""
    z = 1.959964
    terms = [z, (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96,
             (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384]
    return 12.706 if freedom < 1.5 else sum(term / freedom**k for k, term in enumerate(terms))


def pooled_interval(records, line):
    """Of 1 - (time per visit at SPEEDUP) / (at 0), each pooled; by the variance of a
    ratio and Student's t, since a bootstrap of so few experiments is too sure."""
    cells = {0: [], SPEEDUP: []}
    for r in records:
        if r["type"] == "experiment" and (r["file"], r["line"]) == line and r["speedup"] in cells:
            visits = max((p.get("visits", 0) for p in r["points"]), default=0)
            cells[r["speedup"]].append((r["wall"] - r["delay"], visits))
    parts, periods = [], []
    for cell in (cells[SPEEDUP], cells[0]):
        n, time, visits = len(cell), sum(t for t, _ in cell), sum(v for _, v in cell)
        if n < 2 or not visits:
            return None
        periods.append(time / visits)
        rest = sum((t - v * time / visits) ** 2 for t, v in cell)
        parts.append((n / (n - 1) * rest / time**2, n - 1))
    variance = sum(part for part, _ in parts)
    if not variance:
        return None
    freedom = variance**2 / sum(part**2 / n for part, n in parts)
    ratio = periods[0] / periods[1]
    return 100 * (1 - ratio), 100 * ratio * quantile(freedom) * math.sqrt(variance)


def top_line(prefix, path):
    """(file, line) of the one that gains most."""
    report = json.loads(subprocess.run([f"{prefix}/bin/causal", "report", "--format=json", f"--at={SPEEDUP}", path],
                                       check=True, capture_output=True, text=True).stdout)
    entries = [e for point in report["points"] for e in point["lines"] if e["predictions"]]
    top = max(entries, key=lambda e: max(p["low"] for p in e["predictions"]))
    return top["file"], top["line"]


def answer_time(seconds, intervals, truth, width):
    """When the interval lies within width points of the truth, and what it is off by."""
    off = statistics.mean(value for value, _ in intervals) - truth
    left = width - abs(off)
    half = math.sqrt(statistics.mean(half**2 for _, half in intervals))
    return off, seconds * (half / left) ** 2 if left > 0 else math.inf


def real_gain(name, line, work, options):
    source = f"{accuracy.HERE}/{name}.cpp"
    region = {number: region for region, number in accuracy.regions(source)}[line]
    subprocess.run(["clang++-19", *accuracy.flags(source), f"-I{accuracy.HERE}/../../../include", source,
                    "-o", f"{work}/plain"], check=True)
    return accuracy.measure_truth(f"{work}/plain", [region], options)[region, SPEEDUP]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prefix", default=os.path.join(accuracy.HERE, "../../../build/prefix"))
    parser.add_argument("--seconds", type=float, default=60, help="of each profile")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--width", type=float, default=2, help="half of the interval, in points")
    parser.add_argument("--truth-seconds", type=float, default=0.5)
    parser.add_argument("--truth-repeats", type=int, default=9)
    parser.add_argument("--sqlite", help="examples/sqlite, profiled")
    parser.add_argument("programs", nargs="*", default=["fork_join", "mutex", "pipeline"])
    options = parser.parse_args()
    ratios = []
    with tempfile.TemporaryDirectory() as work:
        options.speed = accuracy.calibrate(work)
        commands = {}
        for name in options.programs:
            source = f"{accuracy.HERE}/{name}.cpp"
            subprocess.run([f"{options.prefix}/bin/causal-clang++", "-fcausal-profile", *accuracy.flags(source), source,
                            "-o", f"{work}/{name}"], check=True)
            commands[name] = [f"{work}/{name}", "--seconds", str(options.seconds), "--speed", options.speed]
        if options.sqlite:
            commands["sqlite"] = [os.path.abspath(options.sqlite), "2", str(int(options.seconds))]
        for name, command in commands.items():
            rounds, lines = [], set()
            for _ in range(options.rounds):
                paths = {schedule: f"{work}/{name}.{schedule}" for schedule in ("paired", "paper")}
                for path in paths.values():
                    if os.path.exists(path):
                        os.remove(path)
                records = {schedule: profile(command, schedule, path) for schedule, path in paths.items()}
                line = top_line(options.prefix, paths["paired"])
                intervals = (our_interval(options.prefix, records["paired"], line, work),
                             pooled_interval(records["paper"], line))
                if None in intervals:
                    print(f"{name}, line {line[1]}: too few experiments", flush=True)
                    continue
                rounds.append(intervals)
                lines.add(line[1])
                # Intervals shrink with the root of the time.
                ours, theirs = (options.seconds * (width / options.width) ** 2 for _, width in intervals)
                ratios.append(theirs / ours)
                print(f"{name}, line {line[1]}: {intervals[0][0]:+.1f} ±{intervals[0][1]:.1f} points, "
                      f"{ours:.0f} s to ±{options.width:g}; schedule=paper, plain pooling: "
                      f"{intervals[1][0]:+.1f} ±{intervals[1][1]:.1f}, {theirs:.0f} s; "
                      f"{ratios[-1]:.1f} times as long", flush=True)
            if name == "sqlite" or len(lines) != 1:
                continue
            truth = real_gain(name, lines.pop(), work, options)
            for who, each in zip(("here", "schedule=paper, plain pooling"), zip(*rounds)):
                off, seconds = answer_time(options.seconds, each, truth, options.width)
                when = f"{seconds:.0f} s" if math.isfinite(seconds) else "never"
                print(f"{name}, {who}: off by {off:+.1f} where {truth:+.1f} is true, "
                      f"{when} to ±{options.width:g} of that", flush=True)
    if ratios:
        print(f"median ratio of the widths' times {statistics.median(ratios):.1f}")


main()
