"""postgresql.py BIN SQL EXPORT [EXPORT...]: the same as duckdb.mjs, in a PostgreSQL of its own.

The server runs as an unprivileged user and listens on a socket in a directory of its own."""
import json
import os
import shutil
import subprocess
import sys
import tempfile

binaries, sql, exports = sys.argv[1], sys.argv[2], sys.argv[3:]
# Not in a directory that another user may not pass through.
base = tempfile.mkdtemp(prefix="causal-pg", dir="/tmp")
user = []
if os.geteuid() == 0:
    # initdb refuses to run as root.
    shutil.chown(base, "nobody")
    user = ["setpriv", "--reuid=nobody", "--clear-groups"]
environment = dict(os.environ, PGHOST=base, PGDATABASE="postgres", PGUSER="causal", HOME=base)


def run(*words, **options):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True,
                          env=dict(environment, **options), cwd="/").stdout


def query(text):
    return run("psql", "-XAtq", "-F", " ", "-c", text).split()


try:
    data = os.path.join(base, "data")
    run(*user, os.path.join(binaries, "initdb"), "-D", data, "-U", "causal", "-A", "trust",
        "--no-sync")
    # The server keeps our output open: it is not waited for.
    subprocess.run([*user, os.path.join(binaries, "pg_ctl"), "-D", data, "-w", "-s", "-l",
                    os.path.join(base, "log"), "-o",
                    f"-k {base} -c listen_addresses='' -c fsync=off", "start"],
                   check=True, stdout=subprocess.DEVNULL, env=environment, cwd="/")
    for directory in exports:
        run("psql", "-Xq", "-v", "ON_ERROR_STOP=1", "-f", sql, CAUSAL_EXPORT=directory)
    total = query("SELECT samples, dropped, unmapped, in_images FROM fleet_total"
                  " WHERE event = 'cpu'")
    prof = query("SELECT sum(samples) FROM prof WHERE event = 'cpu'")
    hosts = query("SELECT count(DISTINCT host) FROM host_prof")
    top = query("SELECT function FROM prof ORDER BY samples DESC LIMIT 1")
    print(json.dumps({"total": [int(n) for n in total], "prof": int(prof[0]),
                      "hosts": int(hosts[0]), "top": top[0]}))
finally:
    subprocess.run([*user, os.path.join(binaries, "pg_ctl"), "-D", os.path.join(base, "data"),
                    "-m", "immediate", "-s", "stop"], cwd="/")
    shutil.rmtree(base, ignore_errors=True)
