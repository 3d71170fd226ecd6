#!/usr/bin/env python3
"""Real programs: what the profiler predicts of a known optimisation, and what it gives.

  real_programs.py --prefix PREFIX [--seconds T] [NAME...]

For each program of programs.py: fetches its source (npm), builds it plain and with the
optimisation, each with and without -fcausal-profile, and then

  names     profiles it for T/2 seconds and prints the lines that the report ranks first;
  predicts  leaves the changed code out of scope, so that its time belongs to the lines
            that call it; samples both builds without delays to see which part X of
            these lines' time the change takes away; profiles these lines as one target
            (fixed_line=) for T seconds; and asks the report what it brings at X;
  measures  the plain builds in turn (A B B A).

Results are kept in WORK, and a program that has one is not measured again without
--fresh. The machine should be idle, and have two cores. docs/measurements/real-programs.md explains
the table."""
import argparse
import json
import math
import os
import re
import statistics
import subprocess
import sys

sys.dont_write_bytecode = True  # Nothing is written beside the sources.
import builder
from programs import PROGRAMS

ENOUGH = 0.98   # of the samples in a change's lines: the hottest ones that have these are profiled
MOST_LINES = 20


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def run(program, seconds, options=""):
    """Units per second, and CPU seconds per unit."""
    temporary = "/dev/shm" if os.path.isdir("/dev/shm") else None
    environment = dict(os.environ, CAUSAL_OPTIONS=options, **({"TMPDIR": temporary} if temporary else {}))
    done = subprocess.run([program, str(seconds)], env=environment, capture_output=True, text=True)
    match = re.search(r"rate=(\S+) cpu=(\S+)", done.stdout)
    if done.returncode or not match:
        builder.fail(f"{program} failed with status {done.returncode}:\n{done.stdout}{done.stderr}")
    return float(match.group(1)), float(match.group(2))


def profile(program, seconds, path, options):
    if os.path.exists(path):
        os.remove(path)
    return run(program, seconds, f"{options}:output={path}")


def report(prefix, path, *options):
    done = subprocess.run([f"{prefix}/bin/causal", "report", "--format=json", "--top=0", *options, path],
                          capture_output=True, text=True)
    if done.returncode:
        progress("")
        print(f"{path}: {(done.stderr or done.stdout).strip()}", file=sys.stderr)
        return []
    return json.loads(done.stdout)["points"][0]["lines"]


def prediction(line, speedup):
    """(gain, half the 95 % interval) of the program if the line is that much faster."""
    for p in line["predictions"]:
        if p["line_speedup"] == speedup:
            return p["gain"], (p["high"] - p["low"]) / 2
    return None


def sampled(path, pattern):
    """{(file, line): samples} of lines whose source text matches, and all samples."""
    snapshots, lines = {}, {}
    for text in open(path):
        record = json.loads(text)
        if record["type"] == "line":
            lines.setdefault(record["snapshot"], []).append(record)
        elif record["type"] == "snapshot":
            snapshots[record["index"]] = record["losses"]
    last = max(snapshots)
    total = (snapshots[last]["unmapped"] + snapshots[last]["out_of_scope"]
             + sum(line["samples"] for line in lines[last]))
    texts = {file: open(file, errors="replace").read().split("\n") for file in {l["file"] for l in lines[last]}}
    return {(l["file"], l["line"]): l["samples"] for l in lines[last]
            if re.search(pattern, texts[l["file"]][l["line"] - 1])}, total


def name_lines(program, binaries, options, directory):
    path = f"{directory}/names.causal"
    profile(binaries["profiled"], options.seconds / 2, path, program.options)
    return [{"where": f"{os.path.basename(l['file'])}:{l['line']}", "function": l.get("function", ""),
             "source": l.get("source", "").strip(), "share": l["sample_share"], "verdict": l["verdict"],
             "at_50": prediction(l, 50)}
            for l in report(options.prefix, path, "--at=50")[:5]]


def local_change(program, binaries, cpu, options, scope, directory):
    """What the change takes from the lines that call it: samples of each line, of all
    in the original, the part of the lines' time that goes away, and its 95 % error.
    Their time is their share of samples of the CPU time without the profiler."""
    shares = {"profiled": [], "profiled-changed": []}
    counted, everything = {}, 0
    counts = dict.fromkeys(shares, 0)
    for variant in ("profiled", "profiled-changed", "profiled-changed", "profiled"):
        path = f"{directory}/{variant}.causal"
        profile(binaries[variant], options.seconds / 12, path, f"{scope}:max_speedup=0")
        group, total = sampled(path, program.lines)
        counts[variant] += sum(group.values())
        shares[variant].append(sum(group.values()) / total)
        if variant == "profiled":
            counted = {line: group.get(line, 0) + counted.get(line, 0) for line in {*group, *counted}}
            everything += total
    if not counted:
        builder.fail(f"{program.name}: no sample fell into the lines that the change is about")
    left = cpu["changed"] * sum(shares["profiled-changed"]) / (cpu["plain"] * sum(shares["profiled"]))
    error = 1.96 * left * math.sqrt(sum(1 / max(1, count) for count in counts.values()))
    return counted, everything, 1 - left, error


