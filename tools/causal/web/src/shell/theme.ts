//===- theme.ts - Light and dark ---------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As the system says, until the reader says otherwise; paper is always light.
//
//===----------------------------------------------------------------------===//

import { h } from "./dom";

type Theme = "light" | "dark";
const dark = matchMedia("(prefers-color-scheme: dark)");
const paper = matchMedia("print");

export class ThemeSwitch {
  readonly element = h("button", { type: "button", class: "theme", onclick: () => this.choose(this.now() === "dark" ? "light" : "dark") });
  private chosen: Theme | undefined;
  private printing = false;

  /// `changed` redraws what does not follow the style sheet by itself.
  constructor(private readonly changed: (printing: boolean) => void) {
    dark.addEventListener("change", () => this.apply());
    paper.addEventListener("change", () => this.print(paper.matches));
    addEventListener("beforeprint", () => this.print(true));
    addEventListener("afterprint", () => this.print(false));
    this.apply();
  }

  private now(): Theme {
    return this.printing ? "light" : this.chosen ?? (dark.matches ? "dark" : "light");
  }

  private choose(theme: Theme): void {
    this.chosen = theme;
    this.apply();
  }

  private print(printing: boolean): void {
    if (printing === this.printing) return;
    this.printing = printing;
    this.apply();
  }

  private apply(): void {
    document.documentElement.dataset.theme = this.now();
    const other = this.now() === "dark" ? "light" : "dark";
    this.element.textContent = other === "dark" ? "☾" : "☀";
    this.element.title = `Use ${other} colours`;
    this.element.setAttribute("aria-label", this.element.title);
    this.changed(this.printing);
  }
}
