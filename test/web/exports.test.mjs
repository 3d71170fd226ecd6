//===- exports.test.mjs - Exports, opened by other tools ---------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// speedscope's schema and speedscope itself, in the browser; pprof's decoder. For the
// Firefox Profiler and Perfetto there is no reader on npm: their structure is checked.
//
//===----------------------------------------------------------------------===//

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";

const env = process.env;
const require = createRequire(join(env.CAUSAL_WEB, "package.json"));
const speedscope = dirname(require.resolve("speedscope/package.json"));
const profile = fileURLToPath(new URL("../lit/Tool/Inputs/cpu.causal", import.meta.url));
mkdirSync(env.CAUSAL_OUT, { recursive: true });

function exported(format) {
  const file = join(env.CAUSAL_OUT, `export.${format}`);
  const run = spawnSync(env.CAUSAL, ["export", `--format=${format}`, "-o", file, profile], { encoding: "utf8" });
  assert.equal(run.status, 0, run.stderr);
  return readFileSync(file);
}
const json = (format) => JSON.parse(exported(format).toString());
const ms = 1e6;

test("speedscope: valid by its schema, and sums are those of the profile", () => {
  const Ajv = require("ajv").default;
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(JSON.parse(readFileSync(join(speedscope, "dist/release/file-format-schema.json"), "utf8")));
  const document = json("speedscope");
  assert.ok(validate(document), JSON.stringify(validate.errors));
  assert.ok(!validate({ ...document, profiles: [{ type: "sampled" }] }), "the schema refuses what is wrong");
  const spin = document.profiles.find((each) => each.name === "spin (43)");
  assert.equal(spin.weights.reduce((a, b) => a + b), 2000 * ms);
  assert.equal(spin.endValue, 2000 * ms);
  const stacks = spin.samples.map((sample) => sample.map((frame) => document.shared.frames[frame].name).join(";"));
  assert.ok(stacks.includes("[libdemo-c.so.6];work::spin(void*);burn;step(double&);[off:runqueue]"), stacks.join("\n"));
});

test("pprof: decoded, with stacks, inlined calls, labels and mappings", async () => {
  const { Profile } = require("pprof-format");
  const decoded = Profile.decode(gunzipSync(exported("pprof")));
  const text = (number) => decoded.stringTable.strings[Number(number)];
  assert.deepEqual(decoded.sampleType.map((type) => [text(type.type), text(type.unit)]),
    [["samples", "count"], ["cpu", "nanoseconds"], ["offcpu", "nanoseconds"], ["wall", "nanoseconds"]]);
  assert.equal(text(decoded.mapping[0].buildId), "c0de");
  const functions = new Map(decoded.function.map((each) => [String(each.id), text(each.name)]));
  const locations = new Map(decoded.location.map((each) => [String(each.id), each]));
  const stackOf = (sample) => sample.locationId.flatMap((id) => locations.get(String(id)).line.map((line) => functions.get(String(line.functionId))));
  const labelsOf = (sample) => Object.fromEntries(sample.label.map((label) => [text(label.key), label.str ? text(label.str) : Number(label.num)]));
  const sum = (column, keep = () => true) => decoded.sample.filter((sample) => keep(labelsOf(sample))).reduce((all, sample) => all + Number(sample.value[column]), 0);
  assert.equal(sum(1), 2152 * ms);
  assert.equal(sum(1) + sum(2), sum(3));
  assert.equal(sum(2, ({ state }) => state === "lock"), 2380 * ms);
  assert.equal(sum(3, ({ thread, tid }) => thread === "reader" && tid === 46), 1800 * ms);
  const hot = decoded.sample.find((sample) => labelsOf(sample).thread === "spin" && Number(sample.value[1]) === 1000 * ms);
  assert.deepEqual(stackOf(hot), ["step(double&)", "burn", "work::spin(void*)"]);
  const locked = decoded.sample.find((sample) => labelsOf(sample).waker);
  assert.match(labelsOf(locked).waker, /holdLock|writer/);
});