def predict(program, binaries, cpu, options, directory):
    scope = f"{program.options}:exclude='{program.exclude}'"
    path = f"{directory}/predict.causal"
    group, total, removed, removed_error = local_change(program, binaries, cpu, options, scope, directory)
    speedup = max(1, min(100, round(100 * removed)))
    if os.path.exists(path):
        os.remove(path)
    hottest = []
    for line in sorted(group, key=group.get, reverse=True)[:MOST_LINES]:
        if sum(group[l] for l in hottest) < ENOUGH * sum(group.values()):
            hottest.append(line)
    together = ",".join(f"{file}:{line}" for file, line in hottest)
    run(binaries["profiled"], options.seconds, f"{scope}:fixed_line='{together}':output={path}")
    covered = sum(group[line] for line in hottest) / sum(group.values())
    result = {"removed": 100 * removed, "removed_error": 100 * removed_error, "share": 100 * sum(group.values()) / total,
              "lines": [{"where": f"{os.path.basename(file)}:{line}", "samples": group[file, line],
                         "source": open(file, errors="replace").read().split("\n")[line - 1].strip()}
                        for file, line in hottest],
              "total": total, "covered": covered, "experiments": 0, "gain": None, "error": None}
    for line in report(options.prefix, path, f"--at={speedup}"):
        if f"{line['file']}:{line['line']}" == together and (predicted := prediction(line, speedup)):
            result["experiments"] = line["experiments"]
            gain = result["gain"] = predicted[0] / covered
            result["error"] = math.hypot(gain * removed_error / max(removed, 0.01), predicted[1] / covered)
    return result


def measure(binaries, options):
    """Gains in percent of wall time per unit, one for each A B B A, and of CPU time."""
    gains, cpu = [], {"plain": 0, "changed": 0}
    for _ in range(options.repeats):
        rates = {"plain": 0, "changed": 0}
        for variant in ("plain", "changed", "changed", "plain"):
            rate, used = run(binaries[variant], options.run_seconds)
            rates[variant] += rate
            cpu[variant] += used
        gains.append(100 * (1 - rates["plain"] / rates["changed"]))
    return {"gain": statistics.median(gains), "low": min(gains), "high": max(gains),
            "cpu": 100 * (1 - cpu["changed"] / cpu["plain"]), "cpu_seconds": cpu}


def measured(program, binaries, options):
    directory = f"{options.work}/{program.name}"
    path = f"{directory}/result.json"
    if os.path.exists(path) and not options.fresh:
        return json.load(open(path))
    progress(f"{program.name}: profiling, {options.seconds / 2:g} s ...")
    result = {"names": name_lines(program, binaries, options, directory)}
    progress(f"{program.name}: measuring, {4 * options.repeats * options.run_seconds:g} s ...")
    result["real"] = measure(binaries, options)
    progress(f"{program.name}: profiling with the changed code out of scope, {4 / 3 * options.seconds:.0f} s ...")
    result["predicted"] = predict(program, binaries, result["real"]["cpu_seconds"], options, directory)
    with open(f"{path}.part", "w") as file:
        json.dump(result, file, indent=1)
    os.rename(f"{path}.part", path)
    return result


def signed(value, error):
    return "-" if value is None else f"{value:+.1f} ±{error:.1f}"


def print_result(program, result):
    progress("")
    print(f"{program.name}: {program.what}\n  names (program faster by % ±95 % if the line is 50 % faster, share of samples, verdict)")
    for line in result["names"]:
        print(f"    {signed(*(line['at_50'] or (None, None))):>13}  {line['share']:5.1f} %  {line['verdict']:10}  "
              f"{line['where']} {line['function']}: {line['source'][:60]}")
    p, real = result["predicted"], result["real"]
    print(f"  change: {program.change}\n  takes {p['removed']:.0f} ±{p['removed_error']:.0f} % of the time in such lines, "
          f"which have {p['share']:.1f} % of all samples")
    for line in sorted(p["lines"], key=lambda l: -l["samples"]):
        print(f"    {100 * line['samples'] / p['total']:5.1f} %  {line['where']}: {line['source'][:70]}")
    print(f"  predicted {signed(p['gain'], p['error'])} % (by {p['experiments']} experiments on all of them at once), "
          f"real {real['gain']:+.1f} % ({real['low']:+.1f} to {real['high']:+.1f}; "
          f"{real['cpu']:+.1f} % of CPU time)\n", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prefix", required=True, help="where the profiler is installed")
    parser.add_argument("--seconds", type=float, default=40, help="length of the predicting profile")
    parser.add_argument("--repeats", type=int, default=3, help="times A B B A")
    parser.add_argument("--run-seconds", type=float, default=2, help="length of each run without the profiler")
    parser.add_argument("--work", default=os.path.join(builder.HERE, "../../build/real-programs"),
                        help="directory for sources, builds and results")
    parser.add_argument("--fresh", action="store_true", help="measure again what has a result")
    parser.add_argument("--build-only", action="store_true")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(p.name for p in PROGRAMS))
    options = parser.parse_args()
    options.prefix, options.work = os.path.abspath(options.prefix), os.path.abspath(options.work)
    unknown = set(options.names) - {p.name for p in PROGRAMS}
    if unknown:
        parser.error(f"no such program: {', '.join(sorted(unknown))}")
    programs = [p for p in PROGRAMS if not options.names or p.name in options.names]
    progress("fetching and building ...")
    binaries = builder.build(programs, options.work, options.prefix)
    if options.build_only:
        return progress("")
    rows = []
    for program in programs:
        result = measured(program, binaries[program.name], options)
        print_result(program, result)
        p, real = result["predicted"], result["real"]
        rows.append(f"| {program.name} | {program.change} | {p['share']:.0f} % | {p['removed']:.0f} ±{p['removed_error']:.0f} % | "
                    f"{signed(p['gain'], p['error'])} % | {real['gain']:+.1f} % ({real['low']:+.1f} to {real['high']:+.1f}) |")
    print("| program | change | samples in its lines | it takes of them | predicted gain | real gain |")
    print("| --- | --- | --- | --- | --- | --- |", *rows, sep="\n")


if __name__ == "__main__":
    main()
