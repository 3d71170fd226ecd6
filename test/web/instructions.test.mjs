//===- instructions.test.mjs - Functions by instruction ----------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The page of `causal db calc --html`, on samples that are made up, of the tool's own main.
//
//===----------------------------------------------------------------------===//

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { open } from "./browser.mjs";

const out = process.env.CAUSAL_OUT;
mkdirSync(out, { recursive: true });
const probe = join(out, "made.probe"), file = join(out, "instructions.html");

function writeProbe(samples) {
  const records = [
    { record: "probe", cpu: "znver3", ghz: 2, skid: 1, data_lines: 512, code_lines: 512, data_pages: 64, period_ns: 1000, code: [3, 0, 0] },
    { record: "image", path: process.env.CAUSAL, build_id: "" },
    ...samples.map(([at, n]) => ({ record: "pc", at, n })),
  ];
  writeFileSync(probe, records.map((record) => JSON.stringify(record) + "\n").join(""));
}

function calc(...args) {
  const run = spawnSync(process.env.CAUSAL, ["db", "calc", probe, "main", ...args], { encoding: "utf8", maxBuffer: 1 << 28 });
  assert.equal(run.status, 0, run.stderr);
  return run.stdout;
}

writeProbe([[1, 1]]);
const blocks = JSON.parse(calc("--format=json")).procedures[0].blocks.filter((block) => block.instructions.length > 3);
const [first, second] = blocks;
writeProbe([...[...first.instructions, ...second.instructions].map((i) => [i.at, 10]), [first.instructions[2].at, 5000]]);
calc(`--html=${file}`);
const { page, troubles } = await open(file);

test("functions with their rates", async () => {
  const row = page.locator(".procedures tbody tr");
  assert.equal(await row.count(), 1);
  assert.match(await row.textContent(), /100\.0.*main/);
});

test("the instruction before the samples is the one that waits", async () => {
  const slow = page.locator(`.instructions tbody tr:has-text("0x${first.instructions[1].at.toString(16)}")`).first();
  assert.match(await slow.textContent(), /5000\.0/);
  assert.match(await slow.getAttribute("class"), /stalled/);
  const why = page.locator(".instructions tr.why:visible");
  assert.equal(await why.count(), 0);
  await slow.click();
  assert.match(await why.textContent(), /cycles of stall, .* of them foreseen by the model/);
  await slow.press("Enter");
  assert.equal(await why.count(), 0);
});

test("notes say what the numbers are worth", async () => {
  assert.match(await page.locator(".instruction-detail").textContent(), /Note: (control flow is disassembled|where an indirect jump leads is not known)/);
  assert.match(await page.locator(".answer").textContent(), /X counted, M bounded by counts, L estimated/);
});

test("control flow is drawn, and leads to the code", async () => {
  const boxes = page.locator(".flow-block");
  assert.ok((await boxes.count()) >= 2);
  assert.match(await boxes.first().textContent(), /0x[0-9a-f]+ .*L.*best .* actual/);
  await boxes.last().click();
});

test("nothing went wrong", () => assert.deepEqual(troubles, []));