test("Firefox: tables agree with each other", () => {
  const document = json("firefox");
  assert.equal(document.meta.preprocessedProfileVersion, 62);
  const { shared } = document;
  for (const [name, table] of Object.entries(shared)) {
    if (name === "stringArray") continue;
    for (const [column, values] of Object.entries(table))
      if (column !== "length") assert.equal(values.length, table.length, `${name}.${column}`);
  }
  const within = (values, length, what) => values.forEach((value) => assert.ok(value === null || (value >= 0 && value < length), what));
  within(shared.stackTable.frame, shared.frameTable.length, "frames of stacks");
  shared.stackTable.prefix.forEach((prefix, stack) => assert.ok(prefix === null || prefix < stack));
  within(shared.frameTable.func, shared.funcTable.length, "functions of frames");
  within(shared.frameTable.category, document.meta.categories.length, "categories of frames");
  within(shared.funcTable.name, shared.stringArray.length, "names of functions");
  within(shared.funcTable.source, shared.sources.length, "sources of functions");
  within(shared.sources.filename, shared.stringArray.length, "names of sources");
  for (const thread of document.threads) {
    assert.equal(thread.samples.weightType, "tracing-ms");
    for (const column of ["stack", "timeDeltas", "weight", "threadCPUDelta"]) assert.equal(thread.samples[column].length, thread.samples.length);
    within(thread.samples.stack, shared.stackTable.length, "stacks of samples");
    assert.ok(thread.samples.timeDeltas.every((delta) => delta >= 0));
  }
  const spin = document.threads.find((thread) => thread.name === "spin");
  assert.equal(spin.samples.weight.reduce((a, b) => a + b), 2000);
  assert.equal(spin.samples.threadCPUDelta.reduce((a, b) => a + b), 1200000);
  const category = (sample) => document.meta.categories[shared.frameTable.category[shared.stackTable.frame[spin.samples.stack[sample]]]].name;
  assert.deepEqual([...new Set(spin.samples.stack.map((_, sample) => category(sample)))].sort(), ["cpu", "runqueue"]);
});

test("Perfetto: lives of threads, and shares of states", () => {
  const { traceEvents } = json("perfetto");
  for (const event of traceEvents) {
    assert.ok(["M", "X", "C"].includes(event.ph));
    assert.ok(event.ph === "M" || event.ts >= 0);
  }
  const life = traceEvents.find((event) => event.ph === "X" && event.tid === 46);
  assert.deepEqual([life.ts, life.dur, life.args.io_ms, life.args.ended], [100000, 1800000, 700, true]);
  const shares = traceEvents.filter((event) => event.ph === "C" && event.name.startsWith("spin (43)"));
  assert.deepEqual(shares.map((event) => [event.ts, event.args.cpu]), [[0, 60], [1e6, 0], [1e6, 60], [2e6, 0]]);
});

const { chromium } = require("playwright-core");
const browser = await chromium.launch({
  executablePath: env.CAUSAL_CHROMIUM, args: ["--allow-file-access-from-files", ...(process.getuid() === 0 ? ["--no-sandbox"] : [])],
});
after(() => browser.close());

/// What speedscope shows of a file.
async function opened(format) {
  const name = `export.${format === "pprof" ? "pb.gz" : format === "folded" ? "txt" : "json"}`;
  const script = join(env.CAUSAL_OUT, `speedscope-${format}.js`);
  writeFileSync(script, `speedscope.loadFileFromBase64(${JSON.stringify(name)}, ${JSON.stringify(exported(format).toString("base64"))})`);
  const page = await browser.newPage();
  const troubles = [];
  page.on("pageerror", (error) => troubles.push(String(error)));
  page.on("dialog", (dialog) => { troubles.push(dialog.message()); dialog.dismiss(); });
  await page.goto(`${pathToFileURL(join(speedscope, "dist/release/index.html")).href}#localProfilePath=${script}`);
  await page.waitForFunction(() => /Time Order|Left Heavy/.test(document.body.innerText) && !/Loading/.test(document.body.innerText), null, { timeout: 30000 }).catch((error) => troubles.push(String(error)));
  await page.getByText(/Sandwich/).first().click().catch((error) => troubles.push(String(error)));
  await page.waitForTimeout(200);
  const text = await page.evaluate(() => document.body.innerText);
  await page.close();
  assert.deepEqual(troubles, []);
  return text;
}

/// What the first profile has, that of the thread with the most CPU time; what the whole has.
const shown = {
  speedscope: [/spin \(43\) \(2\/6\)/, /step\(double&\)/], folded: [/\[off:lock\]/, /work::writer/], pprof: [/burn/, /2\.10s \(98%\)/],
};
for (const [format, expected] of Object.entries(shown))
  test(`speedscope opens ${format}`, async () => {
    const text = await opened(format);
    for (const each of expected) assert.match(text, each);
  });
