//===- curve.ts - The speedup curve of one line ------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fitted curve with its 95 % band, measured cells with whiskers, raw experiments
// as faint dots. Hover or arrow keys read values; dragging zooms. The same values
// stand in a table beside it (detail.ts).
//
//===----------------------------------------------------------------------===//

import uPlot from "uplot";
import { h, themeColor } from "../shell/dom";
import * as format from "../shell/format";
import { effect, gainAt, wordFor, type Gain, type Line, type Point } from "./model";

const height = 270;

export class CurvePlot {
  readonly element = h("div", { class: "plot", role: "group", tabindex: 0 });
  raw = true;

  private plot: uPlot | undefined;
  private line: Line | undefined;
  private point: Point | undefined;
  private cursor = 50;
  private readonly tip = h("div", { class: "tip", hidden: true });

  /// `say` shows and announces what stands under the cursor.
  constructor(private readonly say: (text: string) => void) {
    new ResizeObserver(() => this.resize()).observe(this.element);
    this.element.addEventListener("keydown", (event) => this.onKey(event));
  }

  show(point: Point, line: Line): void {
    this.point = point;
    this.line = line;
    this.cursor = Math.min(50, line.curve.at(-1)?.line_speedup ?? 0);
    this.redraw();
    this.say(this.reading(this.cursor));
  }

  /// After a change of data, theme or what is shown.
  redraw(): void {
    this.plot?.destroy();
    this.plot = undefined;
    const { line, point } = this;
    if (!line || !point) return;
    const end = Math.floor(line.curve.at(-1)?.line_speedup ?? 0);
    const xs = Array.from({ length: end + 1 }, (_, x) => x);
    const gains = xs.map((x) => gainAt(line, x));
    const pick = (key: keyof Gain) => gains.map((gain) => gain?.[key] ?? null);
    this.element.setAttribute("aria-label",
      `Curve of ${line.place}: ${line.sentence}. Arrow keys read values, plus and minus zoom; the table below has all.`);
    this.plot = new uPlot(this.options(line, end), [xs, pick("gain"), pick("low"), pick("high")], this.element);
    this.plot.over.append(this.tip);
    this.tip.hidden = true;
  }

  resetZoom(): void {
    const x = this.plot?.data[0];
    if (x) this.plot?.setScale("x", { min: 0, max: x.length - 1 });
  }

  resize(width = this.element.clientWidth): void {
    if (this.plot && width > 0 && width !== this.plot.width) this.plot.setSize({ width, height });
  }

  private options(line: Line, end: number): uPlot.Options {
    const ink = themeColor("--ink"), muted = themeColor("--muted"), rule = themeColor("--rule");
    const color = themeColor(line.verdict === "slows down" ? "--worse" : line.verdict === "speeds up" ? "--better" : "--neutral");
    const font = "12px system-ui, sans-serif";
    const axis = { stroke: muted, font, grid: { stroke: rule, width: 1 }, ticks: { stroke: rule, width: 1, size: 4 } };
    return {
      width: Math.max(200, this.element.clientWidth),
      height,
      padding: [10, 12, 0, 0],
      legend: { show: false },
      cursor: {
        drag: { x: true, y: false, dist: 6 },
        points: { size: 8, fill: color, stroke: ink },
        y: false,
      },
      scales: {
        // Not zoomed: the whole of it, even where no experiment has been.
        x: { time: false, range: (_plot, min, max) => (min === null || (min === 0 && max === end) ? [0, 100] : [min, max]) },
        y: { range: (plot) => this.yRange(plot) },
      },
      series: [
        {},
        { stroke: color, width: 2.5, pxAlign: false, points: { show: false } },
        { stroke: "transparent", pxAlign: false, points: { show: false } },
        { stroke: "transparent", pxAlign: false, points: { show: false } },
      ],
      bands: [{ series: [3, 2], fill: translucent(color, 0.16) }],
      axes: [
        { ...axis, label: "made faster by, %", labelFont: font, labelSize: 18, size: 30 },
        { ...axis, label: this.point?.kind === "latency" ? "latency shorter by, %" : "program faster by, %", labelFont: font, labelSize: 18, size: 42 },
      ],
      hooks: {
        drawAxes: [(plot) => this.drawGuides(plot, line, muted)],
        draw: [(plot) => this.drawMeasured(plot, line, ink, muted)],
        setCursor: [(plot) => this.onHover(plot)],
      },
    };
  }

  /// What is in sight of band and cells, and most of the raw points: a few wild
  /// ones must not flatten the curve.
  private yRange(plot: uPlot): [number, number] {
    const { line } = this;
    const from = plot.scales.x?.min ?? 0, to = plot.scales.x?.max ?? 100;
    const seen = (x: number) => x >= from && x <= to;
    const values = [0];
    for (const gain of line?.curve ?? []) if (seen(gain.line_speedup)) values.push(gain.low, gain.high);
    for (const cell of line?.cells ?? []) if (seen(cell.line_speedup)) values.push(cell.gain);
    if (this.raw) {
      const raw = (line?.points ?? []).filter((each) => seen(each[0])).map((each) => each[1]).sort((a, b) => a - b);
      if (raw.length) values.push(raw[Math.floor(raw.length * 0.03)]!, raw[Math.ceil(raw.length * 0.97) - 1]!);
    }
    const low = Math.max(-150, Math.min(...values)), high = Math.min(110, Math.max(...values));
    const room = Math.max(1, 0.06 * (high - low));
    return [low - room, high + room];
  }

