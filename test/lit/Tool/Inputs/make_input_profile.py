"""make_input_profile.py SCENARIO [key=value...]: what a run of mode=input records, of a program
whose costs are known. Scenarios:
  slow    main runs work() on growing inputs: parse is n, order n log n, dedupe n^2
  often   build() calls insert() n times, which is n by itself
  fast    as slow, with a dedupe that is n
  few     work() on three inputs
  wide    forty routines of all growths, with noise, and input from threads and outside
Keys: run, cell, metric, cost, threads, exe, scale (of dedupe's cost), complexity (of dedupe),
final, self (1: points have the cost without callees)."""
import json
import math
import random
import sys
from collections import defaultdict

scenario = sys.argv[1]
options = {"run": "a", "cell": "4", "metric": "trms", "cost": "instructions", "threads": "1", "exe": "/bin/prog", "scale": "1", "final": "1",
           "complexity": "", "self": "0"}
options.update(argument.split("=", 1) for argument in sys.argv[2:])
names, points, calls, totals = {}, defaultdict(list), defaultdict(lambda: [0, 0]), defaultdict(lambda: [0, 0, 0])


def write(type, **fields):
    print(json.dumps({"type": type, "run": options["run"], **fields}, separators=(",", ":")))


def call(caller, name, size, own, callees=(), thread=0, thread_input=0, external=0):
    """One activation; callees: costs of activations that it made, by call()."""
    cost = int(own) + sum(callees)
    identity = names.setdefault(name, len(names) + 1)
    points[identity, thread, size].append((cost, int(own), thread_input, external))
    if caller:
        edge = calls[names.setdefault(caller, len(names) + 1), identity]
        edge[0] += 1
        edge[1] += cost
    total = totals[identity]
    total[0] += 1
    total[1] += int(own)
    total[2] += cost
    return cost


sizes = [10, 20, 400] if scenario == "few" else [int(10 * 1.5**i) for i in range(16)]
everything = []
if scenario == "wide":
    random = random.Random(5)
    growths = [lambda n: 40, lambda n: 9 * math.log2(n + 1), lambda n: 5 * n, lambda n: 4 * n * math.log2(n + 1), lambda n: n**1.5, lambda n: 0.2 * n * n]
    inner = []
    for number in range(40):
        name, growth = f"step{number}(table&)", growths[min(5, random.randrange(11) // 2 if number else 5)]
        noise, share, outside = random.choice([0, 0.02, 0.1]), random.random() ** 3, random.random() ** 4
        for activation in range(random.choice([3, 20, 60, 200])):
            size = max(1, int(5 * 800 ** random.random()))
            seen = max(1, int(size * (1 - share))) // (8 if share > 0.5 else 1) * (8 if share > 0.5 else 1) or 1
            counted = seen if options["metric"] == "rms" else size
            inner.append(call("main", name, counted, (20 + growth(size)) * math.exp(random.gauss(0, noise)), thread_input=int(share * counted * (1 - outside)),
                              external=int(outside * counted * share)))
    call(None, "main", 1000000, 1000, inner)
    sizes = []
for thread in range(int(options["threads"]) if sizes else 0):
    work = []
    for size in sizes:
        size = max(1, size // 2 if options["metric"] == "rms" else size)
        if scenario == "often":
            inserts = [call("build(int)", "insert(list&, int)", 1 + i, 5 + 2 * i, thread=thread) for i in range(size)]
            work.append(call("main", "build(int)", size, 7 * size + 20, inserts, thread=thread))
            continue
        scale = float(options["scale"])
        parse = call("work(file&)", "parse(file&)", size, 40 * size + 100, thread=thread, external=size)
        order = call("work(file&)", "order(list&)", size, 9 * size * math.log2(size + 1), thread=thread)
        dedupe = call("work(file&)", "dedupe(list&)", size, scale * (30 * size if scenario == "fast" else 3 * size * size + 50), thread=thread,
                      thread_input=size // 2)
        work.append(call("main", "work(file&)", size, 10 * size, [parse, order, dedupe], thread=thread, external=size))
    everything.append(call(None, "main", sum(sizes), 1000, work, thread=thread))

write("run", version=1, exe=options["exe"], build_id="", pid=1, host="h", time=1, options="", mode="input", cell=int(options["cell"]),
      cost=options["cost"], metric=options["metric"])
for name, identity in names.items():
    contract = {"complexity": options["complexity"]} if options["complexity"] and name.startswith("dedupe") else {}
    write("routine", id=identity, name=name, file=f"/src/{name.split('(')[0]}.cpp", line=10 * identity, **contract)
for (identity, thread, size), each in points.items():
    costs = [cost for cost, *_ in each]
    own = {"self": sum(own for _, own, *_ in each)} if options["self"] == "1" else {}
    write("point", routine=identity, thread=thread, input=size, calls=len(each), min=min(costs), max=max(costs), sum=sum(costs),
          sumsq=float(sum(cost * cost for cost in costs)), thread_input=sum(each[2] for each in each), external_input=sum(each[3] for each in each), **own)
for (caller, callee), (number, cost) in calls.items():
    write("call", caller=caller, callee=callee, calls=number, cost=cost)
for identity, (number, own, inclusive) in totals.items():
    write("routine_total", routine=identity, calls=number, self=own, inclusive=inclusive)
if options["final"] == "1":
    write("input_snapshot", final=True, threads=int(options["threads"]), lost=0, uninstrumented="libm.so.6 liby.so")
