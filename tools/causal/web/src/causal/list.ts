//===- list.ts - The ranked list ---------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A table of which only the rows in sight exist, so that any number of lines
// scrolls smoothly. To assistive technology it is a grid with its true size; the
// focus stays on the grid, which names its active row.
//
//===----------------------------------------------------------------------===//

import { fill, h } from "../shell/dom";
import * as format from "../shell/format";
import { gainAt, gainRange, type Gain, type Line, type Point, type Verdict } from "./model";

const rowHeight = 46;
const beyondSight = 6;
const printedRows = 20;

export type SortKey = "rank" | "verdict" | "gain" | "share" | "place" | "experiments";
const marks: Record<Verdict, string> = { "speeds up": "▲", "slows down": "▼", "no effect": "■", unclear: "?" };

export function verdictChip(verdict: Verdict): HTMLElement {
  return h("span", { class: "verdict", "data-verdict": verdict }, h("i", { "aria-hidden": "true" }, marks[verdict]), verdict);
}

export class RankedList {
  readonly element: HTMLElement;
  speedup = 50;
  shown: Line[] = [];
  selected: Line | undefined;

  private point!: Point;
  private sort: { key: SortKey; down: boolean } = { key: "rank", down: false };
  private accept: (line: Line) => boolean = () => true;
  private printing = false;
  private window = "";
  private scale = { low: 0, high: 1, share: 1 };
  private readonly body = h("tbody");
  private readonly heads = new Map<SortKey, HTMLTableCellElement>();
  private readonly grid: HTMLTableElement;

  constructor(private readonly onSelect: (line: Line | undefined) => void) {
    this.grid = h(
      "table",
      { role: "grid", class: "ranked", tabindex: 0, "aria-label": "Lines, best first" },
      h("thead", {}, h("tr", { "aria-rowindex": 1 },
        this.head("rank", "#", "Rank: by what can surely be gained"),
        this.head("verdict", "Verdict", "What making it faster does"),
        this.head("gain", "Gain", ""),
        this.head("share", "Samples", "Its part of all samples: what an ordinary profiler shows"),
        this.head("place", "Code", "File, line and function"),
        this.head("experiments", "Exps", "Experiments on it"))),
      this.body,
    );
    this.element = h("div", { class: "scroll" }, this.grid);
    this.element.addEventListener("scroll", () => this.draw(), { passive: true });
    new ResizeObserver(() => this.draw()).observe(this.element);
    this.grid.addEventListener("keydown", (event) => this.onKey(event));
    this.body.addEventListener("click", (event) => {
      const row = (event.target as Element).closest<HTMLElement>("tr[data-index]");
      if (row) this.select(this.shown[Number(row.dataset.index)]);
    });
  }

  /// Shows a progress point's lines; keeps the selected place if it is there.
  show(point: Point): void {
    const before = this.selected;
    this.point = point;
    this.selected = point.lines.find((line) => before && line.file === before.file && line.line === before.line && line.target === before.target && (line.line || line.function === before.function));
    this.update();
    if (!this.selected || !this.shown.includes(this.selected)) this.select(this.shown[0]);
    else this.onSelect(this.selected);
  }

  filter(accept: (line: Line) => boolean): void {
    this.accept = accept;
    this.update();
    if (!this.selected || !this.shown.includes(this.selected)) this.select(this.shown[0]);
  }

  setSpeedup(speedup: number): void {
    this.speedup = speedup;
    this.update();
  }

  setPrinting(printing: boolean): void {
    this.printing = printing;
    this.window = "";
    this.draw();
  }

  focus(): void {
    this.grid.focus({ preventScroll: true });
  }

  select(line: Line | undefined): void {
    this.selected = line;
    if (line) this.reveal(this.shown.indexOf(line));
    this.window = "";
    this.draw();
    this.onSelect(line);
  }

  private head(key: SortKey, text: string, title: string): HTMLTableCellElement {
    const button = h("button", { type: "button", tabindex: -1, title, onclick: () => this.sortBy(key) }, text);
    const cell = h("th", { scope: "col", class: key, "aria-sort": "none" }, button);
    this.heads.set(key, cell);
    return cell;
  }

  private sortBy(key: SortKey): void {
    const { sort } = this;
    const downFirst = key === "gain" || key === "share" || key === "experiments";
    this.sort = { key, down: sort.key === key ? !sort.down : downFirst };
    this.element.scrollTop = 0;
    this.update();
  }

  /// Sorts, filters and draws anew.
  private update(): void {
    const { key, down } = this.sort;
    const value = (line: Line): number | string => {
      switch (key) {
        case "rank": return line.rank;
        case "verdict": return line.verdict;
        case "gain": return gainAt(line, this.speedup)?.gain ?? -Infinity;
        case "share": return line.sample_share;
        case "place": return line.place;
        case "experiments": return line.experiments;
      }
    };
    const compare = (a: number | string, b: number | string) =>
      typeof a === "string" && typeof b === "string" ? a.localeCompare(b, "en", { numeric: true }) : Number(a) - Number(b) || 0;
    const keyed = this.point.lines.filter(this.accept).map((line) => ({ line, value: value(line) }));
    keyed.sort((a, b) => (down ? -1 : 1) * compare(a.value, b.value) || a.line.rank - b.line.rank);
    this.shown = keyed.map(({ line }) => line);

    const share = this.point.lines.reduce((most, line) => Math.max(most, line.sample_share), 1);
    this.scale = { ...gainRange(this.point.lines, this.speedup), share };
    for (const [name, cell] of this.heads)
      cell.setAttribute("aria-sort", name !== key ? "none" : down ? "descending" : "ascending");
    const button = this.heads.get("gain")!.firstElementChild as HTMLButtonElement;
    fill(button, this.point.kind === "latency" ? "Latency shorter by" : "Program faster by");
    button.title = `If it took ${this.speedup} % less time; the bar's thin part is the 95 % interval`;
    this.grid.setAttribute("aria-rowcount", String(this.shown.length + 1));
    this.window = "";
    this.draw();
  }

