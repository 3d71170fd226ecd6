//===- view.ts - What a causal profile says -----------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The answer, the ranked list, the selected line, samples against impact, the
// runs. The shell mounts it.
//
//===----------------------------------------------------------------------===//

import { Detail } from "./detail";
import { fill, h, isTyping } from "../shell/dom";
import * as format from "../shell/format";
import * as header from "../shell/header";
import type { Mounted, View } from "../shell/view";
import { RankedList } from "./list";
import { ImpactMap } from "./map";
import { prepare, verdicts, visitWord, wordFor, type Line, type Point, type Report, type Verdict } from "./model";

const speedups = [25, 50, 75, 100];
const printedWidth = 660;
const maxContrasts = 6;

class CausalView implements Mounted {
  readonly controls: HTMLElement | null;
  private point: Point;
  private readonly hidden = new Set<Verdict>();
  private text = "";
  private readonly answer = h("div");
  private readonly counted = h("span", { class: "counted", role: "status" });
  private readonly verdictButtons = h("div", { class: "chips", role: "group", "aria-label": "Verdicts to show" });
  private readonly contrasts = h("div", { class: "contrasts" });
  private readonly detail = new Detail((line) => this.reveal(line));
  private readonly map = new ImpactMap((line) => this.reveal(line));
  private readonly list = new RankedList((line) => {
    this.detail.show(this.point, line, this.list.speedup);
    this.map.select(line);
  });
  private readonly filter = h("input", {
    type: "search", placeholder: "Filter: file, function, code  ( / )", "aria-label": "Filter lines", spellcheck: "false", autocomplete: "off",
  });

  constructor(private readonly report: Report, private readonly root: HTMLElement) {
    this.point = report.points.find((point) => point.lines.length > 0) ?? report.points[0]!;
    this.controls = this.pointChoice();
    this.filter.addEventListener("input", () => {
      this.text = this.filter.value.trim().toLowerCase();
      this.applyFilter();
    });
    fill(
      root,
      header.warnings(report),
      this.answer,
      h("main", {},
        h("div", { class: "left" },
          h("section", { class: "list", "aria-label": "Ranked lines" },
            h("div", { class: "toolbar" }, this.filter, this.verdictButtons, this.speedupChoice(), this.counted),
            this.list.element,
            h("p", { class: "keys muted" }, h("kbd", {}, "↑"), h("kbd", {}, "↓"), " move · ", h("kbd", {}, "/"), " filter · ", h("kbd", {}, "Esc"),
              " clear · click a heading to sort")),
          h("section", { class: "impact" },
            h("h2", {}, "Where time goes, and what it is worth"),
            h("div", { class: "impact-columns" }, this.map.element, this.contrasts))),
        this.detail.element),
      header.runFacts(report),
    );
    addEventListener("keydown", (event) => this.onKey(event));
    this.showPoint();
  }

  activate(): void {
    this.list.focus();
  }

  private showPoint(): void {
    fill(this.answer, header.answer(this.point, (line) => this.reveal(line)));
    fill(this.verdictButtons, ...verdicts.map((verdict) => this.verdictButton(verdict)));
    this.list.show(this.point);
    this.applyFilter();
    this.showImpact();
  }

  private verdictButton(verdict: Verdict): HTMLElement {
    const lines = this.point.lines.filter((line) => line.verdict === verdict).length;
    const button = h("button", {
      type: "button", "data-verdict": verdict, "aria-pressed": String(!this.hidden.has(verdict)), disabled: lines === 0,
      onclick: () => {
        if (!this.hidden.delete(verdict)) this.hidden.add(verdict);
        button.setAttribute("aria-pressed", String(!this.hidden.has(verdict)));
        this.applyFilter();
      },
    }, verdict, " ", h("b", {}, format.count(lines)));
    return button;
  }

  private applyFilter(): void {
    const words = this.text.split(/\s+/).filter(Boolean);
    this.list.filter((line) => !this.hidden.has(line.verdict) && words.every((word) => line.haystack.includes(word)));
    const rest = this.report.unmeasured;
    const more = this.point.ranked_lines - this.point.lines.length;
    fill(this.counted, `${format.count(this.list.shown.length)} of ${format.plural(this.point.lines.length, wordFor(this.report.target))}`,
      more > 0 && ` (${format.count(more)} left out by --top)`,
      rest && rest.targets > 0 && `; not measured: ${format.count(rest.targets)} with ${format.share(rest.sample_share)} % of the samples`,
      this.point.time_until_clear_ns ? `; the first unclear ones are known to ±2 points after about ${format.time(this.point.time_until_clear_ns)} more` : "");
  }

