#!/usr/bin/env python3
"""points.py PROFILE [ROUTINE...]: the points of routines over all threads, by input, and by what
the mean cost grew since the one before. --same A B: exits with 1 unless two profiles have the same
points for all routines, threads added up."""
import collections
import json
import sys


def load(path):
    names, points = {}, collections.defaultdict(lambda: [0, None, None, 0, 0, 0])
    for line in open(path):
        r = json.loads(line)
        if r["type"] == "routine":
            names[r["run"], r["id"]] = (r["name"], r["line"])
    for line in open(path):
        r = json.loads(line)
        if r["type"] != "point":
            continue
        p = points[names[r["run"], r["routine"]], r["input"]]
        p[0] += r["calls"]
        p[1] = r["min"] if p[1] is None else min(p[1], r["min"])
        p[2] = r["max"] if p[2] is None else max(p[2], r["max"])
        p[3] += r["sum"]
        p[4] += r["thread_input"]
        p[5] += r["external_input"]
    return points


def compare(a, b):
    a, b = load(a), load(b)
    differ = [k for k in set(a) | set(b) if a.get(k) != b.get(k)]
    for k in sorted(differ, key=str)[:20]:
        print(k, a.get(k), b.get(k))
    calls = sum(p[0] for p in a.values())
    print(f"{len(a)} points of {calls} activations, {len(differ)} differ")
    sys.exit(bool(differ) or not a)


def main():
    if sys.argv[1] == "--same":
        compare(*sys.argv[2:4])
    points = load(sys.argv[1])
    for name in sys.argv[2:]:
        before = None
        for (routine, size), p in sorted(points.items(), key=lambda i: i[0][1]):
            if routine[0] != name:
                continue
            mean = p[3] / p[0]
            growth = f"{mean / before:.3f}" if before else "-"
            print(f"{name} {size} calls {p[0]} growth {growth} threads {p[4]} outside {p[5]}")
            before = mean


if __name__ == "__main__":
    main()
