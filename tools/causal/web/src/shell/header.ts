//===- header.ts - What was run, and what to keep in mind --------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runs in one line, the answer in one sentence, warnings, and at the end of
// the page everything that is known of the runs and of what was lost.
//
//===----------------------------------------------------------------------===//

import { h } from "./dom";
import * as format from "./format";
import { verdictChip } from "../causal/list";
import { wordFor, type Line, type Point, type Report } from "../causal/model";

function total(report: Report, key: "wall_ns" | "delay_ns" | "experiments"): number {
  return report.runs.reduce((sum, run) => sum + (run[key] ?? 0), 0);
}

export function programName(report: Report): string {
  const names = new Set(report.runs.flatMap((run) => (run.exe ? [run.exe.slice(run.exe.lastIndexOf("/") + 1)] : [])));
  return format.printable([...names].join(", ")) || "unknown program";
}

export function runLine(report: Report): string {
  const hosts = new Set(report.runs.flatMap((run) => (run.host ? [run.host] : [])));
  const delays = total(report, "delay_ns");
  const newest = Math.max(0, ...report.runs.map((run) => run.time ?? 0));
  return [
    format.plural(report.runs.length, "run"),
    total(report, "wall_ns") > 0 && format.time(total(report, "wall_ns")) + (delays > 0 ? `, ${format.time(delays)} of it inserted delays` : ""),
    report.points.length > 0 && format.plural(total(report, "experiments"), "experiment"),
    hosts.size > 1 ? format.plural(hosts.size, "host") : format.printable([...hosts].join("")),
    newest > 0 && format.date(newest),
  ].filter(Boolean).join(" · ");
}

/// The one thing to know.
export function answer(point: Point, onSelect: (line: Line) => void): HTMLElement {
  const best = point.lines.find((line) => line.verdict === "speeds up");
  const first = best ?? point.lines[0];
  const what = point.kind === "latency" ? `the latency of ${point.label}` : point.label;
  if (!first) return h("section", { class: "answer" }, h("p", { class: "lead" }, `Nothing can be ranked for ${what}: too few visits in the experiments.`));
  const place = h("button", { type: "button", class: "link", onclick: () => onSelect(first) }, first.place);
  return h("section", { class: "answer", "aria-label": "The answer" },
    h("p", { class: "lead" }, best ? "Optimise " : `No ${wordFor(first.target)} is known to speed the program up. Nearest is `, place,
      first.name && h("span", {}, " in ", h("b", { class: "function" }, first.name)), best ? "." : ""),
    h("p", { class: "says" }, verdictChip(first.verdict), " ", format.sentence(first.sentence),
      !best && " Run longer, or again: profiles add up."),
    first.source && h("pre", {}, h("code", {}, format.printable(first.source))),
    point.note && h("p", { class: "muted" }, format.sentence(point.note)));
}

export function warnings(report: Report): HTMLElement | null {
  if (report.warnings.length === 0) return null;
  return h("section", { class: "warnings", role: "note", "aria-label": "Warnings" },
    ...report.warnings.map((text) => h("p", {}, h("b", {}, "Warning: "), format.printable(text))));
}

export function emptiness(report: Report): HTMLElement | null {
  if (!report.empty) return null;
  return h("section", { class: "answer empty-profile", role: "alert" },
    h("p", { class: "lead" }, "This profile has no answer yet."),
    h("p", { class: "says" }, format.printable(report.empty.message)));
}

const lossNames: Record<string, string> = {
  dropped: "samples dropped", late: "samples inside the profiler", unmapped: "samples without a line",
  out_of_scope: "samples out of scope", threads: "threads", unsampled_threads: "threads not sampled",
  timed_threads: "threads sampled by timers",
  yields: "unseen waits that yield",
  oversleep_ns: "overslept", forgiven_ns: "delays forgiven",
};

export function runFacts(report: Report): HTMLElement {
  const runs = report.runs.slice(0, 50);
  const heads = ["program", "host", "when", "wall time", "delays", "idle", "experiments", "sampler", "options", "build"];
  return h("section", { class: "runs" },
    h("h2", {}, "Runs"),
    h("dl", { class: "facts" },
      ...Object.entries(report.losses).filter(([key]) => lossNames[key]).map(([key, value]) =>
        h("div", {}, h("dt", {}, lossNames[key]!), h("dd", {}, key.endsWith("_ns") ? format.time(value) : format.count(value))))),
    h("div", { class: "wide" }, h("table", {},
      h("thead", {}, h("tr", {}, ...heads.map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", {}, ...runs.map((run) => h("tr", {},
        ...[run.exe, run.host, run.time && format.date(run.time), run.wall_ns !== undefined && format.time(run.wall_ns),
            run.delay_ns !== undefined && format.time(run.delay_ns), run.idle_ns && format.time(run.idle_ns),
            format.count(run.experiments) + (run.final ? "" : " (cut off)"),
            run.sampler && `${run.sampler}${run.period_ns ? `, ${format.time(run.period_ns)}` : ""}`, run.options, run.build_id?.slice(0, 12)]
          .map((text) => h("td", {}, text ? format.printable(text) : format.none))))))),
    report.runs.length > runs.length && h("p", { class: "muted" }, `… and ${format.plural(report.runs.length - runs.length, "more run")}`));
}
