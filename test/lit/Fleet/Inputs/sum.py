"""sum.py TOOL WHOLE PART...: by function, a database has the samples of its parts."""
import json
import subprocess
import sys

tool, *databases = sys.argv[1:]


def prof(db):
    p = json.loads(subprocess.run([tool, "db", "prof", "--format=json", db], check=True,
                                  stdout=subprocess.PIPE).stdout)
    sums = {"": p["samples"]}
    for row in p["rows"]:
        sums[row["name"]] = sums.get(row["name"], 0) + row["samples"]
    return sums


whole, *parts = map(prof, databases)
names = set(whole).union(*parts)
assert whole[""] > 0
for name in names:
    assert whole.get(name, 0) == sum(part.get(name, 0) for part in parts), name
