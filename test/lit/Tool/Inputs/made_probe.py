"""A probe file with samples of a program that nobody took: so many at each instruction
of a function, as `causal db list --format=json` numbers them. argv: program, list, function,
number of the instruction with most samples."""
import json
import sys

program, listed, function, hot = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
print(json.dumps({"record": "probe", "cpu": "znver3", "ghz": 2.0, "skid": 1, "data_lines": 512,
                  "code_lines": 512, "data_pages": 64, "period_ns": 1000, "kernel_seen": False,
                  "code": [3, 0, 0]}))
print(json.dumps({"record": "image", "path": program, "build_id": ""}))
at = [int(line.split()[0], 16) for line in open(listed)]
for number, address in enumerate(at):
    print(json.dumps({"record": "pc", "at": address, "n": 4000 if number == hot else 10}))
