//===- plots.ts - The charts of one routine ----------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cost by input with its fits, calls by input, and where the input came from; for rms as
// well where a run has counted it.
//
//===----------------------------------------------------------------------===//

import { h } from "../shell/dom";
import * as format from "../shell/format";
import { translucent } from "../causal/curve";
import { Chart, marks, type Content } from "./chart";
import { amount, tick, costAt, fitsOf, type Growth, type Input, type InputPoint, type Routine } from "./model";

const gridPoints = 90;

export class CostPlot {
  readonly chart = new Chart(290, "cost-plot");
  log = true;
  worst = true;

  show(input: Input, routine: Pick<Routine, "short_name">, points: InputPoint[], metric: string, growth?: Growth, worstGrowth?: Growth): void {
    const usable = points.filter((point) => point.input >= 1 && point.max >= 1);
    const fits = growth ? fitsOf(growth) : [];
    const worstFit = this.worst && worstGrowth ? fitsOf(worstGrowth)[0] : undefined;
    const xs = this.inputs(usable, growth);
    const at = new Map(usable.map((point) => [point.input, point]));
    const pick = (value: (point: InputPoint) => number) => xs.map((x) => {
      const point = at.get(x);
      return point ? value(point) : null;
    });
    // Below the smallest cost of a logarithmic scale there is nothing.
    const positive = (y: number) => (this.log && y <= 0 ? null : y);
    const content: Content = {
      title: `Cost of ${routine.short_name} by input: ${growth?.text ?? "points alone"}. The table below has the numbers.`,
      x: { label: `input (${metric}, cells)`, log: this.log, values: tick },
      y: { label: `cost of a call, ${input.cost}`, log: this.log, values: tick },
      data: [
        xs,
        pick((point) => point.sum / point.calls),
        this.worst ? pick((point) => point.max) : xs.map(() => null),
        ...fits.map((fit) => xs.map((x) => positive(costAt(fit, growth!, x)))),
        ...(worstFit ? [xs.map((x) => positive(costAt(worstFit, worstGrowth!, x)))] : []),
      ] as Content["data"],
      series: (colors) => [
        marks(colors.accent),
        marks(colors.worse, true),
        ...fits.map((_, index) => ({
          stroke: colors.ink, width: index ? 1 : 1.8, dash: index ? [3, 4] : [], points: { show: false }, spanGaps: true,
        })),
        ...(worstFit ? [{ stroke: colors.worse, width: 1.2, dash: [7, 4], points: { show: false }, spanGaps: true }] : []),
      ],
      draw: (plot, colors) => {
        if (!growth || fits.length === 0) return;
        const x = plot.valToPos(growth.largest, "x", true), { top, height, left, width } = plot.bbox;
        plot.ctx.save();
        plot.ctx.fillStyle = translucent(colors.muted, 0.1);
        plot.ctx.fillRect(x, top, left + width - x, height);
        plot.ctx.restore();
      },
      tip: (index) => {
        const x = xs[index]!, point = at.get(x);
        if (!point) return fits[0] && growth ? [h("b", {}, `input ${amount(Math.round(x))}`), h("div", {}, `${fits[0].class}: ${amount(costAt(fits[0], growth, x))}`)] : undefined;
        return [
          h("b", {}, `input ${format.count(point.input)}`),
          h("div", {}, `mean ${amount(point.sum / point.calls)}, worst ${amount(point.max)}`),
          h("div", { class: "muted" }, format.plural(point.calls, "call")),
        ];
      },
    };
    this.chart.show(content);
  }

  private inputs(points: InputPoint[], growth?: Growth): number[] {
    const all = new Set(points.map((point) => point.input));
    if (growth?.status === "known") {
      const low = growth.smallest, high = 2 * growth.largest;
      for (let i = 0; i <= gridPoints; ++i) all.add(this.log ? low * (high / low) ** (i / gridPoints) : low + ((high - low) * i) / gridPoints);
    }
    return [...all].sort((a, b) => a - b);
  }
}

/// A stem for each input: how many calls had it.
export function workload(routine: Routine): Content {
  const points = routine.points.filter((point) => point.input >= 1);
  return {
    title: `Calls of ${routine.short_name} by input`,
    x: { label: "input (cells)", log: true, values: tick },
    y: { label: "calls", log: true, values: tick },
    data: [points.map((point) => point.input), points.map((point) => point.calls)],
    series: (colors) => [marks(colors.samples)],
    draw: (plot, colors) => {
      const { ctx, bbox } = plot;
      ctx.save();
      ctx.strokeStyle = colors.samples;
      ctx.lineWidth = devicePixelRatio * 1.5;
      ctx.beginPath();
      for (const point of points) {
        const x = plot.valToPos(point.input, "x", true);
        ctx.moveTo(x, bbox.top + bbox.height);
        ctx.lineTo(x, plot.valToPos(point.calls, "y", true));
      }
      ctx.stroke();
      ctx.restore();
    },
    tip: (index) => [h("b", {}, `input ${format.count(points[index]!.input)}`), h("div", {}, format.plural(points[index]!.calls, "call"))],
  };
}

/// Of the input, what other threads and the outside world wrote, stacked.
export function origins(routine: Routine): Content {
  const points = routine.points.filter((point) => point.input >= 1);
  const share = (part: (point: InputPoint) => number) => points.map((point) => Math.min(100, (100 * part(point)) / (point.input * point.calls)));
  const external = share((point) => point.external_input);
  const both = share((point) => point.external_input + point.thread_input);
  return {
    title: `Where the input of ${routine.short_name} comes from`,
    x: { label: "input (cells)", log: true, values: tick },
    y: { label: "of the input, %", range: [0, 100] },
    data: [points.map((point) => point.input), points.map(() => 100), both, external],
    series: (colors) => [
      { stroke: colors.rule, fill: translucent(colors.muted, 0.12), points: { show: false } },
      { stroke: colors.accent, fill: translucent(colors.accent, 0.45), width: 1.5, points: { show: points.length < 3 } },
      { stroke: colors.samples, fill: translucent(colors.samples, 0.75), width: 1.5, points: { show: points.length < 3 } },
    ],
    tip: (index) => [
      h("b", {}, `input ${format.count(points[index]!.input)}`),
      h("div", {}, `other threads ${format.share(both[index]! - external[index]!)} %`),
      h("div", {}, `outside world ${format.share(external[index]!)} %`),
    ],
  };
}
