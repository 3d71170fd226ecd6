//===- instructions-model.ts - What `causal db calc` computed -----------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As db/InstructionReport.cpp writes it.
//
//===----------------------------------------------------------------------===//

export interface Culprit {
  cause: string;
  name: string;
  verdict: "found" | "possible" | "ruled out";
  test: string;
  low: number;
  high: number;
}

export type Cycles = [value: number, low: number, high: number] | null;

export interface Instruction {
  at: number;
  text: string;
  samples: number;
  cycles: Cycles;
  file?: string;
  line?: number;
  stall?: number;
  foreseen?: number;
  culprits?: Culprit[];
  unexplained?: [low: number, high: number];
}

export interface Block {
  at: number;
  samples: number;
  executions: number;
  grade: string;
  best: number;
  actual: Cycles;
  imbalance: number;
  edges: { to: number; executions: number; grade: string }[];
  instructions: Instruction[];
}

export interface Procedure {
  name: string;
  at: number;
  samples: number;
  share: number;
  shifted: boolean;
  notes: string[];
  blocks: Block[];
}

export interface Instructions {
  program: string;
  cpu: string;
  ghz: number;
  period_ns: number;
  procedures: Procedure[];
}

export function address(at: number): string {
  return `0x${at.toString(16)}`;
}

export function executionsText(block: { executions: number; grade: string }): string {
  const n = block.executions;
  return `${n >= 1e6 ? n.toPrecision(4).replace(/e\+?/, "e") : n < 10 ? n.toFixed(1) : Math.round(n).toString()} ${block.grade}`;
}

/// Letters of what was found, in brackets of what is possible, "?" of what stays unexplained.
export function blame(instruction: Instruction): string {
  if (instruction.stall === undefined) return "";
  const letters = (verdict: Culprit["verdict"]) => (instruction.culprits ?? []).filter((c) => c.verdict === verdict).map((c) => c.cause).join("");
  const possible = letters("possible");
  const unknown = (instruction.unexplained?.[0] ?? 0) > 0.25 * instruction.stall ? "?" : "";
  return letters("found") + (possible && `(${possible})`) + unknown;
}

/// Cycles of all executions together.
export function timeOf(block: Block, instruction: Instruction): number {
  return (instruction.cycles?.[0] ?? 0) * block.executions;
}

/// Cycles an instruction, at best and in fact.
export function rates(procedure: Procedure): { best: number; actual: number } {
  let best = 0, actual = 0, count = 0;
  for (const block of procedure.blocks) {
    if (!block.actual) continue;
    best += block.best * block.executions;
    actual += block.actual[0] * block.executions;
    count += block.instructions.length * block.executions;
  }
  return { best: count ? best / count : 0, actual: count ? actual / count : 0 };
}
