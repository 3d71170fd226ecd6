//===- model.ts - Where threads' time goes, as the page uses it ------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The object "cpu" of the report (docs/user/cpu.md), and trees of calls for what the
// reader has chosen: states, threads, callers or callees first, one profile or two.
// Knows nothing of the page.
//
//===----------------------------------------------------------------------===//

import type { Report } from "../causal/model";

/// In the order of the report's numbers.
export const states = ["cpu", "lock", "wait", "io", "sleep", "join", "runqueue", "pagefault", "idle", "other"] as const;
export type State = (typeof states)[number];
export const stateWords: Record<State | "unexplained", string> = {
  cpu: "on a core", lock: "waits for a lock", wait: "waits for a condition", io: "waits for input or output", sleep: "sleeps",
  join: "waits for a thread's end", runqueue: "waits for a core", pagefault: "waits for a page", idle: "has nothing to do",
  other: "waits for something else", unexplained: "not known",
};

type OffTimes = Record<Exclude<State, "cpu"> | "unexplained", number>;

export interface Place {
  name: string;
  function?: string;
  file?: string;
  line?: number;
}

export interface Group {
  name: string;
  threads: number;
  wall_ns: number;
  cpu_ns: number;
  off_ns: OffTimes;
}

export interface Thread {
  run: string;
  tid: number;
  name: string;
  group: number;
  begin_ns: number;
  end_ns: number | null;
  wall_ns: number;
  cpu_ns: number;
  off_ns: OffTimes;
}

export interface Cost extends Place {
  self_ns: number;
  total_ns: number;
  off_ns: number;
}

export interface Waker extends Partial<Place> {
  ns: number;
  count: number;
  callers: Place[];
  thread?: string;
}

export interface Wait extends Place {
  state: State;
  ns: number;
  count: number;
  callers: Place[];
  threads: { name: string; ns: number }[];
  wakers: Waker[];
}

interface Tree {
  strings: string[];
  places: [name: number, full: number, file: number, line: number, system: number][];
  parents: number[];
  node_places: number[];
  leaves: [node: number, lane: number, state: number, ns: number, count: number][];
  folded: number;
}

export interface Cpu {
  answers: string[];
  runs: { run: string; wall_ns: number; final: boolean; dropped: number; truncated: number }[];
  wall_ns: number;
  cpu_ns: number;
  off_ns: OffTimes;
  threads: Thread[];
  groups: Group[];
  functions: Cost[];
  waits: Wait[];
  lanes: { group: number; tid: number }[];
  slices: [thread: number, begin: number, end: number, by_state: number[]][];
  tree: Tree;
  sources: { file: string; lines: [number, string][] }[];
  before?: Cpu; // What it is compared with.
}

export function cpuOf(report: Report): Cpu | undefined {
  return (report as Report & { cpu?: Cpu }).cpu;
}

/// What the flame graph is of.
export interface Choice {
  states: Set<State>;
  group: string; // Empty: all threads.
  tid: number; // 0: all of the group.
  callersFirst: boolean;
  byShare: boolean; // Of two profiles: compare shares, not times.
  widthsBefore: boolean; // Boxes are as wide as they were before.
}

/// A box of the flame graph: calls of one function by the same callers.
export interface Frame {
  name: string;
  full: string;
  file: string;
  system: boolean;
  state?: State; // Not a function, but what its caller waits for.
  value: number; // With all that it calls.
  self: number;
  other: number; // The same of the other profile.
  off: number; // Of value, off the core.
  children: Frame[];
}

interface Growing extends Frame {
  byKey: Map<string, Growing>;
}

function newFrame(name: string, full: string, file: string, system: boolean, state?: State): Growing {
  return { name, full, file, system, state, value: 0, self: 0, other: 0, off: 0, children: [], byKey: new Map() };
}

function child(of: Growing, key: string, make: () => Growing): Growing {
  let found = of.byKey.get(key);
  if (!found) {
    of.byKey.set(key, (found = make()));
    of.children.push(found);
  }
  return found;
}

/// What was charged to a node, by what the reader has chosen.
function chosenLeaves(cpu: Cpu, choice: Choice): Tree["leaves"] {
  const wanted = states.map((state) => choice.states.has(state));
  const lanes = cpu.lanes.map((lane) =>
    (!choice.group || cpu.groups[lane.group]?.name === choice.group) && (!choice.tid || !lane.tid || lane.tid === choice.tid));
  return cpu.tree.leaves.filter(([, lane, state]) => wanted[state] && lanes[lane]);
}

