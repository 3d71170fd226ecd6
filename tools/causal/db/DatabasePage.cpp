//===- DatabasePage.cpp - A page about a continuous database --------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tables with bars, in one file that loads nothing. Names are hostile: they are escaped.
//
//===----------------------------------------------------------------------===//
#include "db/DatabaseCommands.h"
#include "lib/container/SourceText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace causal::continuous;

namespace causal {

static constexpr size_t MostRows = 200;

static constexpr StringLiteral Style = R"(
body { font: 14px system-ui, sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em;
       color: #222; background: #fff; }
table { border-collapse: collapse; width: 100%; }
th { text-align: left; font-weight: 600; }
th, td { padding: .2em .6em; border-bottom: 1px solid #ddd; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.name { overflow-wrap: anywhere; font-family: ui-monospace, monospace; font-size: 13px; }
td.bar { width: 12em; } td.bar div { background: #4a7ebb; height: .8em; }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #1b1b1b; }
  th, td { border-color: #444; } }
)";

static std::string escaped(StringRef Text) {
  std::string Out;
  raw_string_ostream OS(Out);
  printHTMLEscaped(json::fixUTF8(printable(Text)), OS);
  return Out;
}

static void writeTable(StringRef Title, const Shares &S, raw_ostream &OS) {
  OS << "<h2>" << Title << "</h2>\n<table><thead><tr><th class=n>share</th><th></th>"
     << "<th class=n>samples</th><th class=n>CPU time</th><th>name</th></tr></thead><tbody>\n";
  double All = double(std::max<uint64_t>(S.Samples, 1));
  for (const ShareRow &Row : ArrayRef(S.Rows).take_front(MostRows)) {
    std::string Share = formatv("{0:F2}", 100 * double(Row.Samples) / All).str();
    OS << "<tr><td class=n>" << Share << " %</td><td class=bar><div style=\"width:" << Share
       << "%\"></div></td><td class=n>" << Row.Samples << "</td><td class=n>"
       << formatTime(Row.TimeNs) << "</td><td class=name";
    if (!Row.Image.empty())
      OS << " title=\"" << escaped(Row.Image) << '"';
    OS << '>' << escaped(Row.Name) << "</td></tr>\n";
  }
  OS << "</tbody></table>\n";
  if (S.Rows.size() > MostRows)
    OS << "<p>and " << S.Rows.size() - MostRows << " more</p>\n";
}

void writeDatabasePage(StringRef Title, const Shares &Images, const Shares &Functions,
                       const Shares &Lines, raw_ostream &OS) {
  OS << "<!doctype html>\n<html lang=en><head><meta charset=utf-8>\n"
     << "<meta name=viewport content=\"width=device-width\">\n<title>" << escaped(Title)
     << "</title>\n<style>" << Style << "</style></head><body>\n<h1>" << escaped(Title)
     << "</h1>\n<p>" << Functions.Samples << " samples, " << formatTime(Functions.TimeNs)
     << " of CPU time; " << Functions.Dropped << " dropped, " << Functions.Unmapped
     << " in no image.</p>\n";
  writeTable("Functions", Functions, OS);
  writeTable("Lines", Lines, OS);
  writeTable("Images", Images, OS);
  OS << "</body></html>\n";
}

} // namespace causal
