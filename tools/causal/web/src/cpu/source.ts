//===- source.ts - Source with the time of each line -----------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The file of the chosen function around its hottest line, by what the flame graph is
// of. Only text that the report carries is shown; gaps are marked.
//
//===----------------------------------------------------------------------===//

import { h } from "../shell/dom";
import * as format from "../shell/format";
import { linesOf, type Choice, type Cpu } from "./model";

export class CpuSource {
  readonly element = h("div", { class: "source-scroll cpu-source", tabindex: 0, role: "region", "aria-label": "Source with the time of each line" });

  constructor(private readonly cpu: Cpu) {}

  show(file: string, line: number, choice: Choice): void {
    const text = this.cpu.sources.find((each) => each.file === file);
    if (!file) return this.say("Of this function no line is known: it was built without -fcausal-profile and without -g.");
    if (!text) return this.say("The source was not found when the report was made, or the function has too little time; --source-root=DIR says where it is.");
    const times = linesOf(this.cpu, choice, file);
    let most = 1;
    for (const each of times.values()) most = Math.max(most, each.total);
    let active: HTMLElement | undefined, before: number | undefined;
    const rows: Node[] = [];
    for (const [number, code] of text.lines) {
      if (before !== undefined && number > before + 1)
        rows.push(h("tr", { class: "gap" }, h("td", { colspan: 4 }, `⋯ ${format.plural(number - before - 1, "line")}`)));
      before = number;
      const time = times.get(number);
      const row = h("tr", { class: time && "measured" }, this.heat(time?.self, most), this.heat(time?.total, most),
        h("th", { scope: "row" }, String(number)), h("td", {}, h("code", {}, format.printable(code))));
      if (number === line) {
        active = row;
        row.setAttribute("aria-current", "true");
      }
      rows.push(row);
    }
    this.element.replaceChildren(h("table", { class: "source" },
      h("thead", {}, h("tr", {}, ...["self", "total", "line", format.printable(file)].map((head) => h("th", { scope: "col" }, head)))),
      h("tbody", {}, ...rows)));
    if (active) this.element.scrollTop = active.offsetTop - this.element.clientHeight / 2;
  }

  private say(text: string): void {
    this.element.replaceChildren(h("p", { class: "nothing" }, text));
  }

  private heat(ns: number | undefined, most: number): HTMLElement {
    if (!ns) return h("td");
    const bar = h("i", { class: "samples", "aria-hidden": "true" });
    bar.style.width = `${(100 * ns) / most}%`;
    return h("td", { class: "heat" }, bar, h("span", {}, format.time(ns)));
  }
}
