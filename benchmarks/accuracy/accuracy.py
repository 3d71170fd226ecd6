#!/usr/bin/env python3
"""Predicted against real speedups, on programs whose regions can really be made faster.

  accuracy.py [--prefix PREFIX] [--coz] [--seconds T] [--truth-seconds T]
              [--target line|function|section] [--disturb] [--rest]
              [--keep DIR | --kept DIR] [PROGRAM...]

The machine's speed is measured once. For each program: really speeds each region up by
25, 50 and 75 % between two plain runs (so that drift cancels), profiles it with the
profiler in PREFIX (and with Coz), and prints predicted/real program speedup in percent.
Our prediction is that of `causal report`. Coz has none but the points that it plots, so
its prediction at s is the mean over its cells within 10 points of s, each 1 - p(s)/p(0)
with effective time per visit pooled over the cell; with --cells ours is made the same
way. The last lines are the mean absolute errors in percentage points, and how many of our
95 % intervals hold what was really measured, give or take what that itself is off by.

With --keep, the profiles and what was really measured are kept; with --kept they are
compared again, by the present `causal report`.

With --target section the targets are not the regions but the critical sections that
consist of one, in the programs that have such (a `// SECTION` beside what takes the lock),
and with --target function the functions (`// FUNCTION` beside the name, which is the
region's).

The machine should be idle, and have two cores."""
import argparse
import collections
import contextlib
import json
import math
import os
import random
import re
import shutil
import signal
import statistics
import subprocess
import tempfile
import threading
import time

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "programs")
SPEEDUPS = (25, 50, 75)
FLAGS = ["-std=c++17", "-O1", "-g", "-fno-omit-frame-pointer", "-pthread"]


Prediction = collections.namedtuple("Prediction", "gain interval", defaults=[None])
Prediction.__doc__ = "In percent; the 95 % interval is (low, high)."
Truth = collections.namedtuple("Truth", "gain error")
Truth.__doc__ = "The median of several measurements, in percent, and half of its 95 % interval."


def flags(source):
    """The compiler's options for a program: the usual ones, and its `// FLAGS:` line."""
    line = re.search(r"^// FLAGS: (.*)", open(source).read(), re.MULTILINE)
    return FLAGS + (line.group(1).split() if line else [])


def rate(command):
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return float(re.search(r"rate=([\d.]+)", output).group(1))


def regions(source, target="line"):
    """(region, line) of the targets that the source marks; a function's name is its region's
    and stands for the line."""
    mark = {"line": "REGION", "function": "FUNCTION", "section": "SECTION"}[target]
    for number, line in enumerate(open(source), 1):
        if match := re.search(rf"// {mark} (\w+)", line):
            yield match.group(1), match.group(1) if target == "function" else number


def calibrate(work):
    program = f"{work}/calibrate"
    subprocess.run(["clang++-19", *FLAGS, f"-I{HERE}/../../../include", f"{HERE}/../Calibrate.cpp", "-o", program], check=True)
    return subprocess.run([program], check=True, capture_output=True, text=True).stdout.strip()


def measure_truth(program, names, options):
    seconds, repeats = options.truth_seconds, options.truth_repeats
    length = ["--seconds", str(seconds), "--speed", options.speed]
    rate([program, *length])
    gains = collections.defaultdict(list)
    for _ in range(repeats):
        before = rate([program, *length])
        for name in names:
            for speedup in SPEEDUPS:
                faster = rate([program, *length, "--faster", f"{name}={speedup}"])
                after = rate([program, *length])
                gains[name, speedup].append(100 * (1 - (before + after) / 2 / faster))
                before = after
    # A few repeats hardly tell how much a gain scatters, those of all gains of a program do.
    scatter = math.sqrt(statistics.mean(statistics.variance(values) for values in gains.values()))
    of_median = math.sqrt(math.pi / 2)
    error = student(len(gains) * (repeats - 1)) * of_median * scatter / math.sqrt(repeats)
    return {key: Truth(statistics.median(values), error) for key, values in gains.items()}


def student(freedom):
    """The 97.5 % quantile of Student's t (Abramowitz and Stegun, 26.7.5)."""
    z = statistics.NormalDist().inv_cdf(0.975)
    return (z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
            + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3))


def keep_truth(folder, name, truth):
    with open(f"{folder}/{name}.truth.json", "w") as file:
        json.dump([[*key, *value] for key, value in truth.items()], file)


def load_truth(folder, name):
    with open(f"{folder}/{name}.truth.json") as file:
        return {(region, speedup): Truth(gain, error) for region, speedup, gain, error in json.load(file)}


