//===- browser.mjs - Reports in a browser ------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes a page with the built tool, opens it from disk, and watches it: whatever
// a page writes to the console, throws or asks the network for ends up in
// `troubles`, which every suite expects to be empty.
//
//===----------------------------------------------------------------------===//

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const env = process.env;
const { chromium } = createRequire(join(env.CAUSAL_WEB, "package.json"))("playwright-core");

export const inputs = fileURLToPath(new URL("Inputs", import.meta.url));

/// Runs `causal report --html`; returns the page's path.
export function makePage(name, profile, { status = 0, args = [] } = {}) {
  mkdirSync(env.CAUSAL_OUT, { recursive: true });
  const page = join(env.CAUSAL_OUT, `${name}.html`);
  const run = spawnSync(env.CAUSAL, ["report", `--html=${page}`, `--source-root=${env.CAUSAL_EXAMPLES}`, ...args, profile], { encoding: "utf8" });
  assert.equal(run.status, status, run.stderr);
  return page;
}

/// Runs `causal diff --html`; returns the page's path.
export function makeDiff(name, before, after) {
  const page = join(env.CAUSAL_OUT, `${name}.html`);
  const run = spawnSync(env.CAUSAL, ["diff", `--html=${page}`, before, after], { encoding: "utf8" });
  assert.equal(run.status, 0, run.stderr);
  return page;
}

/// The JSON report of the same profile.
export function jsonReport(profile) {
  const run = spawnSync(env.CAUSAL, ["report", "--format=json", "--top=0", profile], { encoding: "utf8", maxBuffer: 1 << 28 });
  return JSON.parse(run.stdout);
}

/// Writes records as a profile.
export function writeProfile(name, records) {
  mkdirSync(env.CAUSAL_OUT, { recursive: true });
  const file = join(env.CAUSAL_OUT, `${name}.causal`);
  writeFileSync(file, records.map((record) => JSON.stringify(record) + "\n").join(""));
  return file;
}

const browser = await chromium.launch({
  executablePath: env.CAUSAL_CHROMIUM,
  args: process.getuid() === 0 ? ["--no-sandbox"] : [],
});
after(() => browser.close());

export async function open(file, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 }, ...options });
  const troubles = [];
  page.on("console", (message) => troubles.push(message.text()));
  page.on("pageerror", (error) => troubles.push(String(error)));
  page.on("request", (request) => {
    if (request.url() !== pathToFileURL(file).href) troubles.push(`asked for ${request.url()}`);
  });
  await page.goto(pathToFileURL(file).href);
  await page.locator("#app > *").first().waitFor();
  return { page, troubles };
}
