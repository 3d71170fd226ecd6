//===- map.ts - Samples against impact ---------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every line as one mark: right is where time goes, up is what making it faster
// brings. The slanted line is a program of one thread, where the two agree; far
// below it is hot but useless, far above it cold but decisive. The lists beside
// it say the same in words.
//
//===----------------------------------------------------------------------===//

import uPlot from "uplot";
import { h, themeColor } from "../shell/dom";
import { translucent } from "./curve";
import * as format from "../shell/format";
import { gainAt, gainRange, type Line, type Point, type Verdict } from "./model";

const height = 280;
const reach = 18; // Pixels around a mark.

export class ImpactMap {
  readonly element = h("div", { class: "plot map", role: "img" });
  private plot: uPlot | undefined;
  /// `at` is `y` within the chart.
  private marks: { line: Line; x: number; y: number; at: number }[] = [];
  private selected: Line | undefined;
  private hovered: Line | undefined;
  private point: Point | undefined;
  private speedup = 50;
  private readonly tip = h("div", { class: "tip", hidden: true });

  constructor(private readonly onSelect: (line: Line) => void) {
    new ResizeObserver(() => this.resize()).observe(this.element);
  }

  show(point: Point, speedup: number): void {
    this.point = point;
    this.speedup = speedup;
    this.redraw();
  }

  select(line: Line | undefined): void {
    this.selected = line;
    this.plot?.redraw(false);
  }

  resize(width = this.element.clientWidth): void {
    if (this.plot && width > 0 && width !== this.plot.width) this.plot.setSize({ width, height });
  }

  redraw(): void {
    this.plot?.destroy();
    this.plot = undefined;
    if (!this.point) return;
    const { low, high } = gainRange(this.point.lines, this.speedup);
    this.marks = this.point.lines.flatMap((line) => {
      const gain = gainAt(line, this.speedup);
      return gain ? [{ line, x: line.sample_share, y: gain.gain, at: Math.max(low, Math.min(high, gain.gain)) }] : [];
    });
    this.marks.sort((a, b) => a.x - b.x);
    this.element.setAttribute("aria-label",
      `Samples against gain of ${format.plural(this.marks.length, "line")}; the lists beside and the table of lines say the same.`);
    this.plot = new uPlot(this.options(), [this.marks.map((mark) => mark.x), this.marks.map((mark) => mark.at)], this.element);
    this.plot.over.append(this.tip);
    this.plot.over.addEventListener("click", () => this.hovered && this.onSelect(this.hovered));
    this.tip.hidden = true;
  }

