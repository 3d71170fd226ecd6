//===- overview.ts - Charts of all routines ----------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where routines get their input from, sorted (Figure 9 of Coppa et al. 2013), and how many
// routines are how rich in inputs (Figures 15, 16, 18, 19).
//
//===----------------------------------------------------------------------===//

import uPlot from "uplot";
import { h } from "../shell/dom";
import * as format from "../shell/format";
import { translucent } from "../causal/curve";
import type { Content } from "./chart";
import { fallingCurve, richness, type Input, type Routine } from "./model";

/// Routines with some input from elsewhere, most of it first.
export function inducedFirst(input: Input): Routine[] {
  const share = (routine: Routine) => routine.induced.thread + routine.induced.external;
  return input.routines.filter((routine) => routine.volume > 0).sort((a, b) => share(b) - share(a) || a.index - b.index);
}

export function split(routines: Routine[]): Content {
  const xs = routines.map((_, index) => index + 1);
  const both = routines.map((routine) => Math.min(100, 100 * (routine.induced.thread + routine.induced.external)));
  const external = routines.map((routine) => 100 * routine.induced.external);
  const paths = uPlot.paths.bars?.({ size: [0.9, 40], align: 0 });
  return {
    title: "Of each routine's input, what other threads and the outside world wrote; sorted",
    x: { label: "routines, by what they get from elsewhere", range: [0.4, routines.length + 0.6], values: (value) => (Number.isInteger(value) && value >= 1 && value <= routines.length ? String(value) : "") },
    y: { label: "of its input, %", range: [0, 100] },
    data: [xs, both, external],
    series: (colors) => [
      { stroke: colors.accent, fill: translucent(colors.accent, 0.6), width: 0, points: { show: false }, ...(paths && { paths }) },
      { stroke: colors.samples, fill: colors.samples, width: 0, points: { show: false }, ...(paths && { paths }) },
    ],
    tip: (index) => {
      const routine = routines[index]!;
      return [
        h("b", {}, routine.short_name),
        h("div", {}, `other threads ${format.share(100 * routine.induced.thread)} %`),
        h("div", {}, `outside world ${format.share(100 * routine.induced.external)} %`),
      ];
    },
  };
}

export interface Curves {
  richness?: Content;
  volume: Content;
}

function falling(title: string, label: string, values: number[], names: string[], range?: [number, number]): Content {
  const order = values.map((_, index) => index).sort((a, b) => values[b]! - values[a]!);
  const { x, y } = fallingCurve(values);
  const stepped = uPlot.paths.stepped?.({ align: -1 });
  return {
    title,
    x: { label: "of the routines, %", range: [0, 100] },
    y: { label, ...(range && { range }) },
    data: [x, y],
    series: (colors) => [{ stroke: colors.better, fill: translucent(colors.better, 0.15), width: 2, points: { show: x.length < 40, size: 4 }, ...(stepped && { paths: stepped }) }],
    tip: (index) => [
      h("b", {}, `${format.share(x[index]!)} % of the routines`),
      h("div", {}, `${Number(y[index]!.toFixed(2))} or more`),
      h("div", { class: "muted" }, `this one: ${names[order[Math.max(0, index - 1)]!]}`),
    ],
  };
}

/// By comparison with rms where a run has counted it; else from what trms says of itself.
export function curves(input: Input): Curves {
  const both = richness(input);
  if (both.length > 0)
    return {
      richness: falling("How many more distinct inputs trms sees than rms", "more inputs than rms, times", both.map((each) => each.richness), both.map((each) => each.routine.short_name)),
      volume: falling("How much of the input trms alone sees", "input that rms misses, %", both.map((each) => 100 * each.volume), both.map((each) => each.routine.short_name), [0, 100]),
    };
  const routines = input.routines.filter((routine) => routine.volume > 0);
  return {
    volume: falling("How much of the input comes from elsewhere", "input from elsewhere, %",
      routines.map((routine) => Math.min(100, 100 * (routine.induced.thread + routine.induced.external))), routines.map((routine) => routine.short_name), [0, 100]),
  };
}