  private drawGuides(plot: uPlot, line: Line, muted: string): void {
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.strokeStyle = muted;
    ctx.lineWidth = devicePixelRatio;
    const y = Math.round(plot.valToPos(0, "y", true)) + 0.5;
    ctx.beginPath();
    if (y >= bbox.top && y <= bbox.top + bbox.height) {
      ctx.moveTo(bbox.left, y);
      ctx.lineTo(bbox.left + bbox.width, y);
    }
    ctx.stroke();
    const knee = line.fit.knee;
    if (knee !== null && line.verdict !== "unclear") {
      const x = plot.valToPos(knee, "x", true);
      if (x > bbox.left && x < bbox.left + bbox.width) {
        ctx.setLineDash([4 * devicePixelRatio, 4 * devicePixelRatio]);
        ctx.beginPath();
        ctx.moveTo(x, bbox.top);
        ctx.lineTo(x, bbox.top + bbox.height);
        ctx.stroke();
      }
    }
    ctx.restore();
  }

  private drawMeasured(plot: uPlot, line: Line, ink: string, muted: string): void {
    const { ctx, bbox } = plot;
    const unit = devicePixelRatio;
    const x = (value: number) => plot.valToPos(value, "x", true), y = (value: number) => plot.valToPos(value, "y", true);
    ctx.save();
    ctx.beginPath();
    // Marks at 0 and 100 % are whole.
    ctx.rect(bbox.left - 5 * unit, bbox.top, bbox.width + 10 * unit, bbox.height);
    ctx.clip();
    if (this.raw) {
      ctx.fillStyle = translucent(muted, 0.4);
      line.points?.forEach(([speedup, gain], index) => {
        // Spread, or those of one speedup would hide one another.
        const spread = ((index * 0.618034) % 1) - 0.5;
        ctx.beginPath();
        ctx.arc(x(speedup + 1.6 * spread), y(gain), 1.8 * unit, 0, 2 * Math.PI);
        ctx.fill();
      });
    }
    ctx.strokeStyle = ctx.fillStyle = ink;
    ctx.lineWidth = 1.2 * unit;
    for (const cell of line.cells ?? []) {
      ctx.beginPath();
      ctx.moveTo(x(cell.line_speedup), y(cell.low));
      ctx.lineTo(x(cell.line_speedup), y(cell.high));
      ctx.stroke();
      ctx.beginPath();
      ctx.arc(x(cell.line_speedup), y(cell.gain), 3 * unit, 0, 2 * Math.PI);
      ctx.fill();
    }
    ctx.restore();
  }

  private reading(speedup: number): string {
    const { line, point } = this;
    const gain = line && gainAt(line, speedup);
    if (!gain || !point) return "No experiment reaches so far.";
    return `${speedup} % less time in the ${wordFor(line.target)}: ${format.signed(gain.gain)} % ${effect(point, gain.gain)} (95 %: ${format.interval(gain)})`;
  }

  private onHover(plot: uPlot): void {
    const { idx, left } = plot.cursor;
    const speedup = idx === null || idx === undefined || left === undefined || left < 0 ? undefined : plot.data[0][idx];
    this.tip.hidden = speedup === undefined;
    if (speedup === undefined || !this.line || !this.point) return;
    this.cursor = speedup;
    const gain = gainAt(this.line, speedup);
    if (!gain) return;
    const cell = this.line.cells?.find((each) => each.line_speedup === speedup);
    this.tip.replaceChildren(
      h("b", {}, `${format.signed(gain.gain)} % ${effect(this.point, gain.gain)}`),
      h("div", {}, `95 %: ${format.interval(gain)}`),
      h("div", { class: "muted" }, `line ${speedup} % faster`),
      ...(cell ? [h("div", { class: "muted" }, `measured ${format.signed(cell.gain)}, ${format.plural(cell.experiments, "experiment")}`)] : []),
    );
    const x = plot.valToPos(speedup, "x"), right = x > plot.over.clientWidth / 2;
    this.tip.style.left = right ? "" : `${x + 12}px`;
    this.tip.style.right = right ? `${plot.over.clientWidth - x + 12}px` : "";
    const above = plot.valToPos(gain.gain, "y") < plot.over.clientHeight / 2;
    this.tip.style.top = above ? "auto" : "8px";
    this.tip.style.bottom = above ? "8px" : "auto";
    this.say(this.reading(speedup));
  }

  private onKey(event: KeyboardEvent): void {
    const { plot, line } = this;
    if (!plot || !line || event.ctrlKey || event.metaKey || event.altKey) return;
    const end = line.curve.at(-1)?.line_speedup ?? 0;
    const step = { ArrowLeft: -5, ArrowRight: 5, Home: -100, End: 100 }[event.key];
    if (step !== undefined) {
      this.cursor = Math.max(0, Math.min(end, this.cursor + step));
      const gain = gainAt(line, this.cursor);
      if (gain) plot.setCursor({ left: plot.valToPos(this.cursor, "x"), top: plot.valToPos(gain.gain, "y") });
    } else if (event.key === "0" || event.key === "Escape") this.resetZoom();
    else if (event.key === "+" || event.key === "-") this.zoom(event.key === "+" ? 0.6 : 1 / 0.6);
    else return;
    event.preventDefault();
  }

  private zoom(factor: number): void {
    const x = this.plot?.scales.x;
    if (!this.plot || x?.min === undefined || x.max === undefined) return;
    const half = Math.max(4, ((x.max - x.min) / 2) * factor);
    this.plot.setScale("x", { min: Math.max(0, this.cursor - half), max: Math.min(100, this.cursor + half) });
  }
}

/// `color` is #rrggbb.
export function translucent(color: string, opacity: number): string {
  return color + Math.round(255 * opacity).toString(16).padStart(2, "0");
}
