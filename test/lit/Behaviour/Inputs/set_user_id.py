"""set_user_id.py PROGRAM: runs a set-user-id copy of it as nobody, in a directory where
anybody may write, and prints the files that are there afterwards, and its output."""
import os
import shutil
import subprocess
import sys
import tempfile

with tempfile.TemporaryDirectory(dir="/tmp") as directory:
    os.chmod(directory, 0o777)
    program = shutil.copy(sys.argv[1], os.path.join(directory, "program"))
    os.chmod(program, 0o4755)
    options = f"output={directory}/forged.causal:experiment_ms=5"
    result = subprocess.run(
        ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", program],
        cwd=directory, env=dict(os.environ, CAUSAL_OPTIONS=options),
        capture_output=True, text=True)
    print(*sorted(os.listdir(directory)), result.stdout, result.stderr, sep="\n")
