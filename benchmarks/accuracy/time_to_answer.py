#!/usr/bin/env python3
"""How long until the answer is known: our schedule and estimator, and Coz's.

  time_to_answer.py [--prefix DIR] [--seconds S] [--rounds N] [--sqlite PROGRAM] [NAME...]

Each program is profiled twice by the same runtime, with schedule=paired and with
schedule=paper (every experiment half a second long and drawn by itself), --paper-factor
times as long, since it tries a line at a given speedup seldom. Of the line that gains most, at a
speedup of 50 %, the 95 % interval of the scatter is taken: of the first by `causal report`, of the
second as Coz computes a point, from the visits pooled over all experiments on the line
at that speedup and at 0. The beginning of each profile is looked at, longer by 5 % each
time: the answer is known from when on the interval stays within --width points. Where
it is still wider at the end, that follows from the last one, since intervals shrink with
the root of the time; of few experiments faster, so of Coz's the end is taken, and the
answer takes more than that.

An interval may be narrow and wrong. So what the line would really bring is measured, too
(where it can be: not of SQLite), and how far off that the answer is. --sqlite is the
profiled example. The machine should be idle."""
import argparse
import collections
import json
import math
import os
import statistics
import subprocess
import tempfile

import accuracy

SPEEDUP = 50


def profile(command, schedule, path):
    if not os.path.exists(path):
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
                        return p["gain"], (p["scatter_high"] - p["scatter_low"]) / 2
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


Answer = collections.namedtuple("Answer", "seconds gain at_least")


def answer(records, seconds, interval_of, options):
    """When the interval stays as narrow as --width, and its middle then, by
    interval_of(the records until then); None if there is no interval. at_least: it was
    not yet, and seconds follows from the width in the end."""
    experiments = [r for r in records if r["type"] == "experiment"]
    rest = [r for r in records if r["type"] != "experiment"]
    time, found = seconds, None
    while time > 1:
        interval = interval_of(rest + [r for r in experiments if r["start"] + r["wall"] <= time * 1e9])
        if found is None and interval:
            found = Answer(time * max(1, (interval[1] / options.width) ** 2), interval[0], interval[1] > options.width)
        if not interval or interval[1] > options.width:
            break
        found = Answer(time, interval[0], False)
        time /= 1.05
    return found


def mean_error(gains, truth):
    known = [abs(gain - truth) for gain in gains if math.isfinite(gain)]
    return statistics.mean(known) if known else math.nan


def real_gain(name, line, work, options):
    source = f"{accuracy.HERE}/{name}.cpp"
    region = {number: region for region, number in accuracy.regions(source)}[line]
    subprocess.run(["clang++-19", *accuracy.flags(source), f"-I{accuracy.HERE}/../../../include", source,
                    "-o", f"{work}/plain"], check=True)
    return accuracy.measure_truth(f"{work}/plain", [region], options)[region, SPEEDUP].gain


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prefix", default=os.path.join(accuracy.HERE, "../../../build/prefix"))
    parser.add_argument("--seconds", type=float, default=60, help="of each profile")
    parser.add_argument("--paper-factor", type=float, default=4,
                        help="how many times as long that by the paper's schedule is")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--keep", help="a folder for the profiles; those that it has are looked at again")
    parser.add_argument("--width", type=float, default=2, help="half of the interval, in points")
    parser.add_argument("--truth-seconds", type=float, default=0.5)
    parser.add_argument("--truth-repeats", type=int, default=9)
    parser.add_argument("--sqlite", help="examples/sqlite, profiled")
    parser.add_argument("programs", nargs="*", default=["fork_join", "mutex", "pipeline"])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        options.speed = accuracy.calibrate(work)
        commands = {}
        for name in options.programs:
            source = f"{accuracy.HERE}/{name}.cpp"
            subprocess.run([f"{options.prefix}/bin/causal-clang++", "-fcausal-profile", *accuracy.flags(source), source,
                            "-o", f"{work}/{name}"], check=True)
            commands[name] = [f"{work}/{name}", "--speed", options.speed, "--seconds"]
        if options.sqlite:
            commands["sqlite"] = [os.path.abspath(options.sqlite), "2"]
        lengths = {"paired": options.seconds, "paper": options.seconds * options.paper_factor}
        folder = options.keep or work
        os.makedirs(folder, exist_ok=True)
        for name, command in commands.items():
            answers, lines = [], set()
            for i in range(options.rounds):
                paths = {schedule: f"{folder}/{name}.{schedule}.{i}" for schedule in lengths}
                records = {schedule: profile([*command, str(int(lengths[schedule]))], schedule, path)
                           for schedule, path in paths.items()}
                line = top_line(options.prefix, paths["paired"])
                ours = answer(records["paired"], lengths["paired"],
                              lambda part: our_interval(options.prefix, part, line, work), options)
                theirs = answer(records["paper"], lengths["paper"], lambda part: pooled_interval(part, line), options)
                if not ours:
                    print(f"{name}, line {line[1]}: too few experiments", flush=True)
                    continue
                if not theirs:
                    theirs = Answer(lengths["paper"], math.nan, True)
                elif theirs.at_least:
                    theirs = theirs._replace(seconds=lengths["paper"])
                answers.append((ours, theirs))
                lines.add(line[1])
                more = "more than " if theirs.at_least else ""
                print(f"{name}, line {line[1]}: {ours.seconds:.0f} s ({ours.gain:+.1f}); schedule=paper, plain pooling: "
                      f"{more}{theirs.seconds:.0f} s ({theirs.gain:+.1f}); {theirs.seconds / ours.seconds:.1f} times as long",
                      flush=True)
            if not answers:
                continue
            medians = [statistics.median(a.seconds for a in each) for each in zip(*answers)]
            print(f"{name}: medians {medians[0]:.0f} and {medians[1]:.0f} s, {medians[1] / medians[0]:.1f} times as long",
                  flush=True)
            if name == "sqlite" or len(lines) != 1:
                continue
            truth = real_gain(name, lines.pop(), work, options)
            off = [mean_error([a.gain for a in each], truth) for each in zip(*answers)]
            print(f"{name}: {truth:+.1f} is true; the answers are off by {off[0]:.1f} and {off[1]:.1f} on the mean",
                  flush=True)


main()
