"""make_profile.py NAME RUNS FILE:LINE:FUNCTION=MICROSECONDS...: the profile of a
program of one thread that does these lines one after the other, as an ideal runtime
would write it. Runs differ by a few parts in a thousand, the same in every call."""
import json
import sys

name, runs = sys.argv[1], int(sys.argv[2])
lines = []
for text in sys.argv[3:]:
    place, cost = text.rsplit("=", 1)
    file, line, function = place.split(":")
    lines.append((file, int(line), function, float(cost)))
total = sum(line[3] for line in lines)
WALL = 1_000_000_000
for run in range(runs):
    def write(type, **fields):
        print(json.dumps({"type": type, "run": f"{name}{run}", **fields}, separators=(",", ":")))

    write("run", version=1, exe=f"/bin/{name}", build_id="", pid=1, host="h", time=1, options="", sampler="perf-sigtrap",
          period=1000000)
    index = start = delays = 0
    for _ in range(3):
        for file, line, function, cost in lines:
            for speedup in (0, 0, 25, 50, 75):
                wiggle = 1 + ((index * 7 + run * 5) % 11 - 5) / 1000
                period = (total - cost * speedup / 100) * 1000 * wiggle
                visits = round(WALL / period)
                delay = round(visits * cost * 1000 * speedup / 100)
                write("experiment", index=index, file=file, line=line, function=function, speedup=speedup, start=start,
                      wall=WALL + delay, delay=delay, samples=round(1000 * cost / total), unsettled=0,
                      points=[{"name": "item", "kind": "throughput", "visits": visits}])
                index += 1
                start += WALL + delay
                delays += delay
    for file, line, function, cost in lines:
        share = cost / total
        write("line", snapshot=0, file=file, line=line, function=function, samples=round(start / 1e6 * share),
              undelayed_samples=round((start - delays) / 2 / 1e6 * share))
    write("snapshot", index=0, final=True, wall=start, delay=delays, undelayed_wall=(start - delays) // 2,
          lines=len(lines), experiments=index)
