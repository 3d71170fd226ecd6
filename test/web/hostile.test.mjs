//===- hostile.test.mjs - Strings that would like to be code -----------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names from a profile are text wherever they stand, in the plain and in the
// compressed form of the page.
//
//===----------------------------------------------------------------------===//

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { makePage, open, writeProfile } from "./browser.mjs";
import { manyLines } from "./profiles.mjs";

const attacks = [
  '</script><script>window.pwned=1</script>',
  '"><img src=x onerror="window.pwned=2">',
  "<!--<script>{{profile}}{{encoding}}${pwned=3}$&$'",
  "\u0000\u001b[31m\u202e'`\\\u2028\u2029\ud83d\ude00",
];

function poisoned(lines) {
  const records = manyLines(lines);
  for (const record of records) {
    if (record.line !== undefined) {
      const attack = attacks[record.line % attacks.length];
      record.file = `/src/${attack}/${record.line}.cpp`;
      record.function = attack;
    }
    for (const point of record.points ?? []) point.name = attacks[0];
    for (const key of ["exe", "host", "options", "sampler", "build_id"]) if (key in record) record[key] = attacks.join("");
  }
  return records;
}

for (const [form, lines] of [["plain", 8], ["compressed", 2000]])
  test(`${form}: inert`, async () => {
    const file = makePage(`hostile-${form}`, writeProfile(`hostile-${form}`, poisoned(lines)));
    assert.equal(readFileSync(file, "utf8").includes('data-encoding="deflate"'), form === "compressed");
    const { page, troubles } = await open(file);
    for (let i = 0; i < 8; ++i) await page.keyboard.press("ArrowDown");
    assert.equal(await page.evaluate(() => window.pwned), undefined);
    assert.equal(await page.locator("script").count(), 2);
    assert.equal(await page.locator("img").count(), 0);
    const shown = await page.locator(".ranked .function").allTextContents();
    for (const attack of attacks.slice(0, 3)) assert.ok(shown.includes(attack), attack);
    assert.doesNotMatch(await page.locator("#app").innerHTML(), /[\u0000-\u0008\u001b\u202e]/);
    assert.deepEqual(troubles, []);
  });

test("a damaged page says so", async () => {
  const file = makePage("damaged", writeProfile("damaged", manyLines(8)));
  writeFileSync(file, readFileSync(file, "utf8").replace(/(data-encoding="json">[^<]{500})[^<]*/, "$1"));
  const { page, troubles } = await open(file);
  assert.match(await page.locator("[role=alert]").textContent(), /cannot be read.*Make it again/);
  assert.deepEqual(troubles, []);
});