  private draw(): void {
    const total = this.shown.length;
    const sight = Math.ceil(this.element.clientHeight / rowHeight);
    const top = Math.floor(this.element.scrollTop / rowHeight);
    const first = this.printing ? 0 : Math.max(0, Math.min(top - beyondSight, total - sight));
    const last = this.printing ? Math.min(total, printedRows) : Math.min(total, top + sight + beyondSight);
    const window = `${first} ${last}`;
    if (window === this.window) return;
    this.window = window;
    const rows: Node[] = [];
    if (first > 0) rows.push(this.spacer(first));
    for (let index = first; index < last; ++index) rows.push(this.row(this.shown[index]!, index));
    if (this.printing && last < total)
      rows.push(h("tr", {}, h("td", { colspan: 3, class: "nothing" }, `… and ${format.count(total - last)} more lines`)));
    else if (last < total) rows.push(this.spacer(total - last));
    if (total === 0) rows.push(h("tr", {}, h("td", { colspan: 3, class: "nothing" }, "Nothing matches the filter.")));
    fill(this.body, ...rows);
    const active = this.selected && this.shown.indexOf(this.selected);
    if (active !== undefined && active >= first && active < last) this.grid.setAttribute("aria-activedescendant", `row-${active}`);
    else this.grid.removeAttribute("aria-activedescendant");
  }

  private spacer(rows: number): HTMLElement {
    const cell = h("td");
    cell.style.height = `${rows * rowHeight}px`;
    return h("tr", { class: "spacer", "aria-hidden": "true" }, cell);
  }

  private row(line: Line, index: number): HTMLElement {
    const gain = gainAt(line, this.speedup);
    const selected = line === this.selected;
    return h(
      "tr",
      { id: `row-${index}`, "data-index": index, "data-verdict": line.verdict, "aria-rowindex": index + 2, "aria-selected": String(selected) },
      h("td", { class: "rank" }, String(line.rank)),
      h("td", { class: "verdict" }, verdictChip(line.verdict), line.contrast && h("small", { class: "contrast" }, line.contrast)),
      h("td", { class: "gain" }, ...this.gainCell(gain)),
      h("td", { class: "share" }, h("span", {}, format.share(line.sample_share), h("small", {}, " %")), this.shareBar(line.sample_share)),
      h("td", { class: "place", title: format.printable(`${line.file}:${line.line || line.function}`) },
        h("span", {}, h("b", {}, line.place), " ", h("span", { class: "function" }, line.name)),
        h("code", {}, line.source ? format.printable(line.source) : "")),
      h("td", { class: "experiments" }, format.count(line.experiments)),
    );
  }

  private gainCell(gain: Gain | undefined): Node[] {
    if (!gain) return [h("span", { class: "none" }, h("b", {}, format.none), h("small", {}, "not measured so far"))];
    const { low, high } = this.scale;
    const at = (x: number) => (100 * (Math.max(low, Math.min(high, x)) - low)) / (high - low);
    const between = (className: string, a: number, b: number) => {
      const part = h("i", { class: className });
      part.style.left = `${at(Math.min(a, b))}%`;
      part.style.width = `${at(Math.max(a, b)) - at(Math.min(a, b))}%`;
      return part;
    };
    return [
      h("span", {}, h("b", {}, format.signed(gain.gain), h("small", {}, " %")), h("small", {}, format.interval(gain))),
      h("span", { class: "bar", "aria-hidden": "true" },
        between(gain.gain < 0 ? "worse" : "better", 0, gain.gain), between("interval", gain.low, gain.high), between("zero", 0, 0)),
    ];
  }

  private shareBar(share: number): HTMLElement {
    const part = h("i", { class: "samples" });
    part.style.width = `${(100 * share) / this.scale.share}%`;
    return h("span", { class: "bar", "aria-hidden": "true" }, part);
  }

  private reveal(index: number): void {
    if (index < 0) return;
    const head = (this.grid.tHead as HTMLElement).offsetHeight;
    const top = index * rowHeight;
    const { element } = this;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + rowHeight + head > element.scrollTop + element.clientHeight)
      element.scrollTop = top + rowHeight + head - element.clientHeight;
  }

  private onKey(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(this.element.clientHeight / rowHeight) - 2);
    const steps: Record<string, number> = {
      ArrowDown: 1, ArrowUp: -1, j: 1, k: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity,
    };
    const step = steps[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey || this.shown.length === 0) return;
    event.preventDefault();
    const now = this.selected ? this.shown.indexOf(this.selected) : -1;
    this.select(this.shown[Math.max(0, Math.min(this.shown.length - 1, now + step))]);
  }
}
