//===- CPUPprofExport.cpp - Stacks for pprof ------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A location is a frame, with the functions that are inlined there; a mapping is an
// image with its build-id, so that readers can look up what has no name here.
//
//===----------------------------------------------------------------------===//

#include "lib/cpu/Account.h"
#include "lib/cpu/FrameNames.h"
#include "lib/export/CPUExport.h"
#include "lib/export/ProtoWriter.h"

#include "llvm/Support/JSON.h"

#include <map>

using namespace llvm;

namespace causal::cpu {

namespace {

class Writer {
public:
  explicit Writer(const CPUProfile &P) : P(P) {}

  Error write(raw_ostream &OS) {
    for (StringRef Type : {"samples", "cpu", "offcpu", "wall"})
      Out.message(1, valueType(text(Type), text(Type == "samples" ? "count" : "nanoseconds")));
    writeMappings();
    for (unsigned I = 0; I < P.Frames.size(); ++I)
      writeLocation(I);
    for (const Charge &C : P.Charges)
      writeSample(C);
    int64_t Begin = 0, Period = 0;
    Time Duration;
    for (const CPURun &R : P.Runs) {
      Begin = Begin ? std::min(Begin, R.StartTime) : R.StartTime;
      Period = std::max(Period, R.Period);
      Duration += R.Wall;
    }
    Out.number(9, uint64_t(Begin));
    Out.number(10, uint64_t(Duration.ns()));
    Out.message(11, valueType(text("cpu"), text("nanoseconds")));
    Out.number(12, uint64_t(Period));
    Out.number(14, text("cpu"));
    for (StringRef S : Texts.List)
      Out.bytes(6, S);
    return writeCompressed(Out.text(), OS);
  }

private:
  uint64_t text(StringRef S) { return Texts.id(json::fixUTF8(S)); }

  void writeMappings() {
    std::vector<uint64_t> End(P.Images.size());
    std::vector<bool> Named(P.Images.size(), true);
    for (const Frame &F : P.Frames) {
      End[F.Image] = std::max(End[F.Image], F.Offset + 1);
      Named[F.Image] = Named[F.Image] && !P.Places[F.Places.front()].Function.empty();
    }
    for (unsigned I = 0; I < P.Images.size(); ++I) {
      Message M;
      M.number(1, I + 1);
      M.number(3, End[I]);
      M.number(5, text(P.Images[I].Path));
      M.number(6, text(P.Images[I].BuildId));
      for (unsigned Known : {7, 8, 9, 10}) // Functions, files, lines, inlined functions.
        M.number(Known, Named[I]);
      Out.message(3, M);
    }
  }

  uint64_t function(const Place &L) {
    auto [It, New] = Functions.try_emplace({L.Function, L.File}, uint64_t(Functions.size()) + 1);
    if (New) {
      Message M;
      M.number(1, It->second);
      M.number(2, text(nameOf(P, L)));
      M.number(3, text(L.Function));
      M.number(4, text(L.File));
      Out.message(5, M);
    }
    return It->second;
  }

  void writeLocation(unsigned Number) {
    const Frame &F = P.Frames[Number];
    Message Location;
    Location.number(1, Number + 1);
    Location.number(2, F.Image + 1);
    Location.number(3, F.Offset);
    for (unsigned Place : F.Places) { // Innermost first, as here.
      const struct Place &L = P.Places[Place];
      if (L.Function.empty())
        continue;
      Message Line;
      Line.number(1, function(L));
      Line.number(2, L.Line);
      Location.message(4, Line);
    }
    Out.message(4, Location);
  }

  void writeSample(const Charge &C) {
    const Thread &T = P.Threads[C.Thread];
    Message Sample;
    std::vector<uint64_t> Locations;
    for (unsigned Frame : P.Stacks[C.Stack].Frames)
      Locations.push_back(Frame + 1);
    Sample.packed(1, Locations);
    uint64_t Ns = uint64_t(C.Ns.ns());
    bool On = C.In == State::CPU;
    Sample.packed(2, {uint64_t(C.Count), On ? Ns : 0, On ? 0 : Ns, Ns});
    label(Sample, "thread", T.Name.empty() ? threadTitle(T) : T.Name);
    Message Tid;
    Tid.number(1, text("tid"));
    Tid.number(3, uint64_t(T.Tid));
    Sample.message(3, Tid);
    label(Sample, "state", toString(C.In));
    if (C.Waker)
      if (std::optional<unsigned> By = ownPlace(P, *C.Waker))
        label(Sample, "waker", nameOf(P, P.Places[*By]));
    Out.message(2, Sample);
  }

  void label(Message &To, StringRef Key, StringRef Value) {
    Message M;
    M.number(1, text(Key));
    M.number(2, text(Value));
    To.message(3, M);
  }

  const CPUProfile &P;
  Strings Texts;
  Message Out;
  std::map<std::pair<std::string, std::string>, uint64_t> Functions;
};

} // namespace

Error exportPprof(const CPUProfile &P, raw_ostream &OS) {
  if (Error E = checkHasCharges(P))
    return E;
  return Writer(P).write(OS);
}

} // namespace causal::cpu
