#!/usr/bin/env python3
"""Whether the accounts of mode=cpu close, and what they say of programs that are known.

  cpu_account.py [--prefix PREFIX] [--seconds T] [--load N]... accounts [PROGRAM...]
  cpu_account.py [--prefix PREFIX] [--seconds T] shares
  cpu_account.py [--prefix PREFIX] [--seconds T] stacks
  cpu_account.py [--prefix PREFIX] [--rounds N] overhead [KIND...]

accounts: ten accuracy programs, with N busy processes beside them (0 and 8). For each, over
its threads: how far the CPU time of all its stacks is from the kernel's for the process; how far
all states of the worst thread are from its wall time; the most that is unexplained.
shares: Shares.cpp for each cause, beside what the program has measured itself; and for locks,
the part of the time for which the holder is known.
stacks: Stacks.cpp, a sample each 200 us of CPU time: how many stacks end where those of their
thread do.
overhead: Work.cpp without the profiler, linked with it but off, and in mode=cpu at 1 ms, in turn:
medians of CPU time, which other programs on the machine disturb less than the clock."""
import argparse
import collections
import contextlib
import os
import re
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "../..")
sys.path += [os.path.join(ROOT, "benchmarks/accuracy"), os.path.join(ROOT, "test/lit/Cpu/Inputs")]
import accuracy  # noqa: E402
import cpu_profile  # noqa: E402

FLAGS = ["-O2", "-g", "-pthread", "-DSQLITE", "-lsqlite3", "-lz"]
PROGRAMS = ["mutex", "barrier", "pipeline", "semaphore", "pipe", "epoll", "rwlock", "short_threads", "io_wait", "oversubscribed"]
KINDS = ["sqlite", "deflate", "sort", "mutex", "locks", "pipe", "reads", "spin", "sleepers"]
CAUSES = ["lock", "wait", "io", "sleep", "join", "idle", "runqueue"]


@contextlib.contextmanager
def load(count):
    busy = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(count)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


def build(source, options, work):
    program = f"{work}/{os.path.basename(source)[:-4]}"
    flags = accuracy.flags(source) if "/accuracy/" in source else FLAGS
    subprocess.run([f"{options.prefix}/bin/causal-clang++", "-fcausal-profile", source, *flags, "-o", program], check=True)
    return program


def profile(command, work, more=""):
    """(run, output, CPU time of the process by the kernel)"""
    path = f"{work}/profile.causal"
    with contextlib.suppress(FileNotFoundError):
        os.remove(path)
    environment = dict(os.environ, CAUSAL_OPTIONS=f"mode=cpu:output={path}{more}")
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, (command, status)
    run = cpu_profile.read(path)[0]
    cpu_profile.check(run, final=True)
    return run, output, 1e9 * (usage.ru_utime + usage.ru_stime)


def states(thread):
    return thread["cpu"] + sum(thread["off"].values())


def accounts(options, work):
    print(f"{'program':16s} load threads  stacks-clock  worst thread: states-wall  unexplained")
    speed = accuracy.calibrate(work)
    for name in options.programs or PROGRAMS:
        program = build(f"{accuracy.HERE}/{name}.cpp", options, work)
        for busy in options.load or [0, 8]:
            with load(busy):
                run, _, clock = profile([program, "--seconds", str(options.seconds), "--speed", speed], work)
            charged = sum(c["ns"] for c in run.charges if c["state"] == "cpu")
            # Of a thread that lived for a millisecond a percent is 10 us.
            long = [t for t in run.threads.values() if t["wall"] > 1e7] or list(run.threads.values())
            far = max(100 * abs(t["wall"] - states(t)) / t["wall"] for t in long)
            unexplained = max(100 * t["unexplained"] / t["wall"] for t in long)
            print(f"{name:16s} {busy:4d} {len(run.threads):7d}  {100 * (charged / clock - 1):+10.3f} %  {far:24.2f} %  {unexplained:9.2f} %", flush=True)


def shares(options, work):
    program = build(f"{HERE}/Shares.cpp", options, work)
    print("cause     programmed  seen by the program  profile  its CPU time/clock")
    for cause in CAUSES:
        run, output, _ = profile([program, cause, str(options.seconds), "60"], work)
        own, clock = map(float, re.search(r"share=([\d.]+) cpu=(\d+)", output).groups())
        thread = next(t for t in run.threads.values() if t["name"] == "subject")
        share = 100 * thread["off"].get(cause, 0) / thread["wall"]
        programmed = 50 if cause == "runqueue" else 60
        print(f"{cause:10s} {programmed:9d} % {own:19.2f} % {share:7.2f} %  {thread['cpu'] / clock:.4f}", flush=True)
        if cause == "lock":
            waits = [c for c in run.charges if c["thread"] == thread["thread"] and c["state"] == "lock"]
            held = sum(c["ns"] for c in waits if "holdUntil" in " ".join(run.functions(c.get("waker"))))
            print(f"           the holder is known for {100 * held / sum(c['ns'] for c in waits):.1f} % of that")


def stacks(options, work):
    program = build(f"{HERE}/Stacks.cpp", options, work)
    run, _, _ = profile([program, str(options.seconds)], work, ":sample_period_us=200")
    roots = collections.defaultdict(collections.Counter)
    for charge in run.charges:
        if charge["state"] == "cpu" and run.threads[charge["thread"]]["name"] != "Stacks":
            frames = run.stacks[charge["stack"]]["frames"] if charge["stack"] else [0]
            roots[run.threads[charge["thread"]]["name"]][frames[-1]] += charge["count"]
    for name, ends in roots.items():
        print(f"{name:12s} {sum(ends.values()):7d} samples, {100 * ends.most_common(1)[0][1] / sum(ends.values()):6.2f} % end at the thread's start")


def overhead(options, work):
    profiled = build(f"{HERE}/Work.cpp", options, work)
    plain = f"{work}/plain"
    subprocess.run([f"clang++-19", f"{HERE}/Work.cpp", *FLAGS, "-o", plain], check=True)
    variants = {"plain": (plain, ""), "off": (profiled, "enabled=0"), "cpu": (profiled, f"mode=cpu:output={work}/profile.causal")}

    def seconds(program, environment, kind):
        process = subprocess.Popen([program, kind], env=dict(os.environ, CAUSAL_OPTIONS=environment))
        _, status, usage = os.wait4(process.pid, 0)
        assert status == 0, (program, kind, status)
        return usage.ru_utime + usage.ru_stime

    print(f"{'':10s} plain CPU s  linked, off  mode=cpu   (medians of {options.rounds}, ratios of the rounds)")
    for kind in options.programs or KINDS:
        rounds = [{name: seconds(*variant, kind) for name, variant in variants.items()} for _ in range(options.rounds)]
        ratio = {name: statistics.median(r[name] / r["plain"] for r in rounds) for name in variants}
        plain_time = statistics.median(r["plain"] for r in rounds)
        print(f"{kind:10s} {plain_time:11.2f}  {100 * (ratio['off'] - 1):+9.1f} %  {100 * (ratio['cpu'] - 1):+6.1f} %", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prefix", default=f"{ROOT}/build/prefix")
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--load", type=int, action="append")
    parser.add_argument("what", choices=["accounts", "shares", "stacks", "overhead"])
    parser.add_argument("programs", nargs="*")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        {"accounts": accounts, "shares": shares, "stacks": stacks, "overhead": overhead}[options.what](options, work)


if __name__ == "__main__":
    main()
