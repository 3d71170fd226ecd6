//===- view.ts - What an input profile says ----------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The routine that makes cost grow, all routines in a table, the charts of the chosen one,
// and where input comes from. The shell mounts it.
//
//===----------------------------------------------------------------------===//

import type { Report } from "../causal/model";
import { fill, h, isTyping } from "../shell/dom";
import * as format from "../shell/format";
import * as header from "../shell/header";
import type { Mounted, View } from "../shell/view";
import { Chart } from "./chart";
import { amount, inputOf, prepare, underMetric, type Cause, type Growth, type Input, type Routine } from "./model";
import { curves, inducedFirst, split } from "./overview";
import { CostPlot, origins, workload } from "./plots";

const mostRows = 400;
const mostPoints = 300;

function growthText(growth: Growth): string {
  return growth.status === "known" ? growth.text : format.none;
}

function exponentText(growth: Growth): string {
  const { exponent } = growth;
  return exponent ? `${exponent.value.toFixed(2)} (${exponent.low.toFixed(2)} to ${exponent.high.toFixed(2)})` : format.none;
}

function confidence(growth: Growth): string {
  return `${Math.min(99, Math.round(100 * (growth.confidence ?? 0)))} %`;
}

class InputView implements Mounted {
  private chosen: Routine;
  private rows: Routine[] = [];
  private readonly cost = new CostPlot();
  private readonly rms = new CostPlot();
  private readonly calls = new Chart(170, "workload-plot");
  private readonly from = new Chart(170, "origin-plot");
  private readonly all = new Chart(220, "split-plot");
  private readonly rich = new Chart(220, "richness-plot");
  private readonly volume = new Chart(220, "volume-plot");
  private readonly body = h("tbody");
  private readonly counted = h("span", { class: "counted", role: "status" });
  private readonly about = h("div");
  private readonly points = h("details", { class: "values" });
  private readonly rmsPart = h("div", { hidden: true });
  private readonly filter = h("input", { type: "search", placeholder: "Filter: routine, file, growth  ( / )", "aria-label": "Filter routines", spellcheck: "false", autocomplete: "off" });
  private readonly table = h("table", { class: "routines", tabindex: 0, role: "grid", "aria-label": "Routines, largest own cost first" });

  constructor(private readonly input: Input, report: Report, private readonly root: HTMLElement) {
    this.chosen = input.routines[input.causes[0]?.routine ?? 0]!;
    const heads: [string, string][] = [["own %", "Of the program's cost, without callees"], ["all %", "With callees"], ["calls", ""],
      ["inputs", "The smallest and the largest"], ["growth of a call's cost", "All classes that are left, with 95 %"], ["exponent", "With its 95 % interval"], ["routine", ""]];
    this.table.append(h("thead", {}, h("tr", {}, ...heads.map(([text, title]) => h("th", { scope: "col", title }, text)))), this.body);
    this.filter.addEventListener("input", () => this.list());
    this.body.addEventListener("click", (event) => {
      const row = (event.target as Element).closest<HTMLElement>("tr[data-routine]");
      if (row) this.choose(input.routines[Number(row.dataset.routine)]!);
    });
    this.table.addEventListener("keydown", (event) => this.onKey(event));
    addEventListener("keydown", (event) => {
      if (event.key !== "/" || this.root.hidden || isTyping(event.target)) return;
      event.preventDefault();
      this.filter.focus();
    });
    const sorted = inducedFirst(input);
    const { richness, volume } = curves(input);
    fill(root,
      header.warnings(report),
      input.warnings.length > 0 && h("section", { class: "warnings", role: "note" }, ...input.warnings.map((text) => h("p", {}, h("b", {}, "Warning: "), format.printable(text)))),
      this.answer(),
      h("main", {},
        h("div", { class: "left" },
          h("section", { class: "list", "aria-label": "Routines" },
            h("div", { class: "toolbar" }, this.filter, this.counted),
            h("div", { class: "scroll routines-scroll" }, this.table)),
          input.causes.length > 1 && this.causes()),
        h("section", { class: "detail input-detail", "aria-label": "The chosen routine" },
          this.about, this.tools(), this.cost.chart.element, this.rmsPart,
          h("div", { class: "plot-pair" },
            h("div", {}, h("h3", {}, "Calls by input"), this.calls.element),
            h("div", {}, h("h3", {}, "Where its input comes from"), this.from.element,
              h("p", { class: "plot-tools" }, key("key-thread", "other threads"), key("key-external", "outside world"), key("key-plain", "itself")))),
          this.points)),
      h("section", { class: "runs" },
        h("h2", {}, "Where input comes from, routine by routine"),
        sorted[0] && sorted[0].induced.thread + sorted[0].induced.external > 0
          ? h("div", {}, h("p", { class: "plot-tools" }, key("key-thread", "written by other threads"), key("key-external", "by the outside world"),
            h("span", { class: "muted" }, "the rest its own thread wrote, or nobody")), this.all.element)
          : h("p", { class: "nothing" }, "No routine reads what other threads or the outside world wrote."),
        h("div", { class: "plot-pair" },
          h("div", {}, h("h3", {}, "Richness"), richness ? this.rich.element :
            h("p", { class: "nothing" }, "How many inputs only trms tells apart is known if one more run counts rms: CAUSAL_OPTIONS=metric=rms. Report both files together.")),
          h("div", {}, h("h3", {}, "Input volume"), this.volume.element))),
      this.runs(report));
    this.list();
    this.all.show(split(sorted));
    if (richness) this.rich.show(richness);
    this.volume.show(volume);
    this.choose(this.chosen);
  }

