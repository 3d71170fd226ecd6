//===- d3-flame-graph.d.ts - The part of it that the page uses -------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

declare module "d3-flame-graph" {
  export interface FlameNode {
    data: unknown;
    value: number;
    highlight?: boolean;
  }
  export interface FlameGraph {
    width(pixels: number): this;
    cellHeight(pixels: number): this;
    minFrameSize(pixels: number): this;
    transitionDuration(ms: number): this;
    inverted(isSo: boolean): this;
    resetHeightOnZoom(isSo: boolean): this;
    getName(name: (node: FlameNode) => string): this;
    setLabelHandler(text: (node: FlameNode) => string): this;
    setColorMapper(color: (node: FlameNode, original: string) => string): this;
    onClick(handle: (node: FlameNode) => void): this;
    onHover(handle: (node: FlameNode) => void): this;
    setSearchMatch(matches: (node: FlameNode, term: string) => boolean): this;
    setSearchHandler(handle: () => void): this;
    search(term: string): void;
    clear(): void;
    resetZoom(): void;
    destroy(): this;
  }
  export default function flamegraph(): FlameGraph;
}

declare module "d3-selection" {
  interface Selection {
    datum(data: object): Selection;
    call(what: never): Selection;
  }
  export function select(element: Element): Selection;
  export const selection: { prototype: Record<string, unknown> };
}
