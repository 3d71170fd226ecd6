//===- flow.ts - The control flow of a function -------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks stand under each other as in memory. Darker: more time. Edges that lead on are at
// the right, those that lead back at the left; thicker: more often.
//
//===----------------------------------------------------------------------===//

import { fill, h } from "../shell/dom";
import { address, executionsText, type Procedure } from "./instructions-model";

const svgSpace = "http://www.w3.org/2000/svg";
const boxWidth = 210, boxHeight = 34, gap = 14, margin = 90;
const mostBlocks = 120;

function svg(tag: string, attributes: Record<string, string | number>, ...children: (Node | string)[]): SVGElement {
  const element = document.createElementNS(svgSpace, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

export function drawFlow(procedure: Procedure, onChoose: (block: number) => void): HTMLElement {
  // What never ran is left out.
  const shown = procedure.blocks.map((block, index) => ({ block, index }))
    .filter(({ block }) => block.instructions.length > 0 && (block.executions > 0 || block.samples > 0)).slice(0, mostBlocks);
  const rowOf = new Map(shown.map(({ index }, row) => [index, row]));
  const most = Math.max(1, ...shown.map(({ block }) => block.samples));
  const often = Math.max(1, ...shown.flatMap(({ block }) => block.edges.map((e) => e.executions)));
  const top = (row: number) => 6 + row * (boxHeight + gap);
  const height = top(shown.length) + 6, width = boxWidth + 2 * margin;
  const edges: SVGElement[] = [], boxes: SVGElement[] = [];
  /// An edge goes through blocks that were optimised away.
  const target = (to: number): number | undefined => {
    for (let hops = 0; hops < procedure.blocks.length && !rowOf.has(to); ++hops) {
      const next = procedure.blocks[to];
      if (!next || next.instructions.length > 0 || next.edges.length !== 1) return undefined;
      to = next.edges[0]!.to;
    }
    return rowOf.get(to);
  };
  shown.forEach(({ block, index }, row) => {
    for (const edge of block.edges) {
      const to = target(edge.to);
      if (to === undefined || edge.executions <= 0) continue;
      const thick = 0.75 + 3.25 * Math.sqrt(edge.executions / often);
      const title = svg("title", {}, `${address(block.at)} → ${address(shown[to]!.block.at)}: ${executionsText(edge)}`);
      let path: string;
      if (to === row + 1) {
        const x = margin + boxWidth / 2;
        path = `M${x},${top(row) + boxHeight} L${x},${top(to)}`;
      } else {
        const back = to <= row, side = back ? margin : margin + boxWidth;
        const reach = Math.min(margin - 8, 14 + 6 * Math.abs(to - row)) * (back ? -1 : 1);
        const y0 = top(row) + boxHeight * 0.7, y1 = top(to) + boxHeight * 0.3;
        path = `M${side},${y0} C${side + reach},${y0} ${side + reach},${y1} ${side},${y1}`;
      }
      edges.push(svg("path", { d: path, "stroke-width": thick.toFixed(2), class: "flow-edge", "marker-end": "url(#flow-arrow)" }, title));
    }
    const actual = block.actual ? `${(block.actual[0] / block.instructions.length).toFixed(2)} CPI` : "";
    const box = svg("g", { class: "flow-block", tabindex: 0, role: "button", "data-block": index, "aria-label": `Block ${address(block.at)}` },
      svg("rect", { x: margin, y: top(row), width: boxWidth, height: boxHeight, rx: 4, style: `--heat: ${(100 * block.samples / most).toFixed(0)}%` }),
      svg("text", { x: margin + 8, y: top(row) + 14 }, `${address(block.at)}  ${executionsText(block)}`),
      svg("text", { x: margin + 8, y: top(row) + 28, class: "flow-rate" }, `best ${(block.best / block.instructions.length).toFixed(2)}  actual ${actual}`));
    box.addEventListener("click", () => onChoose(index));
    box.addEventListener("keydown", (event) => { if ((event as KeyboardEvent).key === "Enter") onChoose(index); });
    boxes.push(box);
  });
  const arrow = svg("marker", { id: "flow-arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, markerUnits: "userSpaceOnUse", orient: "auto" },
    svg("path", { d: "M0,0 L8,4 L0,8 Z", class: "flow-head" }));
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": `Control flow of ${procedure.name}` },
    svg("defs", {}, arrow), ...edges, ...boxes);
  const element = h("div", { class: "flow" });
  fill(element, picture, shown.length === mostBlocks && h("p", { class: "muted" }, `Only the first ${mostBlocks} blocks that ran are drawn.`));
  return element;
}
