#!/usr/bin/env python3
"""expect.py PROFILE SOURCE: the lines "EXPECT: routine input xCALLS threads outside" of SOURCE
are all points of these routines in PROFILE, threads added up."""
import collections
import re
import subprocess
import sys

sys.dont_write_bytecode = True  # Not beside the sources.
import points as reader

loaded = reader.load(sys.argv[1])
names = sorted({routine[0] for routine, _ in loaded})
plain = subprocess.run(["c++filt", "-p"], input="\n".join(names), capture_output=True, text=True,
                       check=True).stdout.split("\n")
plain = {n: p.split("(")[0].split("::")[-1] for n, p in zip(names, plain)}
got, want = collections.defaultdict(set), collections.defaultdict(set)
for (routine, size), p in loaded.items():
    got[plain[routine[0]]].add((size, p[0], p[4], p[5]))
for line in open(sys.argv[2]):
    if m := re.match(r"// EXPECT: (\w+) (\d+) x(\d+) (\d+) (\d+)", line):
        want[m[1]].add(tuple(int(x) for x in m.groups()[1:]))
wrong = [n for n in want if want[n] != got[n]]
for n in wrong:
    print(f"{n}: expected {sorted(want[n])}, got {sorted(got[n])}")
print(f"{len(want)} routines, {len(wrong)} wrong")
sys.exit(bool(wrong) or not want)
