//===- threads.ts - The account of threads ---------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One row for each group of threads: how long they lived and in which states, as a
// bar and in numbers. A click chooses what the rest of the page is about. Below it,
// where there are several snapshots, what each thread did when.
//
//===----------------------------------------------------------------------===//

import { h } from "../shell/dom";
import * as format from "../shell/format";
import { states, stateWords, type Cpu, type Group, type State, type Thread } from "./model";

type Part = State | "unexplained";
const parts: Part[] = [...states, "unexplained"];
const mostRows = 60;

function timeIn(of: Group | Thread, part: Part): number {
  return part === "cpu" ? of.cpu_ns : of.off_ns[part];
}

/// States that anything is spent in, the core first.
export function usedParts(cpu: Cpu): Part[] {
  return parts.filter((part) => part === "cpu" || cpu.groups.some((group) => timeIn(group, part) > 0.0005 * group.wall_ns));
}

function bar(of: Group | Thread): HTMLElement {
  const element = h("span", { class: "account-bar", role: "img", "aria-label": spoken(of) });
  for (const part of parts) {
    const share = of.wall_ns ? timeIn(of, part) / of.wall_ns : 0;
    if (share < 0.002) continue;
    const piece = h("i", { class: `state-${part}`, title: `${stateWords[part]}: ${format.time(timeIn(of, part))}, ${format.share(100 * share)} %` });
    piece.style.width = `${100 * share}%`;
    element.append(piece);
  }
  return element;
}

function spoken(of: Group | Thread): string {
  return parts.filter((part) => timeIn(of, part) > 0).map((part) => `${stateWords[part]} ${format.share((100 * timeIn(of, part)) / of.wall_ns)} %`).join(", ");
}

export function legend(cpu: Cpu): HTMLElement {
  return h("p", { class: "legend muted" }, ...usedParts(cpu).map((part) => h("span", { class: "key" }, h("i", { class: `swatch state-${part}` }), part === "unexplained" ? "not known" : part)));
}

export class ThreadTable {
  readonly element: HTMLElement;
  private readonly rows = new Map<string, HTMLElement>();

  constructor(cpu: Cpu, onChoose: (group: string) => void) {
    const columns = usedParts(cpu);
    const row = (name: string, label: string, group: Group) => {
      const element = h("tr", { class: "choosable", "aria-selected": "false", onclick: () => onChoose(name) },
        h("th", { scope: "row" }, h("button", { type: "button", class: "link" }, format.printable(label || "(no name)"))),
        h("td", {}, format.count(group.threads)), h("td", {}, format.time(group.wall_ns)),
        h("td", { class: "bar-cell" }, bar(group)),
        ...columns.map((part) => h("td", {}, timeIn(group, part) > 0 ? format.share((100 * timeIn(group, part)) / (group.wall_ns || 1)) : format.none)));
      this.rows.set(name, element);
      return element;
    };
    const all: Group = { name: "", threads: cpu.threads.length, wall_ns: cpu.wall_ns, cpu_ns: cpu.cpu_ns, off_ns: cpu.off_ns };
    const rest = cpu.groups.length - mostRows;
    this.element = h("div", { class: "wide" }, h("table", { class: "account" },
      h("thead", {}, h("tr", {}, ...["thread", "n", "lived", "in % of that", ...columns.map((part) => (part === "unexplained" ? "not known" : part))].map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", {}, row("", "all threads", all), ...cpu.groups.slice(0, mostRows).map((group) => row(group.name, group.name, group)))),
      rest > 0 && h("p", { class: "muted" }, `and ${format.plural(rest, "more group")} with less CPU time`));
  }

  select(group: string): void {
    for (const [name, row] of this.rows) row.setAttribute("aria-selected", String(name === group));
  }
}

/// Bars over the time of a run; null where the profile says nothing of when.
export function timeline(cpu: Cpu): HTMLElement | null {
  const end = Math.max(...cpu.slices.map((slice) => slice[2]), 0);
  const ends = new Set(cpu.slices.map((slice) => slice[2]));
  if (ends.size < 2 || cpu.runs.length !== 1) return null;
  const rows = cpu.threads.slice(0, mostRows).map((thread, number) => {
    const track = h("span", { class: "track" });
    for (const [of, begin, until, times] of cpu.slices) {
      if (of !== number) continue;
      const from = Math.max(begin, thread.begin_ns), to = Math.min(until, thread.end_ns ?? until);
      if (to <= from) continue;
      track.append(slice(times, from / end, to / end, to - from));
    }
    return h("tr", {}, h("th", { scope: "row" }, format.printable(thread.name || String(thread.tid)), " ", h("small", {}, String(thread.tid))), h("td", {}, track));
  });
  return h("details", { class: "timeline" }, h("summary", {}, "When: each thread between snapshots"),
    h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "thread"), h("th", { scope: "col" }, `0 to ${format.time(end)}`))), h("tbody", {}, ...rows)),
    h("p", { class: "muted" }, "A box is the time between two snapshots; its colours are shares of it, in no order. A wait is in the snapshot in which it ended or was looked at."));
}

function slice(times: number[], from: number, to: number, length: number): HTMLElement {
  const box = h("i", { title: states.map((state, index) => [state, times[index] ?? 0] as const).filter(([, ns]) => ns > 0)
    .map(([state, ns]) => `${stateWords[state]}: ${format.time(ns)}`).join("\n") });
  const whole = Math.max(length, times.reduce((a, b) => a + b, 0));
  const stops: string[] = [];
  let at = 0;
  states.forEach((state, index) => {
    const share = (100 * (times[index] ?? 0)) / whole;
    if (share > 0) stops.push(`var(--state-${state}) ${at}% ${at + share}%`);
    at += share;
  });
  if (at < 99.9) stops.push(`transparent ${at}% 100%`);
  box.style.left = `${100 * from}%`;
  box.style.width = `${100 * (to - from)}%`;
  box.style.background = `linear-gradient(to top, ${stops.join(", ")})`;
  return box;
}
