//===- model.ts - How cost grows, as the page uses it ------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The object "input" of the report (docs/user/input.md), and what the views derive from it.
// Knows nothing of the page.
//
//===----------------------------------------------------------------------===//

import type { Report } from "../causal/model";
import { printable, shortNames } from "../shell/format";

export interface Interval {
  value: number;
  low: number;
  high: number;
}

export interface Fit {
  class: string;
  power: number;
  logs: number;
  probability: number;
  base: number;
  at_largest: number;
}

export interface Growth {
  status: "known" | "few inputs" | "narrow span";
  text: string; // "n to n log n", or why nothing is claimed.
  inputs: number;
  smallest: number;
  largest: number;
  // If known.
  set?: string[];
  confidence?: number;
  superlinear?: "yes" | "maybe" | "no";
  exponent?: Interval;
  wavy?: boolean;
  fits?: Fit[];
  at_twice?: Interval & { input: number };
}

export interface InputPoint {
  input: number;
  calls: number;
  min: number;
  max: number;
  sum: number;
  thread_input: number;
  external_input: number;
}

export interface Routine {
  index: number; // In Input.routines.
  name: string;
  short_name: string;
  file: string;
  line: number;
  thread?: number;
  calls: number;
  self: number;
  inclusive: number;
  mean: Growth;
  worst: Growth;
  source?: string;
  complexity?: string;
  points: InputPoint[];
  // Derived.
  place: string;
  cause?: Cause;
  volume: number; // Sum of the inputs of all calls.
  induced: { thread: number; external: number }; // Shares of it, 0..1.
  haystack: string;
}

export interface Cause {
  routine: number;
  why: string;
  sentence: string;
  sure: boolean;
  share: number; // Of the whole cost, 0..1.
  callers: { routine: number; share: number }[];
  callee?: number;
}

interface OtherRoutine {
  name: string;
  file: string;
  line: number;
  points: InputPoint[];
}

export interface Input {
  metric: string;
  cost: string; // "instructions", "blocks"
  cell: number;
  runs: number;
  threads: number;
  total: number;
  all_routines: number;
  warnings: string[];
  routines: Routine[]; // Largest own cost first.
  causes: Cause[];
  other_metrics: { metric: string; routines: OtherRoutine[] }[];
}

export function inputOf(report: Report): Input | undefined {
  return (report as unknown as { input?: Input }).input;
}

export function prepare(input: Input): Input {
  const names = shortNames(input.routines.map((routine) => routine.file));
  input.routines.forEach((routine, index) => {
    routine.index = index;
    routine.place = routine.file ? printable(names.get(routine.file) ?? routine.file) + (routine.line ? `:${routine.line}` : "") : "";
    routine.short_name = printable(routine.short_name);
    for (const growth of [routine.mean, routine.worst]) growth.text = pretty(growth.text);
    let thread = 0, external = 0;
    routine.volume = 0;
    for (const point of routine.points) {
      routine.volume += point.input * point.calls;
      thread += point.thread_input;
      external += point.external_input;
    }
    const whole = Math.max(1, routine.volume);
    routine.induced = { thread: Math.min(1, thread / whole), external: Math.min(1, external / whole) };
    routine.haystack = `${routine.name} ${routine.file}:${routine.line} ${routine.source ?? ""} ${routine.mean.text} ${routine.mean.set?.join(" ") ?? ""}`.toLowerCase();
  });
  for (const cause of input.causes) {
    cause.sentence = pretty(cause.sentence);
    input.routines[cause.routine]!.cause = cause;
  }
  return input;
}

/// The same routine under another metric.
export function underMetric(input: Input, metric: string, routine: Routine): OtherRoutine | undefined {
  return input.other_metrics.find((other) => other.metric === metric)
    ?.routines.find((each) => each.name === routine.name && each.file === routine.file && each.line === routine.line);
}

function grows(fit: Fit, x: number): number {
  return x ** fit.power * Math.log2(x + 1) ** fit.logs;
}

/// The fit's cost; from two of its values, for the page's numbers are rounded.
export function costAt(fit: Fit, growth: Growth, x: number): number {
  return fit.base + ((fit.at_largest - fit.base) * grows(fit, x)) / grows(fit, growth.largest);
}

/// The fits of the set, the most likely first.
export function fitsOf(growth: Growth): Fit[] {
  return (growth.fits ?? []).filter((fit) => growth.set?.includes(fit.class));
}

/// For x % of the routines, the least of what that many have: y falls as x rises.
export function fallingCurve(values: number[]): { x: number[]; y: number[] } {
  const sorted = [...values].sort((a, b) => b - a);
  // The first one from 0 on.
  return { x: [0, ...sorted.map((_, index) => (100 * (index + 1)) / sorted.length)], y: sorted.length ? [sorted[0]!, ...sorted] : [0] };
}

export interface Richness {
  routine: Routine;
  richness: number; // (distinct trms - distinct rms) / distinct rms
  volume: number;   // 1 - sum of rms / sum of trms
}

/// Of the routines that runs of both metrics have.
export function richness(input: Input): Richness[] {
  return input.routines.flatMap((routine) => {
    const rms = underMetric(input, "rms", routine);
    if (!rms || rms.points.length === 0 || routine.points.length === 0) return [];
    // Runs may differ in how often they call.
    const average = (points: InputPoint[]) => {
      const calls = points.reduce((sum, point) => sum + point.calls, 0);
      return points.reduce((sum, point) => sum + point.input * point.calls, 0) / Math.max(1, calls);
    };
    const trms = average(routine.points);
    return [{
      routine,
      richness: (routine.points.length - rms.points.length) / rms.points.length,
      volume: trms > 0 ? Math.max(0, 1 - average(rms.points) / trms) : 0,
    }];
  });
}

/// "n^1.5 to n^2" with raised digits.
export function pretty(growth: string): string {
  const raised: Record<string, string> = { ".": "·", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };
  return growth.replace(/\^([\d.]+)/g, (_, digits: string) => [...digits].map((digit) => raised[digit]).join(""));
}

/// "1M", for the scale of an axis.
export function tick(n: number): string {
  return amount(Number(n.toPrecision(6))).replace(/\.0+(?=\D|$)/, "");
}

/// "1.23M"
export function amount(n: number): string {
  if (n < 1000) return Number.isInteger(n) ? String(n) : n.toFixed(1);
  for (const [size, unit] of [[1e3, "k"], [1e6, "M"], [1e9, "G"], [1e12, "T"], [1e15, "P"]] as const)
    if (n < 999.5 * size || size === 1e15) return (n / size).toPrecision(3) + unit;
  return "";
}
