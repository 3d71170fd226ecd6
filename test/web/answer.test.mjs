//===- answer.test.mjs - What the page says first ----------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A real profile: the answer, the facts of the run, the choice of progress point;
// and a profile without an answer.
//
//===----------------------------------------------------------------------===//

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { inputs, jsonReport, makePage, open, writeProfile } from "./browser.mjs";
import { manyLines, unlikeUnits } from "./profiles.mjs";

const profile = `${inputs}/pipeline.causal`;
const file = makePage("answer", profile);
const { page, troubles } = await open(file);
const report = jsonReport(profile);
const best = report.points[0].lines[0];

test("the best line comes first, in words", async () => {
  const answer = await page.locator(".answer").textContent();
  assert.match(answer, /^Optimise pipeline\.cpp:31 in answer\./);
  assert.ok(answer.includes(best.sentence.slice(1)), answer);
  assert.equal(await page.title(), "pipeline – causal profile");
});

test("the selected line has its numbers, its source and its neighbours' heat", async () => {
  const detail = page.locator(".detail");
  assert.match(await detail.locator("h2").textContent(), /pipeline\.cpp:31/);
  const current = detail.locator(".source tr[aria-current]");
  assert.match(await current.textContent(), /31.*for \(unsigned I = 0/);
  assert.match(await current.textContent(), new RegExp(best.sample_share.toFixed(1)));
  assert.match(await detail.locator(".source tr.measured").first().textContent(), /44\.1\+.*25/);
});

test("runs and losses stand at the end", async () => {
  const runs = await page.locator(".runs").textContent();
  for (const text of ["/src/pipeline/build/causal/pipeline", "builder", "perf-sigtrap, 1 ms", "samples dropped"])
    assert.ok(runs.includes(text), text);
});

test("another progress point can be chosen, and keeps the line", async () => {
  await page.locator("#row-1").click();
  await page.getByLabel("Progress point").selectOption({ index: 1 });
  const line = report.points[1].lines.find((each) => each.line === 25);
  assert.match(await page.locator(".detail h2").textContent(), /pipeline\.cpp:25/);
  assert.ok((await page.locator(".detail .says").textContent()).includes(line.sentence.slice(1)));
  assert.match(await page.locator("th.gain").textContent(), /Latency shorter by/);
});

test("lines that were made faster together are one row, and are listed", async () => {
  const file = "/srv/src/file1.cpp:7,/srv/src/file2.cpp:8,/srv/src/file1.cpp";
  const records = manyLines(4).map((record) => (record.line === 11 ? { ...record, file, line: 9, function: "" } : record));
  const { page, troubles } = await open(makePage("group", writeProfile("group", records)));
  assert.match(await page.locator(".answer").textContent(), /^Optimise file1\.cpp:7,file2\.cpp:8,file1\.cpp:9\./);
  assert.deepEqual(await page.locator(".detail .group li").allTextContents(),
    ["/srv/src/file1.cpp:7", "/srv/src/file2.cpp:8", "/srv/src/file1.cpp:9"]);
  assert.deepEqual(troubles, []);
  await page.close();
});

test("functions have their names for lines", async () => {
  const records = manyLines(4).map((record) => (record.line ? { ...record, line: 0 } : record));
  const { page, troubles } = await open(makePage("functions", writeProfile("functions", records)));
  assert.match(await page.locator(".answer").textContent(), /^Optimise file1\.cpp:work1\./);
  assert.match(await page.locator(".speedups legend").textContent(), /if the function is faster by/);
  assert.match(await page.locator(".counted").textContent(), /4 of 4 functions/);
  await page.locator("#row-1").click();
  assert.match(await page.locator(".detail h2").textContent(), /file0\.cpp:work0/);
  assert.match(await page.locator(".detail").textContent(), /All code of the function/);
  assert.deepEqual(troubles, []);
});

test("units of work that differ are told", async () => {
  const { page, troubles } = await open(makePage("units", writeProfile("units", unlikeUnits())));
  assert.match(await page.locator(".answer .muted").textContent(),
               /^Units of work or the machine's speed differ: compared by what is done per CPU time, which explains \d+ % of the scatter/);
  assert.deepEqual(troubles, []);
});

test("a whole run that is the progress point is called so", async () => {
  const records = manyLines(4).map((record) => (record.points ? { ...record, points: [{ name: "run", kind: "run", visits: 1 }] } : record));
  const { page, troubles } = await open(makePage("runs", writeProfile("runs", records)));
  assert.match(await page.locator(".point").textContent(), /^end to end \(400 runs, .* each\)$/);
  assert.deepEqual(troubles, []);
});

test("critical sections are told from lines", async () => {
  const records = manyLines(4).map((record) => (record.line ? { ...record, section: true } : record));
  const { page, troubles } = await open(makePage("sections", writeProfile("sections", records)));
  assert.match(await page.locator(".answer").textContent(), /^Optimise file1\.cpp:\d+:lock in work1\./);
  assert.match(await page.locator(".speedups legend").textContent(), /if the critical section is faster by/);
  assert.match(await page.locator(".counted").textContent(), /4 of 4 critical sections/);
  assert.match(await page.locator(".detail").textContent(), /with the lock held/);
  assert.deepEqual(troubles, []);
});

test("a profile without an answer says why", async () => {
  const records = [
    { type: "run", version: 1, run: "a", exe: "/bin/p", sampler: "perf-sigtrap", period: 250000 },
    { type: "snapshot", run: "a", index: 0, final: true, wall: 1e10, delay: 0, undelayed_wall: 1e10, idle: 4e9, lines: 0, losses: { out_of_scope: 40000 } },
  ];
  const empty = await open(makePage("empty", writeProfile("empty", records), { status: 1 }));
  const text = await empty.page.locator("[role=alert]").textContent();
  assert.match(text, /No sample fell into a source line in scope .*-fcausal-profile/);
  assert.match(await empty.page.locator(".runs").textContent(), /idle.*10 s0 ns4 s/);
  assert.deepEqual(empty.troubles, []);
});

test("nothing is loaded, nothing complains", () => {
  assert.deepEqual(troubles, []);
  assert.match(readFileSync(file, "utf8"), /default-src 'none'/);
});
