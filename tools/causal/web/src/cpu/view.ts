//===- view.ts - What a CPU profile says -----------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The account of threads, the flame graph with its filters, the source beside it, hot
// functions and waits. The shell mounts it.
//
//===----------------------------------------------------------------------===//

import type { Report } from "../causal/model";
import { fill, h, isTyping } from "../shell/dom";
import * as format from "../shell/format";
import * as header from "../shell/header";
import type { Mounted, View } from "../shell/view";
import { Flame } from "./flame";
import { cpuOf, hottestLine, states, stateWords, totalOf, treeOf, type Choice, type Cpu, type Frame, type Place, type State } from "./model";
import { CpuSource } from "./source";
import { functionTable, waitTable, type Names } from "./tables";
import { legend, ThreadTable, timeline } from "./threads";

type Kind = "on" | "off" | "both";
const mostRuns = 50;
const kindWords: Record<Kind, string> = { on: "On the core", off: "Off the core", both: "Both" };

class CpuView implements Mounted {
  private readonly choice: Choice;
  private kind: Kind = "on";
  private readonly names: Names;
  private readonly flame = new Flame((frame) => this.choose(frame));
  private readonly source: CpuSource;
  private readonly threads: ThreadTable;
  private readonly chosen = h("div", { class: "chosen-function" });
  private readonly chips = h("div", { class: "chips", role: "group", "aria-label": "Kinds of waiting to show" });
  private readonly found = h("span", { class: "counted", role: "status" });
  private readonly threadChoice = h("select", { "aria-label": "Threads", id: "cpu-threads" });
  private readonly search = h("input", { type: "search", placeholder: "Find: function, file  ( / )", "aria-label": "Find in the flame graph", spellcheck: "false", autocomplete: "off" });
  private shown: { full: string; file: string; line: number } | undefined;

  constructor(private readonly cpu: Cpu, report: Report, private readonly root: HTMLElement) {
    const off = states.filter((state) => state !== "cpu" && cpu.tree.leaves.some((leaf) => states[leaf[2]] === state));
    if (!cpu.tree.leaves.some((leaf) => leaf[2] === 0) && off.length) this.kind = "off";
    this.choice = { states: new Set(), group: "", tid: 0, callersFirst: false, byShare: false, widthsBefore: false };
    this.names = format.shortNames([...cpu.functions, ...cpu.waits, ...cpu.waits.flatMap((wait) => wait.wakers)].flatMap((each) => (each.file ? [each.file] : [])));
    this.source = new CpuSource(cpu);
    this.threads = new ThreadTable(cpu, (group) => this.setThreads(group, 0));
    this.fillThreadChoice();
    this.search.addEventListener("input", () => this.find());
    fill(this.chips, ...off.map((state) => this.chip(state)));
    const when = timeline(cpu);
    fill(root, header.warnings(report),
      cpu.answers.length > 0 && !cpu.before && h("section", { class: "answer", "aria-label": "The answer" }, ...cpu.answers.map((text, index) => h("p", { class: index ? "says" : "lead small" }, format.printable(text)))),
      cpu.before && h("section", { class: "answer", "aria-label": "The answer" }, h("p", { class: "lead small" }, comparison(cpu, cpu.before))),
      h("section", { class: "panel" }, h("h2", {}, "Where threads' time goes"), legend(cpu), this.threads.element, when),
      h("div", { class: "cpu-columns" },
        h("section", { class: "panel flame-panel", "aria-label": "Flame graph" },
          h("div", { class: "toolbar" }, this.kindChoice(), this.threadChoice, this.search, this.found),
          h("div", { class: "toolbar second" }, this.chips, this.toggles()),
          cpu.before && h("p", { class: "legend difference" }, h("span", { class: "key" }, h("i", { class: "swatch grown" }), "takes more than before"),
            h("span", { class: "key" }, h("i", { class: "swatch shrunk" }), "takes less"), h("span", { class: "key" }, h("i", { class: "swatch same" }), "as before")),
          this.flame.details, this.flame.element,
          h("p", { class: "keys muted" }, "Each box is a function, as wide as its time; those it calls hang below it. Click to zoom, click “all” to zoom out.",
            cpu.tree.folded > 0 && ` ${format.count(cpu.tree.folded)} thin boxes are folded into their callers.`)),
        h("section", { class: "panel", "aria-label": "The chosen function" }, this.chosen, this.source.element)),
      h("div", { class: "cpu-columns even" },
        h("section", { class: "panel" }, h("h2", {}, "Hottest functions"), functionTable(cpu, this.names, (place) => this.reveal(place, "on"))),
        h("section", { class: "panel" }, h("h2", {}, "What threads wait for"), waitTable(cpu, this.names, (place) => this.reveal(place, "off")))),
      runTable(cpu, report));
    addEventListener("keydown", (event) => this.onKey(event));
    addEventListener("resize", () => this.root.hidden || this.flame.redraw());
    this.setKind(this.kind);
    this.threads.select("");
    const first = cpu.functions.find((each) => each.self_ns > 0 && each.file) ?? cpu.functions[0];
    if (first) this.showFunction(first.name, first.file ?? "");
  }