export function totalOf(cpu: Cpu, choice: Choice): number {
  return chosenLeaves(cpu, choice).reduce((sum, leaf) => sum + leaf[3], 0);
}

function addTree(root: Growing, cpu: Cpu, choice: Choice, scale: number, isOther: boolean): void {
  const { tree } = cpu;
  const text = (number: number) => (number < 0 ? "" : tree.strings[number] ?? "");
  const make = (place: number) => {
    const [name, full, file, , system] = tree.places[place]!;
    return newFrame(text(name), text(full), text(file), !!system);
  };
  const keys = tree.places.map(([, full, file]) => `${text(full)}\n${text(file)}`);
  for (const [leaf, , stateNumber, ns] of chosenLeaves(cpu, choice)) {
    const state = states[stateNumber]!;
    const path: { key: string; make: () => Growing }[] = [];
    if (state !== "cpu") path.push({ key: `[${state}]`, make: () => newFrame(`[${state}]`, stateWords[state], "", true, state) });
    for (let node = leaf; node > 0; node = tree.parents[node]!) {
      const place = tree.node_places[node]!;
      path.push({ key: keys[place]!, make: () => make(place) });
    }
    if (!choice.callersFirst) path.reverse();
    const add = (frame: Growing) => {
      if (isOther) frame.other += scale * ns;
      else {
        frame.value += scale * ns;
        if (state !== "cpu") frame.off += scale * ns;
      }
    };
    let at = root;
    add(at);
    for (const step of path) add((at = child(at, step.key, step.make)));
    if (!isOther) at.self += scale * ns;
  }
}

export function treeOf(cpu: Cpu, choice: Choice): Frame {
  const root = newFrame("all", "all", "", true);
  const scale = (of: Cpu) => 1 / (choice.byShare ? totalOf(of, choice) || 1 : of.runs.length || 1);
  addTree(root, cpu, choice, cpu.before ? scale(cpu) : 1, choice.widthsBefore);
  if (cpu.before) addTree(root, cpu.before, choice, scale(cpu.before), !choice.widthsBefore);
  sortChildren(root);
  return root;
}

/// By name, so that the same code stands in the same place whatever is chosen.
function sortChildren(root: Frame): void {
  const open = [root];
  for (let frame = open.pop(); frame; frame = open.pop()) {
    frame.children.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    open.push(...frame.children);
  }
}

export interface LineTime {
  self: number;
  total: number;
}

/// Time of each line of a file.
export function linesOf(cpu: Cpu, choice: Choice, file: string): Map<number, LineTime> {
  const { tree } = cpu;
  const number = tree.strings.indexOf(file);
  const lines = new Map<number, LineTime>();
  const at = (line: number) => {
    let found = lines.get(line);
    if (!found) lines.set(line, (found = { self: 0, total: 0 }));
    return found;
  };
  const own = new Float64Array(tree.parents.length);
  for (const [node, , , ns] of chosenLeaves(cpu, choice)) own[node]! += ns;
  const isThere = (node: number) => node > 0 && tree.places[tree.node_places[node]!]![2] === number;
  const lineAt = (node: number) => tree.places[tree.node_places[node]!]![3];
  for (let leaf = 1; leaf < own.length; ++leaf) {
    if (!own[leaf]) continue;
    if (isThere(leaf)) at(lineAt(leaf)).self += own[leaf]!;
    const seen = new Set<number>(); // Of recursion each line counts once.
    for (let node = leaf; node > 0; node = tree.parents[node]!)
      if (isThere(node)) seen.add(lineAt(node));
    for (const line of seen) at(line).total += own[leaf]!;
  }
  return lines;
}

/// Where most of a function's own time is, or else of what it calls.
export function hottestLine(cpu: Cpu, full: string, file: string): number {
  const { tree } = cpu;
  const best = new Map<number, number>();
  for (const [leaf, , , ns] of tree.leaves)
    for (let node = leaf; node > 0; node = tree.parents[node]!) {
      const [, name, inFile, line] = tree.places[tree.node_places[node]!]!;
      if (tree.strings[name] === full && tree.strings[inFile] === file) best.set(line, (best.get(line) ?? 0) + ns);
    }
  return [...best].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
}