  repaint(): void {
    for (const chart of [this.cost.chart, this.rms.chart, this.calls, this.from, this.all, this.rich, this.volume]) chart.redraw();
  }

  activate(): void {
    this.table.focus({ preventScroll: true });
  }

  private link(routine: Routine): HTMLElement {
    return h("button", { type: "button", class: "link", onclick: () => this.choose(routine) }, routine.short_name);
  }

  private answer(): HTMLElement {
    const cause = this.input.causes[0];
    if (!cause)
      return h("section", { class: "answer", "aria-label": "The answer" }, h("p", { class: "lead" }, "Nothing grows faster than its input, as far as these inputs show."),
        h("p", { class: "muted" }, "Smaller and larger inputs show more: profiles of several runs add up."));
    const routine = this.input.routines[cause.routine]!;
    return h("section", { class: "answer grows", "aria-label": "The answer" },
      h("p", { class: "lead" }, this.link(routine), routine.place && h("span", {}, ` (${routine.place})`), cause.sure ? " grows as " : " may grow as ", h("b", {}, routine.mean.text),
        `: ${format.share(100 * cause.share)} % of all cost would go if it grew like its input.`),
      this.sentences(cause),
      routine.source && h("pre", {}, h("code", {}, format.printable(routine.source))));
  }

  private sentences(cause: Cause): HTMLElement {
    const under = cause.callers.slice(0, 6).map((each) => this.input.routines[each.routine]!);
    return h("p", { class: "says" }, format.sentence(format.printable(cause.sentence)),
      under.length > 0 && h("span", { class: "muted" }, " Its callers grow with it: ", ...under.flatMap((routine, index) => [index ? ", " : "", this.link(routine)]), "."));
  }

  private causes(): HTMLElement {
    return h("section", { class: "impact causes" }, h("h2", {}, "What makes cost grow faster than input"),
      h("ol", {}, ...this.input.causes.slice(0, 20).map((cause) => h("li", {},
        this.link(this.input.routines[cause.routine]!), " ", h("b", {}, this.input.routines[cause.routine]!.mean.text),
        h("small", {}, ` ${format.share(100 * cause.share)} % of all cost${cause.sure ? "" : ", may be"}`), this.sentences(cause)))));
  }

  private list(): void {
    const words = this.filter.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    this.rows = this.input.routines.filter((routine) => words.every((word) => routine.haystack.includes(word)));
    const total = Math.max(1, this.input.total);
    fill(this.body, ...this.rows.slice(0, mostRows).map((routine) => {
      const first = routine.points[0], last = routine.points.at(-1);
      return h("tr", { "data-routine": routine.index, "data-growth": routine.mean.superlinear ?? "", "aria-selected": String(routine === this.chosen) },
        h("td", { class: "number" }, format.share((100 * routine.self) / total)),
        h("td", { class: "number" }, format.share(Math.min(100, (100 * routine.inclusive) / total))),
        h("td", { class: "number" }, amount(routine.calls)),
        h("td", { class: "number" }, first && last ? (first === last ? amount(first.input) : `${amount(first.input)} – ${amount(last.input)}`) : format.none),
        h("td", { class: "growth", title: routine.mean.text }, growthText(routine.mean), routine.cause && h("small", { class: "contrast" }, "root cause")),
        h("td", { class: "number" }, exponentText(routine.mean)),
        h("td", { class: "name", title: format.printable(routine.name) }, h("b", {}, routine.short_name), h("small", {}, ` ${routine.place}`)));
    }), this.rows.length === 0 && h("tr", {}, h("td", { colspan: 7, class: "nothing" }, "Nothing matches the filter.")));
    fill(this.counted, `${format.count(this.rows.length)} of ${format.plural(this.input.all_routines, "routine")}`,
      this.rows.length > mostRows && `, ${format.count(mostRows)} shown`);
  }

