//===- cpu.test.mjs - Where time goes ----------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The page of a CPU profile: the account of threads, the flame graph by state and
// thread, search, zoom, the source beside it, waits with who ends them.
//
//===----------------------------------------------------------------------===//

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeDiff, makePage, open, writeProfile } from "./browser.mjs";

const out = process.env.CAUSAL_OUT;
const demo = join(out, "demo");
mkdirSync(demo, { recursive: true });
for (const file of ["threads.cpp", "step.h"])
  writeFileSync(join(demo, file), Array.from({ length: 80 }, (_, index) => `  code of line ${index + 1} of ${file};\n`).join(""));
const text = readFileSync(new URL("../lit/Tool/Inputs/cpu.causal", import.meta.url), "utf8").replaceAll("/src/demo", demo);
const records = text.trim().split("\n").map((line) => JSON.parse(line));
const file = makePage("cpu", writeProfile("cpu", records));
const { page, troubles } = await open(file);

/// Boxes of the flame graph by name: their widths, all together, as part of the whole.
const boxes = () => page.locator(".flame svg").evaluate((svg) => {
  const width = Number(svg.getAttribute("width"));
  const widths = {};
  for (const g of svg.querySelectorAll("g.frame")) {
    const name = g.getAttribute("name");
    widths[name] = (widths[name] ?? 0) + Number(g.querySelector("rect").getAttribute("width")) / width;
  }
  return widths;
});
const near = (is, should) => assert.ok(Math.abs(is - should) < 0.01, `${is}, not ${should}`);
const kind = (name) => page.locator(".flame-panel .speedups").getByText(name, { exact: true }).click();

test("the account says where threads' time goes", async () => {
  assert.match(await page.locator(".answer").textContent(), /88\.3 % of the CPU time is spent in step/);
  const fight = page.locator(".account tbody tr", { hasText: "fight-*" });
  assert.match(await fight.textContent(), /fight-\*24 s20\.059\.5/);
  assert.match(await fight.locator(".account-bar").getAttribute("aria-label"), /on a core 20\.0 %, waits for a lock 59\.5 %/);
});

test("on the core: boxes are as wide as their time", async () => {
  const now = await boxes();
  near(now.all, 1);
  near(now.spin, 1190 / 2152);
  near(now.step, 1900 / 2152);
  near(now["[truncated]"], 10 / 2152);
  assert.equal(now["[lock]"], undefined);
});

test("off the core: by what is waited for", async () => {
  await kind("Off the core");
  const all = 800 + 2380 + 700 + 2550 + 1998;
  let now = await boxes();
  near(now["[lock]"], 2380 / all);
  near(now["[sleep]"], 2550 / all);
  assert.equal(now["[idle]"], undefined, "idle is left out until it is asked for");
  await page.locator('.chips button[data-state="sleep"]').click();
  now = await boxes();
  near(now["[lock]"], 2380 / (all - 2550));
  await page.locator('.chips button[data-state="sleep"]').click();
  await kind("Both");
  near((await boxes())["[lock]"], 2380 / (all + 2152));
  await kind("On the core");
});

test("one group of threads, by the table or the list", async () => {
  await page.locator(".account tbody tr", { hasText: "fight-*" }).click();
  let now = await boxes();
  near(now.fight, 1);
  assert.equal(now.spin, undefined);
  assert.equal(await page.locator(".account tbody tr[aria-selected=true] th").textContent(), "fight-*");
  await page.locator("#cpu-threads").selectOption({ label: "spin" });
  now = await boxes();
  near(now.spin, 1190 / 1200);
  await page.locator("#cpu-threads").selectOption({ label: "all threads" });
});

test("search says how much matches", async () => {
  await page.keyboard.press("/");
  await page.keyboard.type("work::spin");
  assert.match(await page.locator(".flame-panel .counted").textContent(), /^55\.3 % found/);
  await page.keyboard.press("Escape");
  assert.doesNotMatch(await page.locator(".flame-panel .counted").textContent(), /found/);
});

test("a click zooms and shows the function's source", async () => {
  await page.locator('.flame g.frame[name="fight"]').click();
  near((await boxes()).fight, 1);
  assert.match(await page.locator(".chosen-function").textContent(), /work::fight\(void\*\)/);
  const current = page.locator(".cpu-source tr[aria-current]");
  assert.match(await current.textContent(), /code of line (38|39) of threads\.cpp/);
  assert.match(await page.locator(".cpu-source tr", { hasText: "code of line 39 of" }).textContent(), /^900 ms/);
  await page.getByRole("button", { name: "zoom out" }).click();
  near((await boxes()).fight, 900 / 2152);
});

