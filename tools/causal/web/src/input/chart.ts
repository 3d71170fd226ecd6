//===- chart.ts - A chart that follows theme and width -----------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The shell of uPlot that all charts of this view share: one colour scheme, a tip at the
// cursor, redrawn after a change of theme, resized with its column.
//
//===----------------------------------------------------------------------===//

import uPlot from "uplot";
import { h, themeColor } from "../shell/dom";

export interface Axis {
  label: string;
  log?: boolean;
  values?: (value: number) => string;
  /// Of the whole axis, if it is not that of the data.
  range?: [number, number];
}

export interface Content {
  title: string; // What those hear who do not see it.
  x: Axis;
  y: Axis;
  data: uPlot.AlignedData;
  series: (colors: Colors) => uPlot.Series[];
  bands?: (colors: Colors) => uPlot.Band[];
  /// Draws on top of all.
  draw?: (plot: uPlot, colors: Colors) => void;
  /// What stands at the cursor, at this index of the data; nothing where nothing is.
  tip?: (index: number) => (Node | string)[] | undefined;
}

export interface Colors {
  ink: string;
  muted: string;
  rule: string;
  accent: string;
  better: string;
  worse: string;
  samples: string;
}

function colorsNow(): Colors {
  const color = (name: string) => themeColor(`--${name}`);
  return {
    ink: color("ink"), muted: color("muted"), rule: color("rule"), accent: color("accent"), better: color("better"),
    worse: color("worse"), samples: color("samples"),
  };
}

export class Chart {
  readonly element: HTMLElement;
  private plot: uPlot | undefined;
  private content: Content | undefined;
  private readonly tip = h("div", { class: "tip", hidden: true });

  constructor(private readonly height: number, className = "") {
    this.element = h("div", { class: `plot ${className}`, role: "img" });
    new ResizeObserver(() => this.resize()).observe(this.element);
  }

  show(content: Content): void {
    this.content = content;
    this.redraw();
  }

  redraw(): void {
    this.plot?.destroy();
    this.plot = undefined;
    const { content } = this;
    if (!content || this.element.clientWidth === 0) return;
    this.element.setAttribute("aria-label", content.title);
    this.plot = new uPlot(this.options(content), content.data, this.element);
    this.plot.over.append(this.tip);
    this.tip.hidden = true;
  }

  private resize(): void {
    const width = this.element.clientWidth;
    if (width === 0) return;
    if (!this.plot) this.redraw();
    else if (width !== this.plot.width) this.plot.setSize({ width, height: this.height });
  }

  private options(content: Content): uPlot.Options {
    const colors = colorsNow();
    const font = "12px system-ui, sans-serif";
    const axis = (of: Axis, size: number): uPlot.Axis => ({
      stroke: colors.muted, font, grid: { stroke: colors.rule, width: 1 }, ticks: { stroke: colors.rule, width: 1, size: 4 },
      label: of.label, labelFont: font, labelSize: 18, size,
      values: (_plot, splits) => splits.map((value) => (value === null ? "" : of.values ? of.values(value) : String(value))),
      ...(of.log && { splits: (_plot: uPlot, _index: number, min: number, max: number) => powersOfTen(min, max) }),
    });
    const scale = (of: Axis): uPlot.Scale => ({
      ...(of.log && { distr: 3 as const }),
      ...(of.range ? { range: of.range } : of.log ? { range: (_plot: uPlot, min: number, max: number) => logRange(min, max) } : {}),
    });
    return {
      width: Math.max(200, this.element.clientWidth),
      height: this.height,
      padding: [10, 14, 0, 0],
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, y: false, points: { show: false } },
      scales: { x: { time: false, ...scale(content.x) }, y: scale(content.y) },
      series: [{}, ...content.series(colors)],
      ...(content.bands && { bands: content.bands(colors) }),
      axes: [axis(content.x, 30), axis(content.y, 54)],
      hooks: {
        draw: [(plot) => content.draw?.(plot, colors)],
        setCursor: [(plot) => this.onHover(plot, content)],
      },
    };
  }

  private onHover(plot: uPlot, content: Content): void {
    const { idx, left } = plot.cursor;
    const shown = idx === null || idx === undefined || left === undefined || left < 0 ? undefined : content.tip?.(idx);
    this.tip.hidden = !shown;
    if (!shown) return;
    this.tip.replaceChildren(...shown);
    const x = left as number, right = x > plot.over.clientWidth / 2;
    this.tip.style.left = right ? "" : `${x + 12}px`;
    this.tip.style.right = right ? `${plot.over.clientWidth - x + 12}px` : "";
  }
}

/// Powers of ten alone: nine ticks for each would be a fence.
function powersOfTen(min: number, max: number): number[] {
  const first = Math.ceil(Math.log10(min) - 1e-9), last = Math.floor(Math.log10(max) + 1e-9);
  const step = Math.ceil((last - first + 1) / 9);
  const powers = [];
  for (let digits = first; digits <= last; digits += step) powers.push(10 ** digits);
  return powers;
}

/// A little beyond the data, and two powers of ten at least, so that there are two ticks.
function logRange(min: number | null, max: number | null): [number, number] {
  let low = Math.max(min ?? 1, 1e-3) / 1.3, high = Math.max(max ?? 10, 1e-3) * 1.3;
  if (high / low < 100) {
    const middle = Math.sqrt(low * high);
    low = Math.min(low, middle / 10);
    high = Math.max(high, middle * 10);
  }
  return [low, high];
}

/// Round marks that are told apart when they are many.
export function marks(color: string, hollow = false): Partial<uPlot.Series> {
  return {
    stroke: color, paths: () => null,
    points: { show: true, size: hollow ? 6 : 5.5, width: hollow ? 1.2 : 0, stroke: color, fill: hollow ? "transparent" : color },
  };
}