  private options(): uPlot.Options {
    const muted = themeColor("--muted"), rule = themeColor("--rule");
    const font = "12px system-ui, sans-serif";
    const axis = { stroke: muted, font, grid: { stroke: rule, width: 1 }, ticks: { stroke: rule, width: 1, size: 4 } };
    const { low, high } = gainRange(this.point?.lines ?? [], this.speedup);
    const padded = (low: number, high: number): [number, number] => [low - 0.06 * (high - low), high + 0.1 * (high - low)];
    return {
      width: Math.max(200, this.element.clientWidth),
      height,
      padding: [10, 12, 0, 0],
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, points: { show: false }, x: false, y: false },
      scales: {
        x: { time: false, range: (_plot, _min, max) => [0, Math.max(1, 1.08 * (max ?? 1))] },
        y: { range: () => padded(low, high) },
      },
      series: [{}, { paths: () => null, points: { show: false } }],
      axes: [
        { ...axis, label: "share of samples, %", labelFont: font, labelSize: 18, size: 30 },
        { ...axis, label: `gain if ${this.speedup} % faster, %`, labelFont: font, labelSize: 18, size: 42 },
      ],
      hooks: {
        drawAxes: [(plot) => this.drawGuides(plot, muted)],
        draw: [(plot) => this.drawMarks(plot)],
        setCursor: [(plot) => this.onHover(plot)],
      },
    };
  }

  private drawGuides(plot: uPlot, muted: string): void {
    const { ctx, bbox } = plot;
    const unit = devicePixelRatio;
    const x = (value: number) => plot.valToPos(value, "x", true), y = (value: number) => plot.valToPos(value, "y", true);
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.strokeStyle = ctx.fillStyle = muted;
    ctx.lineWidth = unit;
    ctx.beginPath();
    ctx.moveTo(bbox.left, y(0));
    ctx.lineTo(bbox.left + bbox.width, y(0));
    ctx.stroke();
    ctx.setLineDash([4 * unit, 4 * unit]);
    ctx.beginPath();
    ctx.moveTo(x(0), y(0));
    ctx.lineTo(x(100), y(this.speedup));
    ctx.stroke();
    ctx.font = `italic ${12 * unit}px system-ui, sans-serif`;
    ctx.textAlign = "left";
    ctx.textBaseline = "top";
    ctx.fillText("cold but decisive", bbox.left + 8 * unit, bbox.top + 6 * unit);
    ctx.textAlign = "right";
    ctx.textBaseline = "bottom";
    ctx.fillText("hot but useless", bbox.left + bbox.width - 8 * unit, y(0) - 4 * unit);
    ctx.restore();
  }

  private drawMarks(plot: uPlot): void {
    const { ctx } = plot;
    const unit = devicePixelRatio;
    const colors: Record<Verdict, string> = {
      "speeds up": themeColor("--better"), "slows down": themeColor("--worse"),
      "no effect": themeColor("--neutral"), unclear: themeColor("--muted"),
    };
    ctx.save();
    for (const { line, x, at } of this.marks) {
      const left = plot.valToPos(x, "x", true), top = plot.valToPos(at, "y", true), size = 5 * unit;
      ctx.beginPath();
      if (line.verdict === "speeds up" || line.verdict === "slows down") {
        const up = line.verdict === "speeds up" ? -1 : 1;
        ctx.moveTo(left - size, top - up * size * 0.8);
        ctx.lineTo(left + size, top - up * size * 0.8);
        ctx.lineTo(left, top + up * size);
        ctx.closePath();
      } else if (line.verdict === "no effect") ctx.rect(left - 0.7 * size, top - 0.7 * size, 1.4 * size, 1.4 * size);
      else ctx.arc(left, top, 0.7 * size, 0, 2 * Math.PI);
      ctx.strokeStyle = colors[line.verdict];
      ctx.fillStyle = translucent(colors[line.verdict], line.verdict === "unclear" ? 0 : 0.75);
      ctx.lineWidth = 1.2 * unit;
      ctx.fill();
      ctx.stroke();
      if (line !== this.selected && line !== this.hovered) continue;
      ctx.beginPath();
      ctx.arc(left, top, 2 * size, 0, 2 * Math.PI);
      ctx.strokeStyle = themeColor("--accent");
      ctx.lineWidth = 2 * unit;
      ctx.stroke();
    }
    ctx.restore();
  }

  private onHover(plot: uPlot): void {
    const { left = -1, top = -1 } = plot.cursor;
    let nearest: (typeof this.marks)[number] | undefined, best = reach * reach;
    if (left >= 0)
      for (const mark of this.marks) {
        const distance = (plot.valToPos(mark.x, "x") - left) ** 2 + (plot.valToPos(mark.at, "y") - top) ** 2;
        if (distance < best) [nearest, best] = [mark, distance];
      }
    if (nearest?.line === this.hovered) return;
    this.hovered = nearest?.line;
    plot.over.style.cursor = nearest ? "pointer" : "default";
    this.tip.hidden = !nearest;
    if (nearest) {
      this.tip.replaceChildren(
        h("b", {}, nearest.line.place),
        h("div", {}, `${format.signed(nearest.y)} %, ${format.share(nearest.x)} % of samples`),
        h("div", { class: "muted" }, nearest.line.verdict),
      );
      const right = left > plot.over.clientWidth / 2;
      this.tip.style.left = right ? "" : `${left + 14}px`;
      this.tip.style.right = right ? `${plot.over.clientWidth - left + 14}px` : "";
      this.tip.style.top = `${Math.max(0, top - 20)}px`;
    }
    plot.redraw(false);
  }
}
