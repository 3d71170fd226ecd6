//===- instructions.ts - Functions by instruction -----------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hot functions at the left; of the chosen one the control flow, and each instruction with
// its frequency, cycles, stall and culprits. What was tested is said with each culprit.
//
//===----------------------------------------------------------------------===//

import type { Report } from "../causal/model";
import { fill, h } from "../shell/dom";
import * as format from "../shell/format";
import type { Mounted, View } from "../shell/view";
import { drawFlow } from "./flow";
import { address, blame, executionsText, rates, timeOf, type Block, type Instruction, type Instructions, type Procedure } from "./instructions-model";

function instructionsOf(report: Report): Instructions | undefined {
  return (report as Report & { instructions?: Instructions }).instructions;
}

class InstructionsView implements Mounted {
  readonly controls = null;
  private readonly detail = h("div", { class: "instruction-detail" });
  private readonly rows: HTMLElement[];

  constructor(private readonly all: Instructions, root: HTMLElement) {
    this.rows = all.procedures.map((procedure) => {
      const { best, actual } = rates(procedure);
      const row = h("tr", { tabindex: 0, role: "row", onclick: () => this.choose(procedure) },
        h("td", { class: "number" }, (100 * procedure.share).toFixed(1)), h("td", { class: "number" }, best.toFixed(2)),
        h("td", { class: "number" }, actual.toFixed(2)), h("td", { class: "name" }, format.printable(procedure.name)));
      row.addEventListener("keydown", (event) => { if (event.key === "Enter") this.choose(procedure); });
      return row;
    });
    const heads = ["% of samples", "best CPI", "actual CPI", "function"];
    fill(root,
      h("section", { class: "answer" },
        h("p", { class: "lead" }, "Why each instruction takes its time, in ", h("b", {}, format.printable(all.program)), "."),
        h("p", { class: "says" }, `Scheduled for ${format.printable(all.cpu)} at ${all.ghz.toFixed(2)} GHz. Frequencies: X counted, M bounded by counts, L estimated from samples alone. `
          + "Culprits: letters were found, those in brackets are possible, ? is unexplained.")),
      h("main", { class: "instruction-view" },
        h("div", { class: "wide" }, h("table", { class: "procedures", "aria-label": "Functions, most samples first" },
          h("thead", {}, h("tr", {}, ...heads.map((text) => h("th", { scope: "col" }, text)))), h("tbody", {}, ...this.rows))),
        this.detail));
    if (all.procedures[0]) this.choose(all.procedures[0]);
  }

  private choose(procedure: Procedure): void {
    this.all.procedures.forEach((each, i) => this.rows[i]!.setAttribute("aria-selected", String(each === procedure)));
    const most = Math.max(1e-9, ...procedure.blocks.flatMap((b) => b.instructions.map((i) => timeOf(b, i))));
    const body = h("tbody");
    let last = "";
    procedure.blocks.forEach((block, index) => {
      block.instructions.forEach((instruction, i) => {
        const place = instruction.line ? `${instruction.file!.slice(instruction.file!.lastIndexOf("/") + 1)}:${instruction.line}` : "";
        if (place && place !== last) {
          body.append(h("tr", { class: "source-line" }, h("td", { colspan: 6 }, format.printable(place))));
          last = place;
        }
        body.append(...this.instructionRows(block, index, instruction, i === 0, most));
      });
    });
    const heads = ["address", "samples", "executions", "cycles", "culprits", "instruction"];
    const table = h("table", { class: "instructions", "aria-label": `Instructions of ${procedure.name}` },
      h("thead", {}, h("tr", {}, ...heads.map((text) => h("th", { scope: "col" }, text)))), body);
    fill(this.detail,
      h("h2", {}, format.printable(procedure.name)),
      ...procedure.notes.map((note) => h("p", { class: "muted" }, `Note: ${format.printable(note)}`)),
      h("div", { class: "instruction-columns" },
        drawFlow(procedure, (block) => body.querySelector(`[data-of="${block}"]`)?.scrollIntoView({ block: "center" })),
        h("div", { class: "wide" }, table)));
  }

  private instructionRows(block: Block, index: number, instruction: Instruction, first: boolean, most: number): HTMLElement[] {
    const cycles = instruction.cycles;
    const bar = h("span", { class: "stall-bar", style: `width: ${(60 * timeOf(block, instruction) / most).toFixed(1)}px` });
    const letters = blame(instruction);
    const row = h("tr", { ...(first && { "data-of": index, class: "block-begin" }), ...(letters && { class: first ? "block-begin stalled" : "stalled" }) },
      h("td", { class: "code" }, address(instruction.at)), h("td", { class: "number" }, instruction.samples.toFixed(1)),
      h("td", { class: "number" }, first ? executionsText(block) : ""),
      h("td", { class: "number", title: cycles ? `95 %: ${cycles[1].toFixed(2)} to ${cycles[2].toFixed(2)}` : "" }, cycles ? cycles[0].toFixed(2) : "", bar),
      h("td", { class: "code blame" }, letters), h("td", { class: "code" }, format.printable(instruction.text)));
    if (instruction.stall === undefined) return [row];
    const says = (instruction.culprits ?? []).map((c) => h("li", { class: c.verdict.replace(" ", "-") },
      h("b", {}, `${c.cause} ${c.name}`), c.verdict === "ruled out" ? " is ruled out" : `${c.verdict === "possible" ? " is possible" : ""}, ${c.low.toFixed(1)} to ${c.high.toFixed(1)} cycles`,
      `: ${format.printable(c.test)}`));
    const [low, high] = instruction.unexplained ?? [0, 0];
    const why = h("tr", { class: "why", hidden: true }, h("td", { colspan: 6 },
      `${instruction.stall.toFixed(1)} cycles of stall, ${(instruction.foreseen ?? 0).toFixed(1)} of them foreseen by the model`,
      h("ul", {}, ...says, high > 0.05 && h("li", {}, h("b", {}, "? unexplained"), `, ${low.toFixed(1)} to ${high.toFixed(1)} cycles`))));
    const toggle = () => { why.hidden = !why.hidden; row.setAttribute("aria-expanded", String(!why.hidden)); };
    row.setAttribute("tabindex", "0");
    row.setAttribute("aria-expanded", "false");
    row.addEventListener("click", toggle);
    row.addEventListener("keydown", (event) => { if (event.key === "Enter") toggle(); });
    return [row, why];
  }
}

export const instructionsView: View = {
  mode: "instructions",
  title: "By instruction",
  holds: (report) => (instructionsOf(report)?.procedures.length ?? 0) > 0,
  mount: (element, report) => new InstructionsView(instructionsOf(report)!, element),
};
