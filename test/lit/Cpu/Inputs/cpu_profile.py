"""Reads profiles of mode=cpu and checks what must hold in every one.

Usage: cpu_profile.py PROFILE [--runs N] [--expect THREAD:STATE[:SHARE]]... [--frames THREAD:STATE:FUNCTION]...
                      [--waker THREAD:STATE:FUNCTION]... [--absent THREAD:STATE]... [--not-final]
                      [--print]

What must hold: images, frames and stacks come before what names them; the charges of a
thread on the core add up to its CPU time and those of each state off it to that state's
time; all states together are no more than the thread's wall time. --expect: threads of
that name were in a state, for SHARE percent of their wall time or more; --frames: in that
state under that function; --waker: a wait in that state was ended under that function.
"""
import argparse
import collections
import json
import subprocess
import sys

STATES = ["lock", "wait", "io", "sleep", "join", "runqueue", "pagefault", "idle", "other"]


class Run:
    def __init__(self, record):
        self.record = record
        self.images, self.frames, self.stacks, self.threads = {}, {}, {}, {}
        self.charges, self.snapshots = [], []
        self.names = {}

    def add(self, record):
        kind = record["type"]
        if kind == "image":
            self.images[record["id"]] = record
        elif kind == "frame":
            assert record["id"] not in self.frames, f"a second frame {record['id']}"
            assert not record["image"] or record["image"] in self.images, f"no image: {record}"
            self.frames[record["id"]] = record
        elif kind == "stack":
            assert record["id"] not in self.stacks, f"a second stack {record['id']}"
            assert record["frames"] and all(f in self.frames for f in record["frames"]), f"no frame: {record}"
            self.stacks[record["id"]] = record
        elif kind == "thread":
            self.threads[record["thread"]] = record
        elif kind == "charge":
            for key in ("stack", "waker"):
                assert not record.get(key) or record[key] in self.stacks, f"no {key}: {record}"
            self.charges.append(record)
        elif kind == "cpu_snapshot":
            self.snapshots.append(record)

    def functions(self, stack):
        """Names of the frames of a stack, innermost first, as far as line or symbol tables have them."""
        names = []
        for frame in self.stacks[stack]["frames"] if stack else []:
            frame = self.frames[frame]
            names += [line["function"] for line in frame.get("lines", [])] or [self.symbol(frame)]
        return names

    def symbol(self, frame):
        image = self.images.get(frame.get("image"), {}).get("path", "")
        if image not in self.names:
            self.names[image] = []
            for options in (["-D"], []):
                listing = subprocess.run(["llvm-nm", "--defined-only", "-S", *options, image], capture_output=True, text=True).stdout
                for line in listing.splitlines():
                    fields = line.split()
                    if len(fields) == 4 and fields[2] in "tTwWiI":
                        self.names[image].append((int(fields[0], 16), int(fields[1], 16), fields[3].split("@")[0]))
        names = [name for begin, size, name in self.names[image] if begin <= frame["offset"] < begin + max(size, 1)]
        return min(names, key=lambda name: (name.startswith("_"), len(name), name), default="?")


def read(path):
    runs = collections.OrderedDict()
    with open(path, "rb") as file:
        for line in file:
            if not line.endswith(b"\n"):
                continue  # A program that was killed in the midst of a record.
            record = json.loads(line)
            if record["type"] == "run":
                assert record.get("mode") == "cpu", record
                runs[record["run"]] = Run(record)
            else:
                runs[record["run"]].add(record)
    return list(runs.values())


def charged(run):
    """{thread: {state: ns}}"""
    sums = collections.defaultdict(lambda: collections.defaultdict(int))
    for charge in run.charges:
        sums[charge["thread"]][charge["state"]] += charge["ns"]
    return sums


def check(run, final):
    assert run.snapshots, "no snapshot"
    assert not final or run.snapshots[-1]["final"], "the last snapshot is not final"
    assert run.snapshots[-1]["dropped"] == 0
    sums = charged(run)
    for number, thread in run.threads.items():
        off = thread["off"]
        if final:
            assert sums[number]["cpu"] == thread["cpu"], (thread, dict(sums[number]))
            for state in STATES:
                assert sums[number][state] == off.get(state, 0), (state, thread, dict(sums[number]))
        total = thread["cpu"] + sum(off.values())
        # The kernel's clock of a thread runs before the thread begins here.
        assert total <= thread["wall"] * 1.001 + 2000000, (total, thread)
        assert total + thread["unexplained"] >= thread["wall"] * 0.999 - 100000, (total, thread)
    for number in sums:
        assert number in run.threads or not final, f"no record of thread {number}"


def describe(run):
    for thread in run.threads.values():
        off = " ".join(f"{state}={ns / 1e6:.1f}" for state, ns in thread["off"].items() if ns)
        print(f"{thread['thread']:4d} {thread['name']:16s} wall={thread['wall'] / 1e6:.1f} cpu={thread['cpu'] / 1e6:.1f} "
              f"{off} unexplained={thread['unexplained'] / 1e6:.2f} samples={thread['samples']}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("profile")
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--not-final", action="store_true")
    parser.add_argument("--print", action="store_true")
    for option in ("expect", "frames", "waker", "absent"):
        parser.add_argument(f"--{option}", action="append", default=[])
    options = parser.parse_args()
    runs = read(options.profile)
    assert len(runs) == options.runs, [run.record for run in runs]
    for run in runs:
        check(run, not options.not_final)
        if options.print:
            describe(run)

    def select(name, state, function=None, waker=False):
        for run in runs:
            for charge in run.charges:
                thread = run.threads.get(charge["thread"], {"name": "?"})
                if thread["name"] != name or charge["state"] != state:
                    continue
                if function is None or function in run.functions(charge.get("waker" if waker else "stack")):
                    yield charge

    for expected in options.expect:
        name, state, *share = expected.split(":")
        found = sum(charge["ns"] for charge in select(name, state))
        wall = sum(t["wall"] for run in runs for t in run.threads.values() if t["name"] == name)
        assert found > 0 and 100 * found >= wall * float(share[0] if share else 0), (expected, found, wall)
    for expected in options.absent:
        name, state = expected.split(":")
        assert not list(select(name, state)), expected
    for what, list_ in (("frames", options.frames), ("waker", options.waker)):
        for expected in list_:
            name, state, function = expected.split(":", 2)
            if list(select(name, state, function, what == "waker")):
                continue
            for run in runs:
                for charge in select(name, state):
                    print(charge["ns"], run.functions(charge.get("waker" if what == "waker" else "stack")), file=sys.stderr)
            sys.exit(f"no {what} {expected}")


if __name__ == "__main__":
    main()