  repaint(): void {
    this.flame.redraw();
  }

  private setKind(kind: Kind): void {
    this.kind = kind;
    for (const input of this.root.querySelectorAll<HTMLInputElement>("input[name=cpu-kind]")) input.checked = input.value === kind;
    this.chips.hidden = kind === "on";
    this.draw();
  }

  private draw(): void {
    this.choice.states = new Set(this.kind === "off" ? [] : ["cpu"]);
    if (this.kind !== "on")
      for (const chip of this.chips.querySelectorAll("button"))
        if (chip.getAttribute("aria-pressed") === "true") this.choice.states.add(chip.dataset.state as State);
    this.flame.show(treeOf(this.cpu, this.choice), this.choice, !!this.cpu.before);
    this.find();
    if (this.shown) this.source.show(this.shown.file, this.shown.line, this.choice);
  }

  private kindChoice(): HTMLElement {
    return h("fieldset", { class: "speedups" }, h("legend", { class: "hidden" }, "Which time"),
      ...(Object.keys(kindWords) as Kind[]).map((kind) => h("label", {},
        h("input", { type: "radio", name: "cpu-kind", value: kind, onchange: () => this.setKind(kind) }), h("span", {}, kindWords[kind]))));
  }

  private chip(state: State): HTMLElement {
    const button = h("button", {
      type: "button", "data-state": state, title: stateWords[state], "aria-pressed": String(state !== "idle"),
      onclick: () => {
        button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
        this.draw();
      },
    }, h("i", { class: `swatch state-${state}` }), state);
    return button;
  }

  private toggles(): HTMLElement {
    const toggle = (text: string, change: (on: boolean) => void) => {
      const box = h("input", { type: "checkbox", onchange: () => { change(box.checked); this.draw(); } });
      return h("label", { class: "toggle" }, box, " ", text);
    };
    return h("div", { class: "toggles" },
      toggle("callers below: merge by what runs", (on) => (this.choice.callersFirst = on)),
      this.cpu.before && toggle("compare shares, not times of a run", (on) => (this.choice.byShare = on)),
      this.cpu.before && toggle("boxes as wide as before", (on) => (this.choice.widthsBefore = on)),
      h("button", { type: "button", class: "reset", onclick: () => this.flame.resetZoom() }, "zoom out"));
  }

  private fillThreadChoice(): void {
    const { cpu, threadChoice } = this;
    threadChoice.append(h("option", { value: "" }, "all threads"));
    cpu.groups.forEach((group, number) => {
      const name = format.printable(group.name || "(no name)");
      threadChoice.append(h("option", { value: `${number}` }, group.threads > 1 ? `${name} (${group.threads})` : name));
      if (group.threads > 1)
        for (const lane of cpu.lanes.filter((each) => each.group === number && each.tid))
          threadChoice.append(h("option", { value: `${number}/${lane.tid}` }, `\u2003${lane.tid}`));
    });
    threadChoice.addEventListener("change", () => {
      const [group, tid] = threadChoice.value.split("/");
      this.setThreads(group ? cpu.groups[Number(group)]!.name : "", Number(tid ?? 0));
    });
  }

  private setThreads(group: string, tid: number): void {
    this.choice.group = group;
    this.choice.tid = tid;
    this.threads.select(group);
    const number = this.cpu.groups.findIndex((each) => each.name === group);
    this.threadChoice.value = !group ? "" : tid ? `${number}/${tid}` : `${number}`;
    this.draw();
  }

  private find(): void {
    const sum = this.flame.search(this.search.value);
    const total = totalOf(this.cpu, this.choice);
    const share = this.flame.total ? sum / this.flame.total : 0;
    this.found.textContent = this.search.value.trim() ? `${format.share(100 * share)} % found` : total ? format.time(total) : "";
  }

