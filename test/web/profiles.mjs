//===- profiles.mjs - Made-up profiles ---------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Experiments with known curves.
//
//===----------------------------------------------------------------------===//

const wall = 1e8;

/// A program of `lines` lines. work0 is worth its samples, work1 far more, work2
/// nothing, work3 less than nothing; the others are cold and worth nothing.
export function manyLines(lines) {
  const records = [
    { type: "run", version: 1, run: "a1", exe: "/srv/bin/server", build_id: "ab12", pid: 7, host: "web-1", time: 1700000000000000000, options: "", sampler: "perf-sigtrap", period: 250000 },
  ];
  const gains = [0.3, 0.4, 0, -0.4];
  const shares = [30, 0.6, 45, 12]; // CPU time per wall time: there are 88 threads.
  let index = 0;
  const experiment = (line, speedup) => {
    const delay = Math.round(wall * speedup * 0.006);
    const period = 50000 * (1 - ((gains[line] ?? 0) * speedup) / 100) * (1 + 0.002 * ((index % 7) - 3));
    const visits = Math.round((wall - delay) / period);
    records.push({
      type: "experiment", run: "a1", index, ...place(line), speedup, start: index * (wall + 1e7), wall, delay, pause: delay,
      samples: 2, unsettled: 0, points: [{ name: "request", kind: "throughput", visits }],
    });
    ++index;
  };
  const place = (line) => ({ file: `/srv/src/file${line % 40}.cpp`, line: 10 + line, function: `work${line}` });
  for (let round = 0; round < 20; ++round)
    for (let line = 0; line < gains.length; ++line) for (const speedup of [0, 25, 50, 75, 100]) experiment(line, speedup);
  for (let line = gains.length; line < lines; ++line) for (const speedup of [0, 50]) experiment(line, speedup);
  const time = index * (wall + 1e7);
  for (let line = 0; line < lines; ++line) {
    const samples = Math.round((shares[line] ?? 0.015) * time / 250000);
    records.push({ type: "line", run: "a1", snapshot: 0, ...place(line), samples, undelayed_samples: Math.round(samples / 2) });
  }
  records.push({ type: "snapshot", run: "a1", index: 0, final: true, wall: time, delay: 0, undelayed_wall: time / 2, lines, experiments: index, losses: { threads: 4 } });
  return records;
}

/// Units of work differ in size sevenfold, and their CPU time says by how much. Two threads
/// share nothing.
export function unlikeUnits() {
  const records = manyLines(0).filter((record) => record.type === "run");
  for (let index = 0; index < 45; ++index) {
    const speedup = [0, 25, 75][index % 3];
    const gain = speedup / 500;
    const unit = 1e5 * 7 ** (((index * 29) % 45) / 44);
    const visits = Math.floor(2e8 / unit / (1 - gain));
    const effective = Math.round((visits * unit * (1 - gain)) / 2);
    const delay = Math.round((effective * gain) / (1 - gain));
    const work = Math.round(visits * unit * (1 + 0.002 * ((index % 7) - 3)));
    records.push({
      type: "experiment", run: "a1", index, file: "/srv/src/file.cpp", line: 10, function: "work0", speedup, start: index * 1e9,
      wall: effective + delay, delay, pause: delay, samples: 100, work, unsettled: 0,
      points: [{ name: "pixel", kind: "throughput", visits }],
    });
  }
  return records;
}

/// Nothing is sure yet: of work0, which has much of the time, there are few experiments, all
/// different. work1 and work2 are so cold that they cannot matter.
export function nothingSure() {
  const records = manyLines(0).filter((record) => record.type === "run");
  let index = 0;
  const experiment = (line, speedup, delay, visits) => {
    records.push({
      type: "experiment", run: "a1", index, file: "/srv/src/file.cpp", line: 10 + line, function: `work${line}`, speedup,
      start: index * (wall + 1e7), wall, delay, pause: delay, samples: 2, unsettled: 0,
      points: [{ name: "request", kind: "throughput", visits }],
    });
    ++index;
  };
  for (const visits of [1000, 1700, 900, 1600, 1100, 1500]) experiment(0, 0, 0, visits);
  for (const visits of [1900, 900, 1500, 1000]) experiment(0, 50, 0.3 * wall, visits);
  for (const line of [1, 2]) for (const visits of [1400, 1200, 1700]) experiment(line, 50, 0.002 * wall, visits);
  records.push({ type: "snapshot", run: "a1", index: 0, final: true, wall: 1e10, delay: 0, undelayed_wall: 5e9, lines: 0, experiments: index, losses: { threads: 1 } });
  return records;
}

/// A run of mode=input: main calls work(), which parses (n) and removes duplicates (n^2), on
/// inputs of all sizes. Half of the parser's input is from outside, and with `metric` rms is
/// not seen.
export function growingRoutines({ run = "i", metric = "trms", sizes = 16 } = {}) {
  const of = (type, fields) => ({ type, run, ...fields });
  const records = [of("run", { version: 2, mode: "input", exe: "/bin/grow", build_id: "", pid: 1, host: "h", time: 1e18, options: "", sampler: "none", period: 0, cell: 4, cost: "instructions", metric })];
  ["main", "work(list&)", "parse(file&)", "dedupe(list&)"].forEach((name, index) =>
    records.push(of("routine", { id: index + 1, name, file: `/src/${name.split("(")[0]}.cpp`, line: 10 * (index + 1) })));
  const point = (routine, input, cost, thread, external) =>
    records.push(of("point", { routine, thread: 0, input, calls: 1, min: cost, max: cost, sum: cost, sumsq: cost * cost, thread_input: thread, external_input: external }));
  let all = 0, parses = 0, removes = 0;
  for (let index = 0; index < sizes; ++index) {
    const n = Math.floor(10 * 1.5 ** index), parse = 40 * n + 100, remove = 3 * n * n + 50;
    point(3, metric === "rms" ? 8 : n, parse, 0, metric === "rms" ? 0 : n / 2);
    point(4, n, remove, n / 4, 0);
    point(2, n, parse + remove + n, 0, 0);
    parses += parse;
    removes += remove;
    all += parse + remove + n;
  }
  point(1, 50000, all + 10, 0, 0);
  const call = (caller, callee, cost) => records.push(of("call", { caller, callee, calls: sizes, cost }));
  call(1, 2, all), call(2, 3, parses), call(2, 4, removes);
  const total = (routine, calls, self, inclusive) => records.push(of("routine_total", { routine, calls, self, inclusive }));
  total(1, 1, 10, all + 10), total(2, sizes, all - parses - removes, all), total(3, sizes, parses, parses), total(4, sizes, removes, removes);
  records.push(of("input_snapshot", { final: true, threads: 1, lost: 0 }));
  return records;
}