  private choose(routine: Routine): void {
    this.chosen = routine;
    for (const row of this.body.querySelectorAll<HTMLElement>("tr[data-routine]")) {
      const selected = Number(row.dataset.routine) === routine.index;
      row.setAttribute("aria-selected", String(selected));
      if (selected) row.scrollIntoView({ block: "nearest" });
    }
    this.showAbout();
    this.draw();
    this.calls.show(workload(routine));
    this.from.show(origins(routine));
    fill(this.points, h("summary", {}, `Numbers of ${format.plural(routine.points.length, "input")}`), h("table", {},
      h("thead", {}, h("tr", {}, ...["input", "calls", "mean", "best", "worst", "other threads", "outside"].map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", {}, ...routine.points.slice(0, mostPoints).map((point) => h("tr", {},
        ...[format.count(point.input), format.count(point.calls), amount(point.sum / point.calls), amount(point.min), amount(point.max),
            amount(point.thread_input / point.calls), amount(point.external_input / point.calls)].map((text) => h("td", {}, text)))))));
  }

  private draw(): void {
    const routine = this.chosen;
    this.cost.show(this.input, routine, routine.points, this.input.metric, routine.mean, routine.worst);
    const rms = underMetric(this.input, "rms", routine);
    this.rmsPart.hidden = !rms;
    if (!rms) return;
    fill(this.rmsPart, h("h3", {}, "By what it reads for the first time alone (rms)"), this.rms.chart.element);
    this.rms.log = this.cost.log;
    this.rms.worst = this.cost.worst;
    this.rms.show(this.input, routine, rms.points, "rms");
  }

  private showAbout(): void {
    const { chosen, input } = this;
    const { mean, worst } = chosen;
    const fact = (name: string, value: string) => h("div", {}, h("dt", {}, name), h("dd", {}, value));
    fill(this.about,
      h("h2", {}, chosen.short_name, chosen.place && h("span", { class: "function" }, ` ${chosen.place}`)),
      h("p", { class: "says" }, mean.status === "known"
        ? `A call's cost grows as ${mean.text} (${confidence(mean)})${mean.wavy ? ", in waves that no class follows" : ""}.`
        : `Growth is ${mean.text}: five inputs that span 4x are the least.`,
        chosen.complexity && ` The source allows ${format.printable(chosen.complexity)}.`),
      chosen.cause && this.sentences(chosen.cause),
      h("dl", { class: "facts" },
        fact("exponent, 95 %", exponentText(mean)),
        fact("worst case", worst.status === "known" ? worst.text : format.none),
        mean.at_twice ? fact(`with ${amount(mean.at_twice.input)} a call would cost`, amount(mean.at_twice.value) + (amount(mean.at_twice.low) === amount(mean.at_twice.high) ? "" : ` (${amount(mean.at_twice.low)} to ${amount(mean.at_twice.high)})`)) : null,
        fact("calls", format.count(chosen.calls)),
        fact(`own ${input.cost}`, amount(chosen.self)),
        fact("from other threads", `${format.share(100 * chosen.induced.thread)} %`),
        fact("from outside", `${format.share(100 * chosen.induced.external)} %`)));
  }

  private tools(): HTMLElement {
    const toggle = (text: string, checked: boolean, change: (on: boolean) => void) => {
      const box = h("input", { type: "checkbox", checked, onchange: () => (change(box.checked), this.draw()) });
      return h("label", { class: "key" }, box, text);
    };
    return h("p", { class: "plot-tools" }, key("key-mean", "mean"), key("key-worst", "worst"), key("key-class", "fits (dashed: as likely to be true)"), key("key-beyond", "beyond what ran"),
      toggle("worst case", true, (on) => (this.cost.worst = on)), toggle("log/log", true, (on) => (this.cost.log = on)));
  }

  private runs(report: Report): HTMLElement {
    const { input } = this;
    const programs = new Set(report.runs.flatMap((run) => (run.exe ? [run.exe] : [])));
    return h("section", { class: "runs" }, h("h2", {}, "What was counted"),
      h("dl", { class: "facts" }, ...([["input", input.metric], ["cells", `${input.cell} bytes`], ["cost", input.cost], ["in all", amount(input.total)],
        ["runs", String(input.runs)], ["threads", String(input.threads)], ["program", format.printable([...programs].join(", "))]] as const)
        .map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))));
  }

  private onKey(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey || this.rows.length === 0) return;
    event.preventDefault();
    const next = this.rows[Math.max(0, Math.min(this.rows.length - 1, this.rows.indexOf(this.chosen) + step))];
    if (next) this.choose(next);
  }
}

function key(className: string, text: string): HTMLElement {
  return h("span", { class: "key" }, h("i", { class: className }), text);
}

export const inputView: View = {
  mode: "input",
  title: "How cost grows",
  holds: (report) => (inputOf(report)?.routines.length ?? 0) > 0,
  mount: (element, report) => new InputView(prepare(inputOf(report)!), report, element),
};
