//===- main.ts - The page of the HTML report ---------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the report out of the page, and shows the views of the modes that it holds:
// one alone, or one at a time behind tabs. A mode adds its view to `views`.
//
//===----------------------------------------------------------------------===//

import type { Report } from "../causal/model";
import { causalView } from "../causal/view";
import { instructionsView } from "../continuous/instructions";
import { cpuView } from "../cpu/view";
import { inputView } from "../input/view";
import { fill, h } from "./dom";
import * as header from "./header";
import { ThemeSwitch } from "./theme";
import type { Mounted, View } from "./view";

const views: View[] = [causalView, cpuView, inputView, instructionsView];

interface Shown {
  tab: HTMLElement;
  element: HTMLElement;
  mounted: Mounted;
}

async function load(element: HTMLElement): Promise<Report> {
  const text = element.textContent ?? "";
  if (element.dataset.encoding !== "deflate") return JSON.parse(text);
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(plain).json();
}

function chosenViews(report: Report): View[] {
  const others = views.filter((view) => view !== causalView && view.holds(report, false));
  return causalView.holds(report, others.length > 0) ? [causalView, ...others] : others;
}

function show(report: Report, root: HTMLElement): void {
  const controls = h("div", { class: "view-controls" });
  const tabs = h("nav", { class: "tabs", role: "tablist", "aria-label": "What the profile holds" });
  const all: Shown[] = [];
  let current: Shown | undefined;
  const theme = new ThemeSwitch((printing) => current?.mounted.repaint?.(printing));
  const choose = (chosen: Shown) => {
    current = chosen;
    for (const each of all) {
      each.element.hidden = each !== chosen;
      each.tab.setAttribute("aria-selected", String(each === chosen));
    }
    fill(controls, chosen.mounted.controls);
    chosen.mounted.repaint?.(false);
    chosen.mounted.activate?.();
  };
  const chosen = chosenViews(report);
  fill(root,
    h("header", {},
      h("h1", {}, header.programName(report)), h("p", { class: "run-line" }, header.runLine(report)),
      h("div", { class: "controls" }, controls, theme.element)),
    chosen.length > 1 && tabs);
  for (const view of chosen) {
    const element = h("div", { class: `view view-${view.mode}`, id: `view-${view.mode}`, ...(chosen.length > 1 && { role: "tabpanel", "aria-label": view.title }) });
    root.append(element); // Mounted in the page, where it has a size.
    const each: Shown = {
      element, mounted: view.mount(element, report),
      tab: h("button", { type: "button", role: "tab", "aria-controls": element.id, onclick: () => choose(each) }, view.title),
    };
    tabs.append(each.tab);
    all.push(each);
  }
  if (all[0]) choose(all[0]);
}

async function start(): Promise<void> {
  const root = document.getElementById("app")!;
  try {
    const report = await load(document.getElementById("profile")!);
    document.title = `${header.programName(report)} – causal profile`;
    show(report, root);
  } catch (error) {
    fill(root, h("section", { class: "answer", role: "alert" },
      h("p", { class: "lead" }, "The profile in this page cannot be read."),
      h("p", { class: "says" }, `${error}. Was the file cut off? Make it again with causal report --html.`)));
  }
}

void start();
