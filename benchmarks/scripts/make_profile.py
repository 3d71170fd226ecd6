#!/usr/bin/env python3
"""Writes a synthetic profile of any size, to measure the tool with.

  make_profile.py [--experiments N] [--lines N] [--runs N] > big.causal
  time causal report big.causal
  time causal merge -o merged.causal big.causal
"""
import argparse
import json
import random
import sys


def write(**fields):
    json.dump(fields, sys.stdout, separators=(",", ":"))
    sys.stdout.write("\n")


def line_fields(line):
    return {
        "file": f"/src/server/module{line % 37}.cpp",
        "line": 10 + line,
        "function": f"module_{line}",
    }


def spans(visits, rng):
    """Of an experiment of 100 ms of effective time."""
    return {"span_visits": visits * 4 // 5, "span": 80000000, "late_visits": visits * 2 // 5 + rng.randint(-2, 2),
            "late_span": 40000000}


def run(number, args, rng):
    name = f"{number + 1:016x}"
    write(type="run", version=1, run=name, exe="/src/server/server", build_id="beef", pid=7, host="h",
          time=1000 + number, options="", sampler="perf-sigtrap", period=1000000)
    now = 0
    count = args.experiments // args.runs
    for index in range(count):
        # Few lines are hot and most are cold.
        line = min(int(rng.expovariate(8) * args.lines), args.lines - 1)
        speedup = 0 if rng.random() < 0.3 else 5 * rng.randint(1, 20)
        gain = 0.5 * speedup / 100 if line % 7 == 0 else 0
        visits = max(int(rng.gauss(200, 4) / (1 - gain)), 0)
        delay = 200000 * speedup
        write(type="experiment", run=name, index=index, **line_fields(line), speedup=speedup, start=now,
              wall=100000000 + delay, delay=delay, pause=delay, samples=20, unsettled=0,
              core_wait=0.0, threads_per_core=1.0,
              points=[{"name": "item", "kind": "throughput", "visits": visits, **spans(visits, rng)},
                      {"name": "request", "kind": "latency", "begins": visits, "ends": visits,
                       "in_flight": round(2 * (1 - gain), 3), **spans(visits, rng),
                       "late_in_flight": round(2 * (1 - gain), 3)}])
        now += 110000000 + delay
    for line in range(args.lines):
        write(type="line", run=name, snapshot=0, **line_fields(line), samples=1000, undelayed_samples=600)
    write(type="snapshot", run=name, index=0, final=True, wall=now, delay=1000, undelayed_wall=now // 2,
          lines=args.lines, experiments=count, losses={"dropped": 0})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--experiments", type=int, default=100000)
    parser.add_argument("--lines", type=int, default=500)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    for number in range(args.runs):
        run(number, args, rng)


if __name__ == "__main__":
    main()
