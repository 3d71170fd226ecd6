//===- SpeedscopeExport.cpp - Stacks for speedscope -----------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The file format of speedscope, whose npm package has its schema.
//
//===----------------------------------------------------------------------===//

#include "lib/container/SourceText.h"
#include "lib/cpu/FrameNames.h"
#include "lib/export/CPUExport.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

#include <map>

using namespace llvm;

namespace causal::cpu {

namespace {

/// Frames by number, each once.
class Frames {
public:
  explicit Frames(const CPUProfile &P) : P(P) {}

  int64_t place(unsigned Place) {
    const struct Place &L = P.Places[Place];
    json::Object O{{"name", json::fixUTF8(nameOf(P, L))}};
    if (!L.File.empty())
      O["file"] = json::fixUTF8(L.File);
    if (L.Line)
      O["line"] = L.Line;
    return number("p" + std::to_string(Place), std::move(O));
  }
  int64_t named(StringRef Name) {
    return number(("n" + Name).str(), json::Object{{"name", Name.str()}});
  }
  json::Array take() { return std::move(All); }

private:
  int64_t number(std::string Key, json::Object O) {
    auto [It, New] = Numbers.try_emplace(std::move(Key), int64_t(All.size()));
    if (New)
      All.push_back(std::move(O));
    return It->second;
  }

  const CPUProfile &P;
  json::Array All;
  std::map<std::string, int64_t> Numbers;
};

} // namespace

Error exportSpeedscope(const CPUProfile &P, raw_ostream &OS) {
  if (Error E = checkHasCharges(P))
    return E;
  Frames Known(P);
  struct Samples {
    json::Array Stacks, Weights;
    Time Sum;
  };
  std::vector<Samples> Of(P.Threads.size());
  for (const Charge &C : P.Charges) {
    json::Array Stack;
    if (P.Stacks[C.Stack].Truncated)
      Stack.push_back(Known.named("[truncated]"));
    std::vector<unsigned> Places = P.placesOf(C.Stack);
    for (unsigned Place : reverse(Places))
      Stack.push_back(Known.place(Place));
    if (Places.empty())
      Stack.push_back(Known.named("[no stack]"));
    if (C.In != State::CPU)
      Stack.push_back(Known.named(stateFrame(C.In)));
    Samples &S = Of[C.Thread];
    S.Stacks.push_back(std::move(Stack));
    S.Weights.push_back(C.Ns.ns());
    S.Sum += C.Ns;
  }
  json::Array Profiles;
  int64_t Hottest = 0;
  Time Most;
  for (unsigned I = 0; I < Of.size(); ++I) {
    if (Of[I].Stacks.empty())
      continue;
    if (Time CPU = P.Threads[I].In[State::CPU]; Most < CPU) {
      Most = CPU;
      Hottest = int64_t(Profiles.size());
    }
    Profiles.push_back(json::Object{{"type", "sampled"},
                                    {"name", json::fixUTF8(threadTitle(P.Threads[I]))},
                                    {"unit", "nanoseconds"},
                                    {"startValue", 0},
                                    {"endValue", Of[I].Sum.ns()},
                                    {"samples", std::move(Of[I].Stacks)},
                                    {"weights", std::move(Of[I].Weights)}});
  }
  std::string Name = P.Runs.empty() ? "" : sys::path::filename(P.Runs.front().Exe).str();
  OS << json::Value(json::Object{{"$schema", "https://www.speedscope.app/file-format-schema.json"},
                                 {"exporter", "causal"},
                                 {"name", json::fixUTF8(printable(Name))},
                                 {"activeProfileIndex", Hottest},
                                 {"shared", json::Object{{"frames", Known.take()}}},
                                 {"profiles", std::move(Profiles)}})
     << '\n';
  return Error::success();
}

} // namespace causal::cpu
