//===- PprofExport.cpp ----------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/export/PprofExport.h"

#include "lib/container/SourceText.h"
#include "lib/export/ProtoWriter.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"

#include <algorithm>

using namespace llvm;

namespace causal {

namespace {

struct Count {
  uint64_t Samples = 0, Time = 0;
};

/// By line: samples, and the CPU time that they stand for in their runs.
std::vector<Count> countsOf(const Profile &P) {
  // Sums of hostile numbers stop here instead of wrapping around.
  constexpr uint64_t Most = uint64_t(1) << 62;
  std::vector<Count> Counts(P.lines().size());
  for (const Run &R : P.runs())
    if (R.Last)
      for (const auto &[Line, C] : R.Last->Lines) {
        Count &Here = Counts[Line];
        double Time = double(Here.Time) + double(C.Samples) * double(R.Period);
        Here.Samples = std::min(Most, Here.Samples + uint64_t(C.Samples));
        Here.Time = uint64_t(std::min(double(Most), Time));
      }
  return Counts;
}

} // namespace

Error exportPprof(const Profile &P, raw_ostream &OS) {
  std::vector<Count> Counts = countsOf(P);
  if (std::none_of(Counts.begin(), Counts.end(), [](const Count &C) { return C.Samples > 0; }))
    return createStringError(
        inconvertibleErrorCode(),
        "there is no sample to export: the program was killed before its first "
        "snapshot, or no line in scope ran; causal report says which");

  Strings Text;
  auto Id = [&](StringRef S) { return Text.id(json::fixUTF8(S)); };
  Message Out;
  uint64_t Cpu = Id("cpu"), Ns = Id("nanoseconds");
  Out.message(1, valueType(Id("samples"), Id("count")));
  Out.message(1, valueType(Cpu, Ns));

  StringMap<uint64_t> Functions;
  int64_t Begin = 0, Period = 0;
  double Duration = 0;
  std::string Exe, BuildId;
  for (const Run &R : P.runs()) {
    Duration += effectiveTime(P, R);
    if (!R.HasHeader)
      continue;
    Begin = Begin ? std::min(Begin, R.Time) : R.Time;
    Period = std::max(Period, R.Period);
    Exe = Exe.empty() ? R.Exe : Exe;
    BuildId = BuildId.empty() ? R.BuildId : BuildId;
  }
  Message Mapping;
  Mapping.number(1, 1);
  Mapping.number(5, Id(Exe));
  Mapping.number(6, Id(BuildId));
  for (unsigned Known : {7, 8, 9}) // Functions, files, lines.
    Mapping.number(Known, 1);
  Out.message(3, Mapping);

  for (unsigned Line = 0; Line < Counts.size(); ++Line) {
    const SourceLine &L = P.lines()[Line];
    if (!Counts[Line].Samples)
      continue;
    std::string Key = L.File + '\0' + L.Function;
    auto [Function, New] = Functions.try_emplace(Key, uint64_t(Functions.size()) + 1);
    if (New) {
      Message M;
      M.number(1, Function->second);
      M.number(2, Id(demangledName(L.Function)));
      M.number(3, Id(L.Function));
      M.number(4, Id(L.File));
      Out.message(5, M);
    }
    Message Place, Location, Sample;
    Place.number(1, Function->second);
    Place.number(2, L.Line);
    Location.number(1, uint64_t(Line) + 1);
    Location.number(2, 1);
    Location.message(4, Place);
    Out.message(4, Location);
    Sample.packed(1, {uint64_t(Line) + 1});
    Sample.packed(2, {Counts[Line].Samples, Counts[Line].Time});
    Out.message(2, Sample);
  }
  Out.number(9, uint64_t(Begin));
  Out.number(10, uint64_t(std::clamp(Duration, 0.0, 1e18)));
  Out.message(11, valueType(Cpu, Ns));
  Out.number(12, uint64_t(Period));
  Out.number(14, Cpu);
  for (StringRef S : Text.List)
    Out.bytes(6, S);
  return writeCompressed(Out.text(), OS);
}

} // namespace causal
