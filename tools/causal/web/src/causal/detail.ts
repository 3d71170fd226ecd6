//===- detail.ts - What is known of the selected line ------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In words, as a curve, as numbers and in the source.
//
//===----------------------------------------------------------------------===//

import { CurvePlot } from "./curve";
import { fill, h } from "../shell/dom";
import * as format from "../shell/format";
import { verdictChip } from "./list";
import { gainAt, type Line, type Point } from "./model";
import { SourceView } from "./source";

export class Detail {
  readonly element = h("section", { class: "detail", "aria-label": "Selected line" });
  readonly curve: CurvePlot;
  private readonly source: SourceView;
  private readonly head = h("div", { class: "detail-head" });
  private readonly facts = h("dl", { class: "facts" });
  private readonly reading = h("p", { class: "reading", "aria-live": "polite" });
  private readonly values = h("details", { class: "values" });

  constructor(onSelect: (line: Line) => void) {
    this.curve = new CurvePlot((text) => fill(this.reading, text));
    this.source = new SourceView(onSelect);
    const raw = h("input", { type: "checkbox", id: "raw", checked: true });
    raw.addEventListener("change", () => {
      this.curve.raw = raw.checked;
      this.curve.redraw();
    });
    fill(
      this.element,
      this.head,
      this.curve.element,
      h("div", { class: "plot-tools" },
        h("span", { class: "key" }, h("i", { class: "key-fit" }), "fit"),
        h("span", { class: "key" }, h("i", { class: "key-band" }), "95 % interval"),
        h("span", { class: "key" }, h("i", { class: "key-cell" }), "measured"),
        h("label", { class: "key", for: "raw" }, raw, "single experiments"),
        h("button", { type: "button", class: "reset", title: "Or double-click. Drag in the chart to zoom in", onclick: () => this.curve.resetZoom() }, "Reset zoom")),
      this.reading,
      this.facts,
      this.source.element,
      this.values,
    );
  }

  show(point: Point, line: Line | undefined, speedup: number): void {
    this.element.classList.toggle("empty", !line);
    if (!line) {
      fill(this.head, h("p", { class: "nothing" }, "Nothing is selected."));
      return;
    }
    fill(
      this.head,
      h("h2", {}, h("span", { class: "place" }, line.place), " ", h("span", { class: "function" }, line.name)),
      h("p", { class: "says" }, verdictChip(line.verdict), line.contrast && h("small", { class: "contrast" }, line.contrast), " ",
        format.sentence(line.sentence)),
      line.target === "section" && h("p", { class: "muted" }, "All that is done with the lock held that is taken in this line."),
      line.verdict === "slows down" && h("p", { class: "contention", role: "note" },
        "Contention: find out who waits for the lock, the queue or the cache line that this code feeds, before you make it faster."),
      line.contrast === "hot but useless" && h("p", { class: "contention", role: "note" },
        `It has ${format.share(line.sample_share)} % of the samples, but nothing waits for it: leave it alone.`),
    );
    this.curve.show(point, line);
    this.showFacts(line);
    this.source.show(point, line, speedup);
    this.showValues(line);
  }

  showSpeedup(point: Point, line: Line | undefined, speedup: number): void {
    if (line) this.source.show(point, line, speedup);
  }

  private showFacts(line: Line): void {
    const { helps, hurts, nothing } = line.probability;
    const percent = (p: number) => (p > 0.994 ? ">99 %" : p < 0.006 ? "<1 %" : `${Math.round(100 * p)} %`);
    const fact = (name: string, value: string, title?: string) => h("div", { title }, h("dt", {}, name), h("dd", {}, value));
    fill(
      this.facts,
      fact("Helps", percent(helps), "Probability that making it faster helps"),
      fact("Does nothing", percent(nothing), "Probability that it changes nothing worth having"),
      fact("Hurts", percent(hurts), "Probability that it makes things worse"),
      fact("Sure gain", line.bound > 0 ? `${format.signed(line.bound)} %` : "none", "Lower 95 % bound of the best gain: the ranking"),
      fact("Samples", `${format.share(line.sample_share)} %`, "Of all samples: what an ordinary profiler shows"),
      fact("Experiments", format.count(line.experiments)),
      fact("Visits", format.count(line.visits), "Of the progress point during them"),
      line.phase.status === "applied" && fact("Phase", `×${line.phase.factor.toFixed(2)}`,
        "The line runs only part of the time; effects are scaled to the whole run"),
      line.baseline === "line" && fact("Baseline", "its own", "Where it runs, the program seems not to be as it is elsewhere"),
    );
  }

  /// The chart as a table.
  private showValues(line: Line): void {
    const row = (cells: string[]) => h("tr", {}, ...cells.map((text, i) => (i ? h("td", {}, text) : h("th", { scope: "row" }, text))));
    const table = (caption: string, heads: string[], rows: string[][]) =>
      h("table", {}, h("caption", {}, caption),
        h("thead", {}, h("tr", {}, ...heads.map((text) => h("th", { scope: "col" }, text)))),
        h("tbody", {}, ...rows.map(row)));
    const predicted = [];
    for (let speedup = 10; speedup <= 100; speedup += 10) {
      const gain = gainAt(line, speedup);
      if (gain) predicted.push([`${speedup} %`, format.signed(gain.gain), format.interval(gain)]);
    }
    fill(
      this.values,
      h("summary", {}, "All values"),
      table("Predicted", ["made faster by", "gain, %", "95 % interval"], predicted),
      !line.cells ? h("p", { class: "muted" }, "What was measured is left out of this page for the last of so many lines; causal report --line= has it.") :
      table("Measured", ["made faster by", "gain, %", "95 % interval", "experiments", "visits"],
        line.cells.map((cell) => [`${cell.line_speedup} %`, format.signed(cell.gain), format.interval(cell),
          format.count(cell.experiments), format.count(cell.visits)])),
    );
  }
}
