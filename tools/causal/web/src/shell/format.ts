//===- format.ts - Numbers and names as people read them ---------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same forms as the text report.
//
//===----------------------------------------------------------------------===//

import type { Gain } from "../causal/model";

/// Nothing measured there.
export const none = "–";

export function signed(percent: number): string {
  const text = Math.abs(percent).toFixed(1);
  return text === "0.0" ? "0.0" : (percent < 0 ? "−" : "+") + text;
}

export function interval(gain: Gain): string {
  return `${signed(gain.low)} to ${signed(gain.high)}`;
}

export function share(percent: number): string {
  return percent > 0 && percent < 0.1 ? "<0.1" : percent.toFixed(1);
}

export function count(n: number): string {
  return Math.round(n).toLocaleString("en").replaceAll(",", "\u202f");
}

export function plural(n: number, what: string): string {
  return `${count(n)} ${what}${n === 1 ? "" : "s"}`;
}

export function time(ns: number): string {
  if (ns >= 7200e9) return `${Number((ns / 3600e9).toPrecision(3))} h`;
  if (ns >= 120e9) return `${Number((ns / 60e9).toPrecision(3))} min`;
  for (const [unit, size] of [["s", 1e9], ["ms", 1e6], ["µs", 1e3]] as const)
    if (ns >= size) return `${Number((ns / size).toPrecision(3))} ${unit}`;
  return `${Number(ns.toPrecision(3))} ns`;
}

/// "2026-11-21 13:45" of the reader's time zone.
export function date(ns: number): string {
  const at = new Date(ns / 1e6);
  const two = (n: number) => String(n).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");
}

/// Control characters and marks that turn the direction of text, made visible.
export function printable(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
}

/// For each path the shortest trailing part that no other path ends in.
export function shortNames(paths: Iterable<string>): Map<string, string> {
  const all = new Set(paths);
  // Of a group, of each of its paths. A comma without a line before it is a directory's.
  const tail = (path: string, parts: number) =>
    path.split(/(?<=:[^/]*),/).map((each) => each.split("/").slice(-parts).join("/")).join(",");
  const result = new Map<string, string>();
  let open = [...all];
  for (let parts = 1; open.length > 0; ++parts) {
    const users = new Map<string, number>();
    for (const path of all) users.set(tail(path, parts), (users.get(tail(path, parts)) ?? 0) + 1);
    const left = [];
    for (const path of open) {
      const name = tail(path, parts);
      if (users.get(name) === 1 || name === path) result.set(path, name);
      else left.push(path);
    }
    open = left;
  }
  return result;
}