def parse_coz(text):
    """{line: {speedup: [effective time, visits]}} from Coz's text format."""
    cells = collections.defaultdict(lambda: collections.defaultdict(lambda: [0, 0]))
    experiment = None
    for line in text.splitlines():
        kind, *fields = line.split("\t")
        value = dict(field.split("=", 1) for field in fields)
        if kind == "experiment":
            experiment = value
        elif kind in ("throughput-point", "progress-point") and value["name"] == "item":
            line = int(experiment["selected"].rsplit(":", 1)[1])
            cell = cells[line][round(100 * float(experiment["speedup"]))]
            cell[0] += int(experiment["duration"])
            cell[1] += int(value["delta"])
    return cells


def report_causal(prefix, profile, source):
    """{line: {speedup: Prediction}} of the source as `causal report` makes it; by the entry
    with the most experiments, if several functions have code of a line."""
    at = ",".join(map(str, SPEEDUPS))
    report = json.loads(subprocess.run([f"{prefix}/bin/causal", "report", "--format=json", f"--at={at}", profile],
                                       check=True, capture_output=True, text=True).stdout)
    entries = [entry for point in report["points"] if point["name"] == "item" for entry in point["lines"]
               if os.path.basename(entry["file"]) == os.path.basename(source)]
    return {entry["line"] or entry["function"]: {p["line_speedup"]: Prediction(p["gain"], (p["low"], p["high"])) for p in entry["predictions"]}
            for entry in sorted(entries, key=lambda entry: entry["experiments"])}


def parse_causal(profile):
    """Cells of our profile, from visit to visit where an experiment has enough of them."""
    cells = collections.defaultdict(lambda: collections.defaultdict(lambda: [0, 0]))
    for text in open(profile):
        record = json.loads(text)
        if record["type"] != "experiment":
            continue
        for point in record["points"]:
            if point["name"] == "item":
                spans = point["span_visits"] >= 4
                cell = cells[record["line"] or record["function"]][record["speedup"]]
                cell[0] += point["span"] if spans else record["wall"] - record["delay"]
                cell[1] += point["span_visits"] if spans else point["visits"]
    return cells


def predict(cells):
    """{speedup: Prediction} from the {speedup: [effective time, visits]} of a line."""
    if not cells.get(0, (0, 0))[1]:
        return {}
    base = cells[0][0] / cells[0][1]
    gains = {}
    for speedup in SPEEDUPS:
        near = [100 * (1 - cells[s][0] / cells[s][1] / base)
                for s in cells if s and abs(s - speedup) <= 10 and cells[s][1]]
        if near:
            gains[speedup] = Prediction(statistics.mean(near))
    return gains


@contextlib.contextmanager
def disturbance(wanted):
    """Something else computes on all cores for one second in five."""
    over = threading.Event()

    def disturb():
        while not over.wait(4):
            spinners = [subprocess.Popen(["timeout", "1", "sh", "-c", "while :; do :; done"]) for _ in os.sched_getaffinity(0)]
            for spinner in spinners:
                spinner.wait()

    thread = threading.Thread(target=disturb)
    if wanted:
        thread.start()
    try:
        yield
    finally:
        over.set()
        if wanted:
            thread.join()


def run_resting(command, environment, wanted):
    """Runs the command, which has nothing to do for half a second in about every second if
    wanted: it is stopped."""
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as process:
        while wanted:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(random.uniform(0.3, 0.9))
                break
            process.send_signal(signal.SIGSTOP)
            time.sleep(0.5)
            process.send_signal(signal.SIGCONT)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)


def profile_causal(options, source, work):
    program, profile = f"{work}/profiled", f"{work}/profile.causal"
    subprocess.run([f"{options.prefix}/bin/causal-clang++", "-fcausal-profile", *flags(source), source, "-o", program], check=True)
    environment = dict(os.environ, CAUSAL_OPTIONS=f"target={options.target}:{options.options}:output={profile}")
    with disturbance(options.disturb):
        run_resting([program, "--seconds", str(options.seconds), "--speed", options.speed], environment, options.rest)
    if options.keep:
        shutil.copy(profile, f"{options.keep}/{os.path.basename(source)[:-4]}.causal")
    if options.cells:
        return {line: predict(cells) for line, cells in parse_causal(profile).items()}
    return report_causal(options.prefix, profile, source)