  private choose(frame: Frame): void {
    if (frame.state || frame.full === "all") return;
    this.showFunction(frame.full, frame.file);
  }

  private reveal(place: Place, kind: Kind): void {
    this.search.value = place.name;
    if (this.kind !== kind && this.kind !== "both") this.setKind(kind);
    else this.find();
    this.showFunction(place.name, place.file ?? "", place.line);
    this.flame.element.scrollIntoView({ block: "nearest" });
  }

  private showFunction(full: string, file: string, line?: number): void {
    const at = line ?? hottestLine(this.cpu, full, file);
    this.shown = { full, file, line: at };
    const cost = this.cpu.functions.find((each) => each.name === full && (each.file ?? "") === file);
    const facts: [string, string][] = cost ? [
      ["CPU, itself", `${format.time(cost.self_ns)} (${format.share((100 * cost.self_ns) / (this.cpu.cpu_ns || 1))} %)`],
      ["CPU, with calls", `${format.time(cost.total_ns)} (${format.share((100 * cost.total_ns) / (this.cpu.cpu_ns || 1))} %)`],
      ["off the core", format.time(cost.off_ns)],
    ] : [];
    fill(this.chosen, h("h2", {}, h("span", { class: "function" }, format.printable(full))),
      file && h("p", { class: "muted" }, `${format.printable(this.names.get(file) ?? file)}${at ? `:${at}` : ""}`),
      h("dl", { class: "facts" }, ...facts.map(([what, value]) => h("div", {}, h("dt", {}, what), h("dd", {}, value)))));
    this.source.show(file, at, this.choice);
  }

  private onKey(event: KeyboardEvent): void {
    if (this.root.hidden) return;
    if (event.key === "/" && !isTyping(event.target)) {
      event.preventDefault();
      this.search.focus();
      this.search.select();
    } else if (event.key === "Escape" && event.target === this.search) {
      this.search.value = "";
      this.find();
    }
  }
}

/// The one thing to know of two profiles.
function comparison(cpu: Cpu, before: Cpu): string {
  const perRun = (of: Cpu) => of.cpu_ns / (of.runs.length || 1);
  const change = perRun(before) > 0 ? perRun(cpu) / perRun(before) - 1 : 0;
  return `CPU time of a run: ${format.time(perRun(before))} before, ${format.time(perRun(cpu))} after (${format.signed(100 * change)} %). ` +
    "The tables below are of the program after the change.";
}

function runTable(cpu: Cpu, report: Report): HTMLElement {
  const heads = ["program", "host", "when", "wall time", "stacks dropped", "stacks cut off", "sampler", "options", "build"];
  const rows = cpu.runs.slice(0, mostRuns).map((run) => {
    const header = report.runs.find((each) => each.run === run.run);
    return h("tr", {}, ...[header?.exe, header?.host, header?.time && format.date(header.time), format.time(run.wall_ns) + (run.final ? "" : " (cut off)"),
      format.count(run.dropped), format.count(run.truncated),
      header?.sampler && `${header.sampler}${header.period_ns ? `, ${format.time(header.period_ns)}` : ""}`, header?.options, header?.build_id?.slice(0, 12)]
      .map((text) => h("td", {}, text ? format.printable(text) : format.none)));
  });
  return h("section", { class: "runs" }, h("h2", {}, "Runs"),
    h("div", { class: "wide" }, h("table", {}, h("thead", {}, h("tr", {}, ...heads.map((text) => h("th", { scope: "col" }, text)))), h("tbody", {}, ...rows))),
    cpu.runs.length > mostRuns && h("p", { class: "muted" }, `… and ${format.plural(cpu.runs.length - mostRuns, "more run")}`));
}

export const cpuView: View = {
  mode: "cpu",
  title: "Where time goes",
  holds: (report) => cpuOf(report) !== undefined,
  mount(element, report) {
    const cpu = cpuOf(report)!;
    if (cpu.threads.length > 0) return new CpuView(cpu, report, element);
    fill(element, header.warnings(report), h("section", { class: "answer empty-profile", role: "alert" },
      h("p", { class: "lead" }, "This profile has no thread yet."), h("p", { class: "says" }, "The program was killed before its first snapshot, or still runs.")), runTable(cpu, report));
    return {};
  },
};
