//===- curve.test.mjs - The speedup curve ------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hover, arrow keys, zoom, and the table that says the same.
//
//===----------------------------------------------------------------------===//

import assert from "node:assert/strict";
import { test } from "node:test";
import { inputs, jsonReport, makePage, open } from "./browser.mjs";

const profile = `${inputs}/pipeline.causal`;
const { page, troubles } = await open(makePage("curve", profile));
const line = jsonReport(profile).points[0].lines[0];
// The page has three decimals, which it rounds again.
const signed = (x) => (x < 0 ? "−" : "+") + Math.abs(Number(x.toFixed(3))).toFixed(1);
const over = page.locator(".detail .u-over");
const box = await over.boundingBox();
const hover = (percent) => page.mouse.move(box.x + (box.width * percent) / 100, box.y + box.height / 2);

test("hover shows the values of the curve", async () => {
  await hover(75);
  const there = line.curve.find((point) => point.line_speedup === 75);
  const tip = await page.locator(".detail .tip").textContent();
  assert.ok(tip.includes(`${signed(there.gain)} % faster program`), tip);
  assert.ok(tip.includes(`${signed(there.low)} to ${signed(there.high)}`), tip);
  const cell = line.cells.find((each) => each.line_speedup === 75);
  assert.ok(tip.includes(`measured ${signed(cell.gain)}`), tip);
  await page.mouse.move(0, 0);
  assert.equal(await page.locator(".detail .tip").isVisible(), false);
});

test("arrow keys read it aloud", async () => {
  await page.locator(".detail .plot").focus();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  const there = line.curve.find((point) => point.line_speedup === 95);
  const reading = page.locator(".reading[aria-live=polite]");
  assert.equal(await reading.textContent(),
    `95 % less time in the line: ${signed(there.gain)} % faster program (95 %: ${signed(there.low)} to ${signed(there.high)})`);
});

test("dragging zooms in, the button out", async () => {
  const tipAt = async (percent) => {
    await hover(percent);
    return (await page.locator(".detail .tip").textContent()).match(/line (\d+) % faster/)[1];
  };
  assert.equal(await tipAt(50), "50");
  await hover(60);
  await page.mouse.down();
  await hover(80);
  await page.mouse.up();
  assert.equal(await tipAt(50), "70");
  assert.ok(["79", "80"].includes(await tipAt(99)));
  await page.getByRole("button", { name: "Reset zoom" }).click();
  assert.equal(await tipAt(80), "80");
  assert.equal(await tipAt(50), "50");
});

test("the table has every measured cell", async () => {
  await page.locator("summary").click();
  const rows = page.locator(".values table").nth(1).locator("tbody tr");
  assert.equal(await rows.count(), line.cells.length);
  for (const [index, cell] of line.cells.entries()) {
    const texts = await rows.nth(index).locator("th, td").allTextContents();
    const [speedup, gain, low, high, experiments, visits] = texts.flatMap((text) => text.split(" to ")).map((text) =>
      Number(text.replace("−", "-").replace(/[ %\u202f]/g, "")));
    assert.deepEqual([speedup, experiments, visits], [cell.line_speedup, cell.experiments, Math.round(cell.visits)]);
    for (const [shown, real] of [[gain, cell.gain], [low, cell.low], [high, cell.high]]) assert.ok(Math.abs(shown - real) < 0.06);
  }
});

test("single experiments can be hidden", async () => {
  const ink = () => page.locator(".detail canvas").evaluate((canvas) => canvas.toDataURL());
  const before = await ink();
  await page.getByLabel("single experiments").uncheck();
  assert.notEqual(await ink(), before);
});

test("a mark of samples against impact selects its line", async () => {
  const map = await page.locator(".map .u-over").boundingBox();
  const share = line.sample_share / (1.08 * line.sample_share);
  let tip = "";
  for (let y = 4; y < map.height && !tip.includes("pipeline.cpp:31"); y += 8) {
    await page.mouse.move(map.x + map.width * share, map.y + y);
    tip = await page.locator(".map .tip").textContent();
  }
  assert.match(tip, /pipeline\.cpp:31/);
  await page.locator("#row-2").click();
  await page.mouse.move(map.x + map.width * share, map.y + 4);
  assert.match(await page.locator(".detail h2").textContent(), /BoundedQueue/);
});

test("nothing complains", () => assert.deepEqual(troubles, []));