def profile_coz(options, source, work):
    program, profile = f"{work}/coz", f"{work}/profile.coz"
    subprocess.run(["clang++-19", "-DUSE_COZ", *flags(source), "-gdwarf-4", source, "-o", program, "-ldl"], check=True)
    with disturbance(options.disturb):
        subprocess.run(["coz", "run", "-o", profile, "-s", f"{HERE}/%", "---", program, "--seconds", str(options.seconds),
                        "--speed", options.speed], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return {line: predict(cells) for line, cells in parse_coz(open(profile, errors="replace").read()).items()}


def measure(options, name, source, lines, tools):
    """What is really so and what each tool predicts; None if the program does not build."""
    with tempfile.TemporaryDirectory() as work:
        plain = f"{work}/plain"
        build = subprocess.run(["clang++-19", *flags(source), f"-I{HERE}/../../../include", source, "-o", plain])
        if build.returncode:
            print(f"{name}: left out, it does not build here (openmp needs libomp-19-dev, tbb libtbb-dev)", flush=True)
            return None
        truth = measure_truth(plain, lines, options)
        if options.keep:
            keep_truth(options.keep, name, truth)
        return truth, {tool: run(options, source, work) for tool, run in tools.items()}


def kept(options, name, source):
    """As measure(), of what was kept; None if that has nothing of the program."""
    if not os.path.exists(f"{options.kept}/{name}.truth.json"):
        return None
    profile = f"{options.kept}/{name}.causal"
    return load_truth(options.kept, name), {"causal": report_causal(options.prefix, profile, source)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prefix", default=os.path.join(HERE, "../../../build/prefix"))
    parser.add_argument("--coz", action="store_true", help="Coz too (coz in PATH)")
    parser.add_argument("--seconds", type=float, default=30, help="of each profiled run")
    parser.add_argument("--truth-seconds", type=float, default=0.5)
    parser.add_argument("--truth-repeats", type=int, default=7)
    parser.add_argument("--cells", action="store_true", help="predict as it is done for Coz")
    parser.add_argument("--options", default="", help="more CAUSAL_OPTIONS")
    parser.add_argument("--disturb", action="store_true", help="compute beside what is profiled for one second in five")
    parser.add_argument("--rest", action="store_true", help="stop what is profiled for half a second now and then")
    keeping = parser.add_mutually_exclusive_group()
    keeping.add_argument("--keep", metavar="DIR", help="put the profiles and what was really measured there")
    keeping.add_argument("--kept", metavar="DIR", help="measure nothing, compare what --keep put there")
    parser.add_argument("--target", choices=("line", "function", "section"), default="line")
    parser.add_argument("programs", nargs="*")
    options = parser.parse_args()
    if options.truth_repeats < 2:
        parser.error("one measurement does not tell how far it is off: --truth-repeats takes two or more")
    tools = {"causal": profile_causal}
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
    if options.coz and options.target != "line":
        parser.error("Coz knows no other targets than lines: leave out --coz or --target")
    if options.coz and options.rest:
        parser.error("with --rest there is no comparison: leave out --coz")
    if options.coz and options.kept:
        parser.error("of Coz nothing was kept: leave out --coz or --kept")
    if options.coz:
        tools["coz"] = profile_coz
    if not options.kept:
        with tempfile.TemporaryDirectory() as work:
            options.speed = calibrate(work)
    errors = collections.defaultdict(list)
    intervals = []  # (half-width, that of what was measured, whether both agree)
    for name in options.programs or sorted(f[:-4] for f in os.listdir(HERE) if f.endswith(".cpp")):
        source = f"{HERE}/{name}.cpp"
        lines = dict(regions(source, options.target))
        if not lines:
            continue
        measured = kept(options, name, source) if options.kept else measure(options, name, source, lines, tools)
        if not measured:
            continue
        truth, profiles = measured
        for tool in tools:
            print(f"{name}, {tool}: predicted/real at {', '.join(map(str, SPEEDUPS))} %")
            for region, line in lines.items():
                row = []
                for speedup in SPEEDUPS:
                    predicted, real = profiles[tool].get(line, {}).get(speedup), truth[region, speedup]
                    if predicted is not None:
                        errors[tool, name].append(abs(predicted.gain - real.gain))
                    if predicted is not None and predicted.interval:
                        low, high = predicted.interval
                        half = (high - low) / 2
                        held = abs(real.gain - (low + high) / 2) <= math.hypot(half, real.error)
                        intervals.append((half, real.error, held))
                    row.append(f"{'-' if predicted is None else f'{predicted.gain:+.1f}'}/{real.gain:+.1f}")
                print(f"  {region:10s} {'  '.join(row)}", flush=True)
    for tool in tools:
        every = [error for (t, _), values in errors.items() if t == tool for error in values]
        by_program = "  ".join(f"{n} {statistics.mean(v):.1f}" for (t, n), v in errors.items() if t == tool and v)
        if every:
            print(f"{tool}: mean absolute error {statistics.mean(every):.2f} points, worst {max(every):.1f}, "
                  f"{len(every)} predictions  ({by_program})")
    if intervals:
        widths, of_truth, held = zip(*intervals)
        print(f"95 % intervals that hold what was measured: {sum(held)} of {len(held)}; half-width in the median "
              f"{statistics.median(widths):.1f} points, of what was measured {statistics.median(of_truth):.1f}")


if __name__ == "__main__":
    main()
