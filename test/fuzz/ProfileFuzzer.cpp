//===- ProfileFuzzer.cpp - Any bytes as a profile -------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the tool does with a profile, on any bytes: nothing crashes, no number
// is out of bounds, a merged profile is the same profile, and a good record
// counts whatever stands around it.
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "lib/causal/Comparison.h"
#include "lib/causal/RunTarget.h"
#include "lib/container/BuildMatch.h"
#include "lib/container/Merge.h"
#include "lib/container/ProfileReader.h"
#include "lib/export/CozExport.h"
#include "lib/export/PprofExport.h"

#include "llvm/Support/JSON.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

using namespace causal;
using namespace llvm;

static void require(bool Holds, const char *What) {
  if (Holds)
    return;
  std::fprintf(stderr, "does not hold: %s\n", What);
  std::abort();
}

static constexpr StringRef GoodRecord =
    "{\"type\":\"experiment\",\"run\":\"good\",\"index\":0,\"file\":\"/"
    "good.c\","
    "\"line\":7,\"speedup\":25,\"wall\":2,\"delay\":1,\"points\":[]}\n";

static bool hasGoodRecord(const Profile &P) {
  for (const Run &R : P.runs())
    if (R.Id == "good" && R.Experiments.count(0))
      return true;
  return false;
}

/// Nothing if the text is refused as a whole.
static std::optional<Profile> read(const std::string &Text) {
  ProfileReader Reader([](const Twine &) {});
  if (Error E = Reader.addBuffer(MemoryBuffer::getMemBufferCopy(Text))) {
    consumeError(std::move(E));
    return std::nullopt;
  }
  return Reader.take();
}

static void checkCurves(ArrayRef<LineCurve> Curves) {
  for (const LineCurve &C : Curves)
    for (unsigned S = 0; S <= 100; S += 25)
      if (std::optional<Estimate> E = C.gainAt(S)) {
        require(std::isfinite(E->Value) && std::isfinite(E->StdErr), "a prediction is a number");
        require(E->Low <= E->Value && E->Value <= E->High, "an interval holds its estimate");
      }
}

static void checkMerge(const std::string &Text, const Profile &P) {
  Merger M;
  ProfileReader Reader([](const Twine &) {});
  Reader.divertExperiments([&](const Experiment &E) { M.take(E); });
  if (Error E = Reader.addBuffer(MemoryBuffer::getMemBufferCopy(Text))) {
    consumeError(std::move(E));
    return;
  }
  std::string Merged;
  raw_string_ostream OS(Merged);
  M.write(Reader.take(), OS);
  std::optional<Profile> Again = read(Merged);
  // Line records that no snapshot closes are not merged.
  require((Again ? Again->experiments().size() : 0) == P.experiments().size(),
          "merging loses no experiment");
}

static void writeEverything(Profile &P) {
  ModelOptions Model;
  Model.Replicates = 20;
  SourceText Source("");
  ReportData R{P, totalsOf(P), warningsOn(P), whyEmpty(P), {}, {25, 50, 75}, 10, 80, Source, ""};
  for (unsigned Point = 0; Point < P.points().size(); ++Point) {
    R.Points.push_back({summarize(P, Point), rankLines(P, Point, Model)});
    checkCurves(R.Points.back().Curves);
  }
  std::string Text;
  raw_string_ostream OS(Text);
  writeText(R, OS);
  writeMarkdown(R, OS);
  writeCSV(R, OS);
  if (!P.lines().empty())
    writeLine(R, 0, OS);
  Text.clear();
  writeJSON(R, OS);
  Expected<json::Value> Parsed = json::parse(Text);
  require(bool(Parsed), "the JSON report is JSON");
  consumeError(exportCoz(P, Model, OS));
  consumeError(exportPprof(P, OS));
  (void)timeLeft(precisionOf(P, ModelOptions()), 0.02, 1e9);
  LineText NoText = [](const SourceLine &) { return std::nullopt; };
  for (const PointChange &C : comparePoints(P, P))
    if (C.Gain)
      (void)sumOfPredictions(compareLines(P, NoText, P, NoText, C, ModelOptions()));
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  std::string Text(reinterpret_cast<const char *>(Data), Size);
  if (std::optional<Profile> Beside = read(Text + "\n" + GoodRecord.str()))
    require(hasGoodRecord(*Beside), "a good record counts");
  std::optional<Profile> P = read(Text);
  if (!P)
    return 0;
  checkMerge(Text, *P);
  if (Error E = unifyBuilds(*P))
    consumeError(std::move(E));
  writeEverything(*P);
  return 0;
}
