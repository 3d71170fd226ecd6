//===- view.ts - A part of the page -------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One view for each mode of a profile. The shell (main.ts) lists them, mounts those
// that the report holds, and shows one at a time. A view knows no other view.
//
//===----------------------------------------------------------------------===//

import type { Report } from "../causal/model";

/// What the shell asks of a view that is on the page.
export interface Mounted {
  /// Stands in the page's header while the view is shown.
  readonly controls?: HTMLElement | null;
  /// Draws anew what does not follow the style sheet by itself: after a change of theme, width
  /// or what is shown.
  repaint?(printing: boolean): void;
  /// It has come into sight.
  activate?(): void;
}

export interface View {
  readonly mode: string;
  readonly title: string;
  /// Whether the report has something for it; `others`: some other view has.
  holds(report: Report, others: boolean): boolean;
  mount(element: HTMLElement, report: Report): Mounted;
}
