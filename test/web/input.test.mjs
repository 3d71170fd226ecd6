//===- input.test.mjs - The view of input profiles ---------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The answer, the table, the charts of a routine and of all, two metrics, two modes in one
// profile, and names that would like to be code.
//
//===----------------------------------------------------------------------===//

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { inputs, jsonReport, makePage, open, writeProfile } from "./browser.mjs";
import { growingRoutines } from "./profiles.mjs";

const { page, troubles } = await open(makePage("input", writeProfile("input", growingRoutines())));

test("the root cause comes first, in words", async () => {
  const answer = await page.locator(".answer").textContent();
  assert.match(answer, /^dedupe \(dedupe\.cpp:40\) grows as n²: 9\d\.\d % of all cost would go if it grew like its input\./);
  assert.match(answer, /Slow by itself\. Its callers grow with it: work, main\./);
  assert.match(await page.locator(".detail h2").textContent(), /^dedupe/);
});

test("the table has each routine with its growth", async () => {
  const rows = page.locator(".routines tbody tr");
  assert.equal(await rows.count(), 4);
  assert.match(await rows.nth(0).textContent(), /n²root cause.*2\.00.*dedupe/);
  assert.equal(await rows.nth(0).getAttribute("data-growth"), "yes");
  const parse = page.locator(".routines tbody tr", { hasText: "parse" });
  assert.equal(await parse.getAttribute("data-growth"), "no");
  await parse.click();
  assert.match(await page.locator(".detail").textContent(), /A call's cost grows as n \(99 %\)\./);
  assert.match(await page.locator(".detail .facts").textContent(), /from outside50\.0 %/);
});

test("nothing is claimed of one input", async () => {
  await page.locator(".routines tbody tr", { hasText: "main" }).click();
  assert.match(await page.locator(".detail .says").first().textContent(), /not known: 1 input/);
});

test("the keyboard walks through the table, and the filter narrows it", async () => {
  await page.locator(".routines tbody tr").first().click();
  await page.locator(".routines").focus();
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.locator(".routines tr[aria-selected=true]").getAttribute("data-routine"), "1");
  await page.keyboard.press("/");
  await page.keyboard.type("n^2 ded");
  assert.equal(await page.locator(".routines tbody tr").count(), 1);
  await page.getByLabel("Filter routines").fill("");
});

test("the cost plot shows what stands at the cursor", async () => {
  await page.locator(".routines tbody tr", { hasText: "dedupe" }).click();
  const over = page.locator(".cost-plot .u-over").first();
  const box = await over.boundingBox();
  const seen = [];
  for (let x = 2; x < box.width; x += 3) {
    await page.mouse.move(box.x + x, box.y + box.height / 2);
    seen.push(await page.locator(".cost-plot .tip").first().textContent());
  }
  assert.ok(seen.some((text) => /input 15mean 725, worst 7251 call/.test(text)), seen.join("\n"));
  assert.ok(seen.some((text) => /n\^2: /.test(text)), "the fit between points");
});

test("scales are logarithmic on request, and worst cases go", async () => {
  const ink = () => page.locator(".cost-plot canvas").first().evaluate((canvas) => canvas.toDataURL());
  const log = await ink();
  await page.getByLabel("log/log").uncheck();
  const linear = await ink();
  assert.notEqual(linear, log);
  await page.getByLabel("log/log").check();
  await page.getByLabel("worst case").uncheck();
  assert.notEqual(await ink(), log);
});

test("the table of points has them all", async () => {
  await page.locator(".values summary").click();
  assert.equal(await page.locator(".values tbody tr").count(), 16);
  assert.deepEqual(await page.locator(".values tbody tr").nth(1).locator("td").allTextContents(), ["15", "1", "725", "725", "725", "3.8", "0"]);
});

test("routines stand by what they get from elsewhere", async () => {
  const over = page.locator(".split-plot .u-over");
  await over.scrollIntoViewIfNeeded();
  const box = await over.boundingBox();
  await page.mouse.move(box.x + box.width / 8, box.y + box.height / 2);
  assert.match(await page.locator(".split-plot .tip").textContent(), /^parseother threads 0\.0 %outside world 50\.0 %$/);
});

test("richness asks for a run of rms, and with one is drawn", async () => {
  assert.match(await page.locator(".runs").first().textContent(), /CAUSAL_OPTIONS=metric=rms/);
  const both = [...growingRoutines(), ...growingRoutines({ run: "r", metric: "rms" })];
  const other = await open(makePage("input-both", writeProfile("input-both", both)));
  const over = other.page.locator(".richness-plot .u-over");
  await over.scrollIntoViewIfNeeded();
  const box = await over.boundingBox();
  await other.page.mouse.move(box.x + 2, box.y + box.height / 2);
  // 16 inputs of trms, one of rms.
  assert.match(await other.page.locator(".richness-plot .tip").textContent(), /15 or morethis one: parse/);
  await other.page.locator(".routines tbody tr", { hasText: "parse" }).click();
  assert.match(await other.page.locator(".detail").textContent(), /for the first time alone \(rms\)/);
  assert.deepEqual(other.troubles, []);
  await other.page.close();
});

test("a profile of two modes has a tab for each", async () => {
  const file = writeProfile("input-causal", growingRoutines());
  writeFileSync(file, readFileSync(`${inputs}/pipeline.causal`, "utf8") + readFileSync(file, "utf8"));
  const { page, troubles } = await open(makePage("input-causal", file));
  assert.deepEqual(await page.getByRole("tab").allTextContents(), ["What to optimise", "How cost grows"]);
  assert.match(await page.locator("#view-causal .answer").textContent(), /^Optimise pipeline/);
  assert.equal(await page.locator("#view-input").isVisible(), false);
  await page.getByRole("tab", { name: "How cost grows" }).click();
  assert.equal(await page.locator("#view-causal").isVisible(), false);
  assert.match(await page.locator("#view-input .answer").textContent(), /^dedupe/);
  assert.ok(await page.locator("#view-input .cost-plot canvas").count() > 0);
  assert.deepEqual(troubles, []);
  await page.close();
});

test("names are text", async () => {
  const attack = '</script><img src=x onerror="window.pwned=1">\u202e';
  const records = growingRoutines().map((record) => (record.type === "routine" ? { ...record, name: `${record.id}${attack}`, file: attack } : record));
  const { page, troubles } = await open(makePage("input-hostile", writeProfile("input-hostile", records)));
  assert.equal(await page.evaluate(() => window.pwned), undefined);
  assert.equal(await page.locator("img").count(), 0);
  assert.ok(!(await page.locator("#app").textContent()).includes("\u202e"));
  assert.deepEqual(troubles, []);
  await page.close();
});

test("the page says what the JSON report says", async () => {
  const report = jsonReport(writeProfile("input-json", growingRoutines())).input;
  assert.equal(report.routines[report.causes[0].routine].name, "dedupe(list&)");
  assert.deepEqual(report.causes[0].callers.map((each) => report.routines[each.routine].name), ["work(list&)", "main"]);
  assert.equal(report.routines[0].points.length, 16);
});

test("nothing complains", () => assert.deepEqual(troubles, []));
