//===- list.test.mjs - The ranked list ---------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Five thousand lines: sorting, filtering, keys, and that the work of drawing does
// not grow with their number.
//
//===----------------------------------------------------------------------===//

import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { test } from "node:test";
import { makePage, open, writeProfile } from "./browser.mjs";
import { manyLines, nothingSure } from "./profiles.mjs";

const total = 5000;
const file = makePage("list", writeProfile("list", manyLines(total)));
const { page, troubles } = await open(file);
const rows = page.locator(".ranked tbody tr[data-index]");
const column = (name) => page.locator(`.ranked tbody td.${name}`).allTextContents();
const heading = (name) => page.locator(`.ranked th.${name}`);

test("bars compare what may be gained where nothing is sure", async () => {
  const { page: unsure, troubles: others } = await open(makePage("unsure", writeProfile("unsure", nothingSure())));
  assert.deepEqual(await unsure.locator(".ranked td.verdict").allTextContents().then((all) => all.map((text) => text.replace(/\W/g, ""))),
    ["unclear", "noeffect", "noeffect"]);
  const [hot, cold] = await unsure.locator(".ranked .bar .better").evaluateAll((bars) => bars.map((bar) => parseFloat(bar.style.width)));
  assert.ok(hot > 10 * cold, `${hot} % and ${cold} %`);
  assert.match(await unsure.locator(".counted").textContent(), /known to ±2 points after about \d/);
  assert.deepEqual(others, []);
  await unsure.close();
});

test("the page is small and has few rows of many", async () => {
  assert.ok(statSync(file).size < 2e6, `${statSync(file).size} bytes`);
  assert.equal(await page.getByRole("grid").getAttribute("aria-rowcount"), String(total + 1));
  assert.ok((await rows.count()) < 60);
  assert.match(await page.locator(".counted").textContent(), /5\u202f000 of 5\u202f000 lines/);
});

test("scrolling draws what is in sight, and no more", async () => {
  const scroll = page.locator(".scroll");
  for (const part of [0.2, 0.5, 0.9, 1]) {
    await scroll.evaluate((element, at) => element.scrollTo(0, at * element.scrollHeight), part);
    await page.waitForFunction((wanted) => {
      const view = document.querySelector(".scroll");
      const seen = [...document.querySelectorAll(".ranked tr[data-index]")].filter((row) => {
        const { top } = row.getBoundingClientRect();
        return top > view.getBoundingClientRect().top && top < view.getBoundingClientRect().bottom;
      });
      return seen.length > 3 && Math.abs(Number(seen[0].dataset.index) / wanted - 1) < 0.05;
    }, part * total);
    assert.ok((await rows.count()) < 60);
    assert.ok((await page.locator("*").count()) < 3000);
  }
});

test("headings sort, and say so", async () => {
  await heading("share").getByRole("button").click();
  assert.equal(await heading("share").getAttribute("aria-sort"), "descending");
  const down = (await column("share")).map(parseFloat);
  assert.deepEqual(down, [...down].sort((a, b) => b - a));
  await heading("place").getByRole("button").click();
  assert.equal(await heading("place").getAttribute("aria-sort"), "ascending");
  assert.equal(await heading("share").getAttribute("aria-sort"), "none");
  const numbers = (await page.locator(".ranked td.place b").allTextContents()).map((text) => Number(text.split(":")[1]));
  assert.deepEqual(numbers, [...numbers].sort((a, b) => a - b));
  await heading("rank").getByRole("button").click();
  assert.equal((await column("rank"))[0], "1");
});

test("what a line would gain follows the chosen speedup", async () => {
  const first = async () => parseFloat((await column("gain"))[0]);
  const half = await first();
  await page.getByRole("radio", { name: "25 %" }).check({ force: true });
  const quarter = await first();
  assert.ok(quarter > 0 && quarter < 0.7 * half, `${quarter} at 25 %, ${half} at 50 %`);
  await page.getByRole("radio", { name: "50 %" }).check({ force: true });
});

test("keys move through it", async () => {
  const grid = page.getByRole("grid");
  const active = () => grid.getAttribute("aria-activedescendant");
  await grid.focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  assert.equal(await active(), "row-2");
  const place = await page.locator("#row-2 td.place b").textContent();
  assert.ok((await page.locator(".detail h2").textContent()).startsWith(place));
  assert.equal(await page.locator("#row-2").getAttribute("aria-selected"), "true");
  await page.keyboard.press("End");
  assert.equal(await active(), `row-${total - 1}`);
  assert.ok(await page.locator(`#row-${total - 1}`).isVisible());
  await page.keyboard.press("PageUp");
  await page.keyboard.press("ArrowUp");
  assert.notEqual(await active(), `row-${total - 1}`);
});

test("the filter finds by file, function and code", async () => {
  await page.keyboard.press("/");
  await page.keyboard.type("work4321");
  assert.equal(await rows.count(), 1);
  assert.match(await page.locator(".detail h2").textContent(), /work4321/);
  assert.match(await page.locator(".counted").textContent(), /^1 of/);
  await page.keyboard.type("nowhere");
  assert.match(await page.locator(".ranked tbody").textContent(), /Nothing matches/);
  await page.keyboard.press("Escape");
  assert.equal(await page.getByRole("searchbox").inputValue(), "");
  assert.ok((await rows.count()) > 5);
  await page.keyboard.press("Home");
  assert.equal(await page.getByRole("grid").getAttribute("aria-activedescendant"), "row-0");
});

test("verdicts can be hidden", async () => {
  const hide = page.locator('.chips button[data-verdict="no effect"]');
  await hide.click({ timeout: 5000 });
  assert.equal(await hide.getAttribute("aria-pressed"), "false");
  assert.equal((await column("verdict")).filter((text) => text.includes("no effect")).length, 0);
  await hide.click({ timeout: 5000 });
});

test("heat and impact that disagree are named", async () => {
  const lists = page.locator(".contrasts > div");
  assert.match(await lists.nth(0).textContent(), /Cold but decisive.*work1 /);
  assert.match(await lists.nth(1).textContent(), /Hot but useless.*work2 /);
  assert.match(await lists.nth(2).textContent(), /Contention.*work3 /);
  await lists.nth(2).getByRole("button").first().click();
  assert.match(await page.locator(".detail .contention").textContent(), /^Contention: .*who waits/);
});

test("nothing complains", () => assert.deepEqual(troubles, []));
