"""include_order.py ROOT [--prefix=lib/] [--allow=FILE]: do the folders of ROOT include
only what ROOT/layers.txt says?

layers.txt has one layer a line, from the lowest; a line may name several folders, which
are to know nothing of each other. --prefix: what includes put before the folder. FILE
lists includes that are known to be wrong, "FROM TO" a line; one that is not there any
more is an error, so that the list only shrinks.
"""
import argparse
import pathlib
import re
import sys

parser = argparse.ArgumentParser()
parser.add_argument("root", type=pathlib.Path)
parser.add_argument("--prefix", default="")
parser.add_argument("--allow", type=pathlib.Path)
options = parser.parse_args()


def entries(path):
    lines = (line.split("#")[0].split() for line in path.read_text().splitlines())
    return [line for line in lines if line]


layers = entries(options.root / "layers.txt")
rank = {folder: i for i, layer in enumerate(layers) for folder in layer}
allowed = {tuple(e) for e in entries(options.allow)} if options.allow else set()
include = re.compile(rf'\s*#\s*include\s+"{re.escape(options.prefix)}(([^/"]+)/[^"]+)"')
faults, used, files = [], set(), 0

for folder in sorted(p for p in options.root.iterdir() if p.is_dir()):
    sources = [p for p in sorted(folder.rglob("*")) if p.suffix in (".h", ".cpp", ".inc", ".def")]
    files += len(sources)
    if sources and folder.name not in rank:
        faults.append(f"{folder.name}: not in layers.txt")
        continue
    for source in sources:
        name = source.relative_to(options.root).as_posix()
        for number, line in enumerate(source.read_text().splitlines(), 1):
            match = include.match(line)
            # A folder of this name may be another include path's, as include/causal.
            if not match or not (options.root / match[1]).exists():
                continue
            to = match[2]
            if to == folder.name or to in rank and rank[to] < rank[folder.name]:
                continue
            if (name, match[1]) in allowed:
                used.add((name, match[1]))
                continue
            why = "beside" if to in rank and rank[to] == rank[folder.name] else "above"
            faults.append(f"{name}:{number}: includes {match[1]}, which is {why} {folder.name}")

faults += [f"{a} {b}: is allowed and not there: take it off the list" for a, b in sorted(allowed - used)]
print(*faults, sep="\n", end="\n" if faults else "")
print(f"{files} files in {len(rank)} folders: {len(faults)} faults, {len(used)} known ones")
sys.exit(bool(faults) or not files)
