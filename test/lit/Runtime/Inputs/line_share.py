"""line_share.py PROFILE FILE:LINE SHARE: at least that share of the samples of the last
snapshot fell into the line."""
import json
import sys

profile, location, share = sys.argv[1:]
file, line = location.rsplit(":", 1)
lines = {}
for text in open(profile):
    record = json.loads(text)
    if record["type"] == "line":
        lines[record["file"], record["line"]] = record["samples"]
total = sum(lines.values())
here = sum(n for (f, l), n in lines.items() if f.endswith("/" + file) and l == int(line))
assert total > 50, lines
assert here >= float(share) * total, (here, total, lines)
