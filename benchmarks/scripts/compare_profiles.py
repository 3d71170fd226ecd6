#!/usr/bin/env python3
"""Are two profiles' samples distributed alike over the source lines?

  compare_profiles.py A.causal B.causal

prints the lines with the most samples, the largest difference of a line's share, and
the total variation distance beside the one that chance alone would give (multinomial
samples of the pooled distribution)."""
import collections
import json
import math
import sys


def samples(path):
    lines, last = collections.defaultdict(dict), {}
    for text in open(path):
        record = json.loads(text)
        if record["type"] == "line":
            key = record["file"].rsplit("/", 1)[-1], record["line"], record["function"]
            lines[record["run"], record["snapshot"]][key] = record["samples"]
        elif record["type"] == "snapshot":
            last[record["run"]] = record["index"]
    total = collections.Counter()
    for run, snapshot in last.items():
        total.update(lines[run, snapshot])
    return total


a, b = map(samples, sys.argv[1:3])
size_a, size_b = sum(a.values()), sum(b.values())
keys = set(a) | set(b)
share = {key: (100 * a[key] / size_a, 100 * b[key] / size_b) for key in keys}
for key in sorted(keys, key=lambda key: -sum(share[key]))[:10]:
    print("%6.2f %6.2f  %s:%d %s" % (*share[key], *key))
distance = sum(abs(x - y) for x, y in share.values()) / 2
pooled = [(a[key] + b[key]) / (size_a + size_b) for key in keys]
chance = 100 * sum(math.sqrt(2 / math.pi * p * (1 - p) * (1 / size_a + 1 / size_b)) for p in pooled) / 2
print(f"{size_a} and {size_b} samples in {len(a)} and {len(b)} lines; largest difference of a share "
      f"{max(abs(x - y) for x, y in share.values()):.2f} points; total variation {distance:.2f} %, by chance {chance:.2f} %")
