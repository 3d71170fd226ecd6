//===- look.test.mjs - Light, dark, narrow, and on paper ---------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What follows the reader's system and devices.
//
//===----------------------------------------------------------------------===//

import assert from "node:assert/strict";
import { test } from "node:test";
import { inputs, makePage, open, writeProfile } from "./browser.mjs";
import { manyLines } from "./profiles.mjs";

const file = makePage("look", `${inputs}/pipeline.causal`);
const theme = (page) => page.evaluate(() => document.documentElement.dataset.theme);
const background = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
const curve = (page) => page.locator(".detail canvas").evaluate((canvas) => canvas.toDataURL());

test("dark where the system is dark, and the switch overrides it", async () => {
  const { page, troubles } = await open(file, { colorScheme: "dark" });
  assert.equal(await theme(page), "dark");
  const [dark, darkCurve] = [await background(page), await curve(page)];
  await page.getByRole("button", { name: "Use light colours" }).click();
  assert.equal(await theme(page), "light");
  assert.notEqual(await background(page), dark);
  assert.notEqual(await curve(page), darkCurve);
  assert.deepEqual(troubles, []);
});

test("it follows the system while nothing else was chosen", async () => {
  const { page } = await open(file, { colorScheme: "light" });
  assert.equal(await theme(page), "light");
  await page.emulateMedia({ colorScheme: "dark" });
  await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
});

test("on a telephone nothing is wider than the screen", async () => {
  const { page, troubles } = await open(file, { viewport: { width: 390, height: 800 } });
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
  assert.ok(await page.locator("#row-0").isVisible());
  assert.deepEqual(troubles, []);
});

test("paper is light, and has the first lines without a scroll bar", async () => {
  const { page, troubles } = await open(makePage("paper", writeProfile("paper", manyLines(300))), { colorScheme: "dark" });
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await page.waitForFunction(() => document.documentElement.dataset.theme === "light");
  assert.equal(await page.locator(".ranked tbody tr[data-index]").count(), 20);
  assert.match(await page.locator(".ranked tbody").textContent(), /and 280 more lines/);
  assert.equal(await page.locator(".toolbar").isVisible(), false);
  const { scrollHeight, clientHeight } = await page.locator(".scroll").evaluate(({ scrollHeight, clientHeight }) => ({ scrollHeight, clientHeight }));
  assert.equal(scrollHeight, clientHeight);
  await page.emulateMedia({ media: "screen", colorScheme: "dark" });
  await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
  assert.deepEqual(troubles, []);
});

test("every control has a name and every table its headings", async () => {
  const { page } = await open(file);
  const nameless = await page.evaluate(() =>
    [...document.querySelectorAll("button, input, select, [role=img], [role=grid], [role=group]")]
      .filter((each) => !(each.getAttribute("aria-label") || each.textContent.trim() || each.labels?.length || each.title))
      .map((each) => each.outerHTML));
  assert.deepEqual(nameless, []);
  const headless = await page.evaluate(() => [...document.querySelectorAll("table")].filter((table) => !table.querySelector("thead th[scope=col]")).length);
  assert.equal(headless, 0);
  assert.equal(await page.getByRole("row", { name: /pipeline\.cpp:31/ }).first().isVisible(), true);
});
