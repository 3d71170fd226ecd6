//===- tables.ts - Hot functions, and waits with who ends them -------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both lists are of the whole profile, the heaviest first; a click shows the function
// in the flame graph and in the source.
//
//===----------------------------------------------------------------------===//

import { h } from "../shell/dom";
import * as format from "../shell/format";
import { stateWords, type Cost, type Cpu, type Place } from "./model";

const mostRows = 100;

export type Names = Map<string, string>;

export function where(place: Partial<Place>, names: Names): string {
  if (!place.file) return "";
  const file = format.printable(names.get(place.file) ?? place.file);
  return place.line ? `${file}:${place.line}` : file;
}

/// "push ← producer ← …": each once, the nearest ones.
function chain(callers: Place[], most: number): string {
  const shown: string[] = [];
  for (const each of callers) {
    const name = format.printable(each.name.replace(/\(.*$/, ""));
    if (shown[shown.length - 1] !== name) shown.push(name);
  }
  return shown.slice(1, most + 1).join(" ← ") + (shown.length > most + 1 ? " ← …" : "");
}

function heat(part: number, className: string, label: string): HTMLElement {
  const bar = h("i", { class: className, "aria-hidden": "true" });
  bar.style.width = `${Math.min(100, 100 * part)}%`;
  return h("td", { class: "heat" }, bar, h("span", {}, label));
}

export function functionTable(cpu: Cpu, names: Names, onSelect: (place: Place) => void): HTMLElement {
  const before = new Map<string, Cost>(cpu.before?.functions.map((each) => [`${each.name}\n${each.file}`, each]));
  const percent = (ns: number, of: number) => (ns > 0 && of > 0 ? format.share((100 * ns) / of) : format.none);
  const rows = cpu.functions.filter((each) => each.total_ns > 0).slice(0, mostRows).map((each) => {
    const old = before.get(`${each.name}\n${each.file}`);
    return h("tr", { class: "choosable", onclick: () => onSelect(each) },
      heat(each.self_ns / (cpu.cpu_ns || 1), "samples", percent(each.self_ns, cpu.cpu_ns)),
      heat(each.total_ns / (cpu.cpu_ns || 1), "samples", percent(each.total_ns, cpu.cpu_ns)),
      cpu.before && h("td", {}, old ? percent(old.self_ns, cpu.before.cpu_ns) : format.none),
      h("td", { class: "name" }, h("button", { type: "button", class: "link" }, format.printable(each.name)), " ", h("small", {}, where(each, names))));
  });
  if (!rows.length) return h("p", { class: "nothing" }, "No thread had a core while it was sampled.");
  return h("div", { class: "rows" }, h("table", { class: "functions" },
    h("thead", {}, h("tr", {}, ...["self %", "total %", ...(cpu.before ? ["self % before"] : []), "function"].map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, ...rows)));
}

export function waitTable(cpu: Cpu, names: Names, onSelect: (place: Place) => void): HTMLElement {
  if (!cpu.waits.length) return h("p", { class: "nothing" }, "No thread was seen to wait.");
  const longest = Math.max(...cpu.waits.map((wait) => wait.ns));
  const rows = cpu.waits.slice(0, mostRows).map((wait) => {
    const ends = wait.wakers.slice(0, 3).map((waker) => h("li", {},
      `${format.share((100 * waker.ns) / wait.ns)} % ended by `,
      waker.name ? h("b", {}, format.printable(waker.name)) : "", " ", h("small", {}, where(waker, names)),
      waker.callers.length > 1 && h("small", {}, ` ← ${chain(waker.callers, 3)}`),
      waker.thread !== undefined && h("small", {}, ` in ${format.printable(waker.thread || "a thread without a name")}`)));
    return h("tr", { class: "choosable", onclick: () => onSelect(wait) },
      heat(wait.ns / longest, `state-${wait.state}`, format.time(wait.ns)),
      h("td", {}, h("span", { class: "state", title: stateWords[wait.state] }, h("i", { class: `swatch state-${wait.state}` }), wait.state)),
      h("td", { class: "number" }, format.count(wait.count)),
      h("td", { class: "name" },
        h("button", { type: "button", class: "link" }, format.printable(wait.name)), " ", h("small", {}, where(wait, names)),
        wait.callers.length > 1 && h("div", { class: "chain" }, `← ${chain(wait.callers, 6)}`),
        h("div", { class: "chain" }, `in ${wait.threads.slice(0, 3).map((each) => format.printable(each.name || "(no name)")).join(", ")}${wait.threads.length > 3 ? ", …" : ""}`),
        ends.length > 0 && h("ul", { class: "enders" }, ...ends)));
  });
  return h("div", { class: "rows" }, h("table", { class: "waits" },
    h("thead", {}, h("tr", {}, ...["time", "for", "times", "where, and what ends it"].map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, ...rows)));
}
