"""compare.py TOOL DB ANSWER: what an engine says (in the file ANSWER) is what the tool says."""
import json
import subprocess
import sys

tool, db, answer = sys.argv[1:4]
p = json.loads(subprocess.run([tool, "db", "prof", "--format=json", db], check=True,
                              stdout=subprocess.PIPE).stdout)
rows = sum(row["samples"] for row in p["rows"])
engine = json.load(open(answer))
assert engine["total"] == [p["samples"], p["dropped"], p["unmapped"], rows], (engine, p)
assert engine["prof"] == rows, (engine["prof"], rows)
assert engine["top"] == p["rows"][0]["name"], (engine["top"], p["rows"][0])
hosts = json.loads(subprocess.run([tool, "db", "prof", "--by=host", "--format=json", db],
                                  check=True, stdout=subprocess.PIPE).stdout)
assert engine["hosts"] == len(hosts["rows"]), (engine, hosts)
print("equal:", rows, "samples")
