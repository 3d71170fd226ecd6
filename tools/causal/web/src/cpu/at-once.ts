//===- at-once.ts - Changes without animation ---------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stands for d3-transition in the bundle (build.mjs): what d3-flame-graph changes in
// the course of time is changed at once. Nobody waits for boxes to move, and the page
// is 14 KB smaller.
//
//===----------------------------------------------------------------------===//

import { selection } from "d3-selection";

interface Changes {
  attr(name: string, value: unknown): unknown;
  text(value: unknown): unknown;
}

class AtOnce {
  constructor(private readonly on: Changes) {}
  delay(): this {
    return this;
  }
  duration(): this {
    return this;
  }
  ease(): this {
    return this;
  }
  attr(name: string, value: unknown): this {
    this.on.attr(name, value);
    return this;
  }
  text(value: unknown): this {
    this.on.text(value);
    return this;
  }
}

selection.prototype.transition = function (this: Changes) {
  return new AtOnce(this);
};