  private showImpact(): void {
    this.map.show(this.point, this.list.speedup);
    const group = (title: string, text: string, lines: Line[], none: string) =>
      h("div", {}, h("h3", {}, title), h("p", { class: "muted" }, lines.length ? text : none),
        h("ul", {}, ...lines.slice(0, maxContrasts).map((line) =>
          h("li", {}, h("button", { type: "button", class: "link", onclick: () => this.reveal(line) }, line.place), " ",
            h("span", { class: "function" }, line.name),
            h("small", {}, ` ${format.share(line.sample_share)} % of samples, best sure gain ${line.bound > 0 ? `${format.signed(line.bound)} %` : "none"}`)))),
        lines.length > maxContrasts && h("p", { class: "muted" }, `and ${format.count(lines.length - maxContrasts)} more`));
    const of = (accept: (line: Line) => boolean) => this.point.lines.filter(accept);
    fill(
      this.contrasts,
      group("Cold but decisive", "An ordinary profiler would hide these.", of((line) => line.contrast === "cold but decisive"), "None: what is worth optimising is also hot."),
      group("Hot but useless", "An ordinary profiler would send you here.", of((line) => line.contrast === "hot but useless").sort((a, b) => b.sample_share - a.sample_share), "None is known to be."),
      group("Contention", "Faster here is slower for all.", of((line) => line.verdict === "slows down"), "None: nothing is known to slow the program down."),
    );
  }

  /// Selects a line even if the filter hides it.
  private reveal(line: Line): void {
    if (!this.list.shown.includes(line)) {
      this.filter.value = this.text = "";
      this.hidden.clear();
      for (const button of this.verdictButtons.children) button.setAttribute("aria-pressed", "true");
      this.applyFilter();
    }
    this.list.select(line);
    this.list.focus();
  }

  private pointChoice(): HTMLElement | null {
    const name = (point: Point) => `${point.kind === "run" ? "end to end (" : `${point.label} (${point.kind}, `}${format.plural(point.visits, visitWord[point.kind])}` +
      `${point.baseline_period_ns ? `, ${format.time(point.baseline_period_ns)} each` : ""})`;
    if (this.report.points.length === 1) return h("span", { class: "point" }, name(this.point));
    const select = h("select", { id: "point" }, ...this.report.points.map((point, index) =>
      h("option", { value: index, selected: point === this.point }, name(point))));
    select.addEventListener("change", () => {
      this.point = this.report.points[Number(select.value)]!;
      this.showPoint();
    });
    return h("label", { class: "point", for: "point" }, "Progress point ", select);
  }

  private speedupChoice(): HTMLElement {
    const choose = (speedup: number) => {
      this.list.setSpeedup(speedup);
      this.detail.showSpeedup(this.point, this.list.selected, speedup);
      this.showImpact();
    };
    return h("fieldset", { class: "speedups" }, h("legend", {}, `if the ${wordFor(this.report.target)} is faster by`),
      ...speedups.map((speedup) => h("label", {},
        h("input", { type: "radio", name: "speedup", value: speedup, checked: speedup === this.list.speedup, onchange: () => choose(speedup) }),
        h("span", {}, `${speedup} %`))));
  }

  repaint(printing: boolean): void {
    this.list.setPrinting(printing);
    this.detail.curve.redraw();
    this.map.redraw();
    if (printing) {
      this.detail.curve.resize(printedWidth);
      this.map.resize(printedWidth);
    }
  }

  private onKey(event: KeyboardEvent): void {
    if (this.root.hidden) return;
    if (event.key === "/" && !isTyping(event.target)) {
      event.preventDefault();
      this.filter.focus();
      this.filter.select();
    } else if (event.target === this.filter && (event.key === "Escape" || event.key === "Enter" || event.key === "ArrowDown")) {
      event.preventDefault();
      if (event.key === "Escape") {
        this.filter.value = this.text = "";
        this.applyFilter();
      }
      this.list.focus();
    }
  }
}

export const causalView: View = {
  mode: "causal",
  title: "What to optimise",
  // A profile without an answer says why, unless another mode has one.
  holds: (report, others) => report.points.length > 0 || !others,
  mount(element, document) {
    const report = prepare(document);
    if (!report.empty && report.points.length > 0) return new CausalView(report, element);
    fill(element, header.warnings(report), header.emptiness(report), header.runFacts(report));
    return {};
  },
};
