//===- build.mjs - Bundles the page of the HTML report -----------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// node build.mjs OUT: one HTML file with style and script inside, and a marker
// where the profile goes. The script is allowed by its hash alone, so nothing
// that a profile says can run, and the page may load nothing.
//
//===----------------------------------------------------------------------===//

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2];
if (!out) {
  console.error("usage: node build.mjs OUT");
  process.exit(2);
}

const bundle = async (entry, loader = {}) => {
  const result = await build({
    entryPoints: [join(here, entry)],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: ["chrome90", "firefox113", "safari16.4"],
    charset: "utf8",
    legalComments: "none",
    loader,
    alias: { "d3-transition": join(here, "src/cpu/at-once.ts") },
  });
  return result.outputFiles[0].text.trim();
};

// A package may import its style sheet; this page has its own.
const script = await bundle("src/shell/main.ts", { ".css": "empty" });
const style = await bundle("src/shell/style.css");
if (/<\/(script|style)/i.test(script + style)) throw new Error("the bundle would end its own element");
const hash = createHash("sha256").update(script).digest("base64");

const page = readFileSync(join(here, "src/shell/page.html"), "utf8")
  .replace("{{hash}}", () => hash)
  .replace("{{style}}", () => style)
  .replace("{{script}}", () => script);
for (const marker of ["{{encoding}}", "{{profile}}"])
  if (page.split(marker).length !== 2) throw new Error(`the page needs one ${marker}`);
writeFileSync(out, page);
