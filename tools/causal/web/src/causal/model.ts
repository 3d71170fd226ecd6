//===- model.ts - The report as the page uses it -----------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The JSON report (docs/reference/formats.md), read once, with what the views derive from
// it. Knows nothing of the page.
//
//===----------------------------------------------------------------------===//

import { printable, shortNames } from "../shell/format";

export type Verdict = "speeds up" | "slows down" | "no effect" | "unclear";
export const verdicts: Verdict[] = ["speeds up", "slows down", "no effect", "unclear"];

/// In percent, with its 95 % interval.
export interface Gain {
  line_speedup: number;
  gain: number;
  low: number;
  high: number;
}

export interface MeasuredCell extends Gain {
  experiments: number;
  visits: number;
}

interface RawLine {
  rank: number;
  file: string;
  line: number; // 0: all of the function
  function: string;
  group?: string[]; // The places of several that were made faster together.
  target: Target;
  function_name?: string;
  source?: string;
  context?: { line: number; text: string }[];
  verdict: Verdict;
  sentence: string;
  bound: number;
  best: Gain;
  probability: { helps: number; hurts: number; nothing: number };
  sample_share: number;
  experiments: number;
  visits: number;
  baseline: "line" | "pooled";
  phase: { factor: number; status: string };
  fit: { knee: number | null };
  curve: Gain[];
  // Kept for the first thousand lines.
  cells?: MeasuredCell[];
  points?: [speedup: number, gain: number][];
}

/// Samples against impact, where they disagree.
export type Contrast = "hot but useless" | "cold but decisive" | undefined;

export interface Line extends RawLine {
  place: string; // serial.cpp:7, serial.cpp:step for all of a function, or serial.cpp:7:lock
  name: string; // The function that a line is in.
  contrast: Contrast;
  haystack: string;
}

/// One visit of a point, by its kind.
export const visitWord = { throughput: "visit", latency: "end", run: "run" };

export interface Point {
  name: string;
  label: string;
  kind: "throughput" | "latency" | "run";
  visits: number;
  baseline_period_ns?: number;
  ranked_lines: number;
  time_until_clear_ns?: number;
  note?: string;
  lines: Line[];
}

export interface Run {
  run: string;
  experiments: number;
  final: boolean;
  wall_ns?: number;
  delay_ns?: number;
  idle_ns?: number; // Nobody was at work.
  exe?: string;
  build_id?: string;
  host?: string;
  time?: number;
  options?: string;
  sampler?: string;
  period_ns?: number;
}

export interface Report {
  runs: Run[];
  losses: Record<string, number>;
  warnings: string[];
  empty?: { reason: string; message: string };
  unmeasured?: { targets: number; sample_share: number }; // No experiment, so no row.
  points: Point[];
  target: Target | "target"; // "target": of several kinds
}

/// What a row is about; of a section, line is where the lock is taken.
type Target = "line" | "function" | "section";

/// In words.
export function wordFor(target: Report["target"]): string {
  return target === "section" ? "critical section" : target;
}

/// A twentieth of all samples is what a profiler's user would look at.
const hot = 5;
const cold = 10;

function contrastOf(line: RawLine): Contrast {
  if (line.verdict === "no effect" && line.sample_share >= hot) return "hot but useless";
  if (line.verdict === "speeds up" && line.sample_share < cold && line.best.low > 2 * line.sample_share)
    return "cold but decisive";
  return undefined;
}

export function prepare(report: Report): Report {
  const names = shortNames(report.points.flatMap((point) => point.lines.map((line) => line.file)));
  for (const point of report.points) {
    // A point without a name is called after its place.
    point.label = printable(point.name.startsWith("/") ? point.name.slice(point.name.lastIndexOf("/") + 1) : point.name);
    for (const line of point.lines) {
      const name = printable(line.function_name ?? line.function);
      const lock = line.target === "section" ? ":lock" : "";
      line.place = `${printable(names.get(line.file) ?? line.file)}:${line.line || name}${lock}`;
      line.name = line.line ? name : "";
      line.contrast = contrastOf(line);
      line.haystack = `${line.file}:${line.line || name}${lock} ${line.name} ${line.source ?? ""} ${line.contrast ?? ""}`.toLowerCase();
    }
  }
  return report;
}

/// Between the points of the curve; nothing beyond its end.
export function gainAt(line: Line, speedup: number): Gain | undefined {
  const { curve } = line;
  const after = curve.findIndex((point) => point.line_speedup >= speedup);
  const right = curve[after];
  if (!right) return undefined;
  if (right.line_speedup === speedup || after === 0) return right.line_speedup === speedup ? right : undefined;
  const left = curve[after - 1]!;
  const part = (speedup - left.line_speedup) / (right.line_speedup - left.line_speedup);
  const mix = (a: number, b: number) => a + part * (b - a);
  return {
    line_speedup: speedup,
    gain: mix(left.gain, right.gain),
    low: mix(left.low, right.low),
    high: mix(left.high, right.high),
  };
}

/// From the worst to the best gain, zero included. Lines of which no effect is known
/// count only where there are no others: their noise would hide the rest.
export function gainRange(lines: Line[], speedup: number): { low: number; high: number } {
  const known = lines.filter((line) => line.verdict === "speeds up" || line.verdict === "slows down");
  let low = 0, high = 1;
  for (const line of known.length ? known : lines) {
    const gain = gainAt(line, speedup)?.gain ?? 0;
    low = Math.max(-100, Math.min(low, gain));
    high = Math.min(100, Math.max(high, gain));
  }
  return { low, high: 1.15 * high };
}

/// What becomes better, in the words of the point's kind.
export function effect(point: Point, gain: number): string {
  if (point.kind === "latency") return gain < 0 ? "longer latency" : "shorter latency";
  return gain < 0 ? "slower program" : "faster program";
}
