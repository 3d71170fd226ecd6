//===- source.ts - Source with heat ------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The surroundings of the selected line, with two bars at each line that has
// experiments: samples, and what making it faster brings. Only text that the
// report carries is shown; gaps are marked.
//
//===----------------------------------------------------------------------===//

import { h } from "../shell/dom";
import * as format from "../shell/format";
import { gainAt, gainRange, type Line, type Point } from "./model";

/// Lines before and after the selected one: enough to see its function.
const around = 60;

export class SourceView {
  readonly element = h("div", { class: "source-scroll", tabindex: 0, role: "region", "aria-label": "Source with heat" });

  constructor(private readonly onSelect: (line: Line) => void) {}

  show(point: Point, selected: Line, speedup: number): void {
    if (!selected.line) {
      this.element.replaceChildren(h("p", { class: "nothing" }, "All code of the function, wherever it is inlined: a profile with ",
        h("code", {}, "target=line"), " shows its lines."));
      return;
    }
    const texts = new Map<number, string>();
    const measured = new Map<number, Line>();
    let maxShare = 1;
    const { low, high } = gainRange(point.lines, speedup);
    const maxGain = Math.max(high, -low);
    for (const line of point.lines) {
      maxShare = Math.max(maxShare, line.sample_share);
      if (line.target !== selected.target || line.file !== selected.file || Math.abs(line.line - selected.line) > around) continue;
      measured.set(line.line, line);
      if (line.source !== undefined) texts.set(line.line, line.source);
      for (const each of line.context ?? []) texts.set(each.line, each.text);
    }
    if (texts.size === 0 && selected.group) {
      this.element.replaceChildren(
        h("p", { class: "nothing" }, "These were made faster together:"),
        h("ul", { class: "group" }, ...selected.group.map((each) => h("li", {}, h("code", {}, format.printable(each))))));
      return;
    }
    if (texts.size === 0) {
      this.element.replaceChildren(
        h("p", { class: "nothing" }, "The source was not found when the report was made; ", h("code", {}, "--source-root=DIR"), " says where it is."));
      return;
    }
    const rows: Node[] = [];
    let before: number | undefined, active: HTMLElement | undefined;
    for (const number of [...texts.keys()].sort((a, b) => a - b)) {
      if (before !== undefined && number > before + 1)
        rows.push(h("tr", { class: "gap" }, h("td", { colspan: 4 }, `⋯ ${format.plural(number - before - 1, "line")}`)));
      before = number;
      const line = measured.get(number);
      const row = this.row(number, texts.get(number) ?? "", line, speedup, maxShare, maxGain);
      if (line === selected) {
        active = row;
        row.setAttribute("aria-current", "true");
      }
      rows.push(row);
    }
    this.element.replaceChildren(
      h("table", { class: "source" },
        h("thead", {}, h("tr", {},
          h("th", { scope: "col" }, "samples"), h("th", { scope: "col" }, "gain"),
          h("th", { scope: "col" }, "line"), h("th", { scope: "col" }, format.printable(selected.file)))),
        h("tbody", {}, ...rows)));
    if (active) this.element.scrollTop = active.offsetTop - this.element.clientHeight / 2;
  }

  private row(number: number, text: string, line: Line | undefined, speedup: number, maxShare: number, maxGain: number): HTMLElement {
    const gain = line && gainAt(line, speedup);
    const heat = (className: string, part: number, label: string) => {
      const bar = h("i", { class: className, "aria-hidden": "true" });
      bar.style.width = `${Math.min(100, 100 * part)}%`;
      return h("td", { class: "heat" }, bar, h("span", {}, label));
    };
    const row = h("tr", { class: line ? "measured" : undefined },
      line ? heat("samples", line.sample_share / maxShare, format.share(line.sample_share)) : h("td"),
      line ? heat(line.verdict === "speeds up" ? "better" : line.verdict === "slows down" ? "worse" : "unsure", Math.abs(gain?.gain ?? 0) / maxGain,
                  gain ? format.signed(gain.gain) : format.none) : h("td"),
      h("th", { scope: "row" }, line ? h("button", { type: "button", onclick: () => this.onSelect(line) }, String(number)) : String(number)),
      h("td", {}, h("code", {}, format.printable(text))));
    return row;
  }
}