test("merged by what runs, callers hang below", async () => {
  await page.getByLabel(/callers below/).check();
  const now = await boxes();
  near(now.step, 1900 / 2152);
  const top = await page.locator('.flame g.frame[name="step"]').evaluate((g) => g.getAttribute("transform"));
  assert.match(top, /,18\)/);
  await page.getByLabel(/callers below/).uncheck();
});

test("waits say who ends them", async () => {
  const lock = page.locator(".waits tbody tr", { hasText: "lock" }).first();
  assert.match(await lock.textContent(), /2\.38 slock760holdLock threads\.cpp:30.*87\.4 % ended by holdLock threads\.cpp:33/);
  await lock.click();
  assert.match(await page.locator(".chosen-function").textContent(), /holdLock/);
});

test("when: what threads did between snapshots", async () => {
  await page.locator(".timeline summary").click();
  assert.equal(await page.locator(".timeline .track").nth(1).locator("i").count(), 2);
  assert.match(await page.locator(".timeline .track").nth(1).locator("i").first().getAttribute("title"), /on a core: 600 ms\nwaits for a core: 400 ms/);
});

test("two profiles: boxes are coloured by what has changed", async () => {
  const before = writeProfile("cpu-before", records);
  const after = writeProfile("cpu-after", records.map((record) => ({
    ...record, run: "2", ...(record.type === "charge" && record.ns === 5e8 && { ns: 2.5e8 }), ...(record.cpu === 1.2e9 && { cpu: 7e8 }),
  })));
  const { page: both, troubles: others } = await open(makeDiff("cpu-diff", before, after));
  assert.match(await both.locator(".answer").textContent(), /2\.15 s before, 1\.65 s after \(−23\.2 %\)/);
  const color = (name) => both.locator(`.flame g.frame[name="${name}"] rect`).first().getAttribute("fill");
  assert.match(await color("spin"), /^hsl\(215 3/);
  assert.match(await color("fight"), /^hsl\(215 0%/);
  await both.getByLabel("boxes as wide as before").check();
  await both.locator('.flame g.frame[name="spin"]').hover();
  assert.match(await both.locator(".flame-details").textContent(), /spin\(void\*\): 1\.19 s \(55\.3 %\), after 690 ms/);
  assert.match(await both.locator(".functions tbody tr").first().textContent(), /^84\.784\.788\.3step/);
  assert.deepEqual(others, []);
  await both.close();
});

test("names that would like to be code are text", async () => {
  const attack = '"><img src=x onerror="window.pwned=1"></script><script>window.pwned=2</script>';
  const poisoned = records.map((record) => ({
    ...record, ...(record.name && { name: attack }), ...(record.path && { path: `/${attack}` }),
    ...(record.lines && { lines: record.lines.map((line) => ({ ...line, function: attack + line.function, file: `/${attack}${line.file}` })) }),
  }));
  const { page: hostile, troubles: others } = await open(makePage("cpu-hostile", writeProfile("cpu-hostile", poisoned)));
  await hostile.getByText("Both", { exact: true }).click();
  assert.equal(await hostile.evaluate(() => window.pwned), undefined);
  assert.equal(await hostile.locator("script").count(), 2);
  assert.equal(await hostile.locator("img").count(), 0);
  assert.deepEqual(others, []);
  await hostile.close();
});

test("on a telephone nothing is wider than the screen", async () => {
  const { page: small, troubles: others } = await open(file, { viewport: { width: 390, height: 800 } });
  assert.ok((await small.evaluate(() => document.documentElement.scrollWidth)) <= 390);
  assert.deepEqual(others, []);
  await small.close();
});

test("every control has a name", async () => {
  const nameless = await page.evaluate(() =>
    [...document.querySelectorAll("button, input, select, [role=img], [role=group]")]
      .filter((each) => !(each.getAttribute("aria-label") || each.textContent.trim() || each.labels?.length || each.title)).map((each) => each.outerHTML));
  assert.deepEqual(nameless, []);
});

test("the page is small, though it has a flame graph in it", () => assert.ok(statSync(file).size < 300e3, `${statSync(file).size} bytes`));

test("nothing complains", () => assert.deepEqual(troubles, []));
