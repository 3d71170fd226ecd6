"""run_tidy.py CLANG_TIDY BUILD_DIR TARGET...: clang-tidy over the sources of these targets.

Each source is read once, as the first of the targets compiles it, by its command in
compile_commands.json. All checks are errors (.clang-tidy).
"""
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

tidy, build, targets = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
commands = {}
for target in targets:
    for entry in json.loads((build / "compile_commands.json").read_text()):
        if f"/{target}.dir/" in entry["command"]:
            commands.setdefault(entry["file"], entry)
if not commands:
    sys.exit(f"no source of {' '.join(targets)} in {build}/compile_commands.json")


def check(source):
    return source, subprocess.run([tidy, "-p", folder, "--quiet", source],
                                  capture_output=True, text=True)


bad = 0
with tempfile.TemporaryDirectory() as folder:
    pathlib.Path(folder, "compile_commands.json").write_text(json.dumps(list(commands.values())))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for source, result in pool.map(check, sorted(commands)):
            if result.returncode:
                bad += 1
                print(f"{source}:\n{result.stdout}{result.stderr}")
print(f"clang-tidy: {len(commands)} sources, {bad} with faults")
sys.exit(bool(bad))
