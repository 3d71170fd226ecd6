//===- flame.ts - The flame graph ------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// d3-flame-graph with what this page adds: colours that say on or off the core, or
// how two profiles differ, and what a box is in words.
//
//===----------------------------------------------------------------------===//

import flamegraph, { type FlameNode } from "d3-flame-graph";
import { select } from "d3-selection";
import { h, themeColor } from "../shell/dom";
import * as format from "../shell/format";
import { stateWords, type Choice, type Frame } from "./model";

const rowHeight = 18;
/// Narrower boxes are left out: nobody could click them.
const narrowest = 1.5;

export class Flame {
  readonly element = h("div", { class: "flame", role: "group", "aria-label": "Flame graph: each box is a function, as wide as its time; click to zoom" });
  readonly details = h("p", { class: "flame-details", role: "status" });
  private readonly chart = flamegraph();
  private root: Frame | undefined;
  private compares = false;
  private choice: Pick<Choice, "byShare" | "widthsBefore"> = { byShare: false, widthsBefore: false };
  private term = "";

  constructor(private readonly onSelect: (frame: Frame) => void) {
    this.chart.cellHeight(rowHeight).minFrameSize(narrowest).transitionDuration(0).inverted(true).resetHeightOnZoom(true)
      .getName((node) => format.printable((node.data as Frame).name))
      .setLabelHandler((node) => this.describe(node.data as Frame))
      .setColorMapper((node) => this.colorOf(node))
      .onClick((node) => this.onSelect(node.data as Frame))
      .onHover((node) => this.say(node.data as Frame))
      .setSearchMatch((node, term) => this.matches(node.data as Frame, term))
      .setSearchHandler(() => {});
  }

  get total(): number {
    return this.root?.value ?? 0;
  }

  show(root: Frame, choice: Pick<Choice, "byShare" | "widthsBefore">, compares: boolean): void {
    this.root = root;
    this.compares = compares;
    this.choice = choice;
    this.chart.destroy();
    this.element.replaceChildren();
    if (root.value === 0) {
      this.element.append(h("p", { class: "nothing" }, "No time of that kind in these threads."));
      this.details.textContent = "";
      return;
    }
    this.chart.width(this.width());
    select(this.element).datum(root as object).call(this.chart as never);
    this.say(root);
    if (this.term) this.chart.search(this.term);
  }

  /// After a change of width or theme.
  redraw(): void {
    if (this.root) this.show(this.root, this.choice, this.compares);
  }

  /// Marks what matches; the time of that, each stack once.
  search(term: string): number {
    this.term = term.trim().toLowerCase();
    if (!this.root || this.root.value === 0) return 0;
    if (this.term) this.chart.search(this.term);
    else this.chart.clear();
    const sum = (frame: Frame): number => (this.matches(frame, this.term) ? frame.value : frame.children.reduce((all, each) => all + sum(each), 0));
    return this.term ? sum(this.root) : 0;
  }

  resetZoom(): void {
    if (this.root && this.root.value > 0) this.chart.resetZoom();
  }

  private width(): number {
    return Math.max(300, this.element.clientWidth || 900);
  }

  private matches(frame: Frame, term: string): boolean {
    return !!term && (frame.full.toLowerCase().includes(term) || frame.file.toLowerCase().includes(term) || frame.name.toLowerCase().includes(term));
  }

  private amount(value: number): string {
    return this.choice.byShare ? `${format.share(100 * value)} %` : format.time(value);
  }

  private describe(frame: Frame): string {
    const total = this.root?.value ?? 0;
    const of = (part: number) => (total && !this.choice.byShare ? ` (${format.share((100 * part) / total)} %)` : "");
    const parts = [`${format.printable(frame.state ? `${frame.name} ${stateWords[frame.state]}` : frame.full)}: ${this.amount(frame.value)}${of(frame.value)}`];
    if (frame.self > 0 && frame.children.length) parts.push(`itself ${this.amount(frame.self)}`);
    if (frame.off > 0 && !frame.state) parts.push(`${format.share((100 * frame.off) / frame.value)} % of that off the core`);
    if (this.compares) parts.push(`${this.choice.widthsBefore ? "after" : "before"} ${this.amount(frame.other)}`);
    return parts.join(", ");
  }

  private say(frame: Frame): void {
    this.details.textContent = this.describe(frame);
  }

  private colorOf(node: FlameNode): string {
    const frame = node.data as Frame;
    if (node.highlight) return themeColor("--found");
    if (this.compares) return differenceColor(this.choice.widthsBefore ? frame.value : frame.other, this.choice.widthsBefore ? frame.other : frame.value);
    if (frame.state) return themeColor(`--state-${frame.state}`);
    if (frame === this.root) return "hsl(210 8% 82%)";
    return frameColor(frame);
  }
}

/// A number from 0 to 1 that is the same for the same name.
function hash(name: string): number {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + letter.codePointAt(0)!) >>> 0;
  return (sum % 97) / 97;
}

/// Warm on the core, cool off it; paler where the code is the system's.
function frameColor(frame: Frame): string {
  const off = frame.value > 0 ? frame.off / frame.value : 0;
  const shade = hash(frame.name);
  const light = (frame.system ? 80 : 66) + 8 * shade;
  const strength = frame.system ? 30 : 72;
  const warm = 28 + 22 * shade, cool = 205 + 25 * shade;
  return off > 0.98 ? `hsl(${cool} ${strength}% ${light}%)` : off < 0.02 ? `hsl(${warm} ${strength}% ${light}%)`
    : `color-mix(in srgb, hsl(${cool} ${strength}% ${light}%) ${Math.round(100 * off)}%, hsl(${warm} ${strength}% ${light}%))`;
}

/// Red has grown, blue has shrunk, grey is as it was.
function differenceColor(before: number, after: number): string {
  const most = Math.max(before, after);
  const part = most ? (after - before) / most : 0;
  return `hsl(${part > 0 ? 5 : 215} ${Math.round(85 * Math.min(1, Math.abs(part)))}% ${Math.round(88 - 26 * Math.min(1, Math.abs(part)))}%)`;
}
