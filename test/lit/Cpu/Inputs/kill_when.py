"""Runs a program and kills it as soon as a file has a text so many times.

Usage: kill_when.py TEXT COUNT FILE COMMAND...
"""
import subprocess
import sys
import time

text, count, path, *command = sys.argv[1:]
program = subprocess.Popen(command)
for _ in range(6000):
    try:
        with open(path) as file:
            if file.read().count(text) >= int(count):
                break
    except FileNotFoundError:
        pass
    if program.poll() is not None:
        sys.exit(f"the program ended with {program.returncode}")
    time.sleep(0.01)
else:
    program.kill()
    sys.exit(f"{path} never had {text}")
program.kill()
program.wait()
