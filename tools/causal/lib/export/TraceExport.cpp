//===- TraceExport.cpp - When threads lived, for Perfetto -----------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chrome's trace event format. What is known is when a thread began and ended, and its
// time in each state between two snapshots: a slice for the one, a counter in percent
// for the other. Single waits have no time of day in a profile, so none is made up.
//
//===----------------------------------------------------------------------===//

#include "lib/container/SourceText.h"
#include "lib/export/CPUExport.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace causal::cpu {

namespace {

constexpr double NsPerUs = 1000;

json::Object event(const char *Phase, StringRef Name, int64_t Pid, int64_t Tid) {
  return json::Object{{"ph", Phase}, {"name", json::fixUTF8(Name)}, {"pid", Pid}, {"tid", Tid}};
}

/// Runs may share a process number, or have none.
int64_t pidOf(const CPUProfile &P, unsigned Run) {
  return P.Runs.size() == 1 && P.Runs[Run].Pid ? P.Runs[Run].Pid : int64_t(Run) + 1;
}

json::Object lifeOf(const CPUProfile &P, const Thread &T) {
  json::Object E = event("X", "alive", pidOf(P, T.Run), T.Tid);
  E["cat"] = "thread";
  E["ts"] = double(T.Begin) / NsPerUs;
  E["dur"] = double(T.Wall) / NsPerUs;
  json::Object Args{{"ended", T.End.has_value()}};
  for (unsigned I = 0; I < NumStates; ++I)
    if (Time Ns = T.In[State(I)])
      Args[(toString(State(I)) + "_ms").str()] = double(Ns) / 1e6;
  if (T.Unexplained)
    Args["unexplained_ms"] = double(T.Unexplained) / 1e6;
  E["args"] = std::move(Args);
  return E;
}

json::Object shares(const CPUProfile &P, const Slice &S, bool End) {
  const Thread &T = P.Threads[S.Thread];
  json::Object E = event("C", threadTitle(T) + ": % in each state", pidOf(P, T.Run), T.Tid);
  E["ts"] = double(End ? S.End : S.Begin) / NsPerUs;
  json::Object Args;
  double Length = double(std::max<int64_t>(1, S.End - S.Begin));
  for (unsigned I = 0; I < NumStates; ++I)
    if (Time Ns = S.In[State(I)])
      Args[toString(State(I))] = End ? 0 : 100 * double(Ns) / Length;
  E["args"] = std::move(Args);
  return E;
}

} // namespace

Error exportTrace(const CPUProfile &P, raw_ostream &OS) {
  if (Error E = checkHasCharges(P))
    return E;
  json::OStream J(OS);
  J.object([&] {
    J.attribute("displayTimeUnit", "ms");
    J.attributeArray("traceEvents", [&] {
      for (unsigned I = 0; I < P.Runs.size(); ++I) {
        json::Object E = event("M", "process_name", pidOf(P, I), 0);
        E["args"] =
            json::Object{{"name", json::fixUTF8(printable(sys::path::filename(P.Runs[I].Exe)))}};
        J.value(std::move(E));
      }
      for (const Thread &T : P.Threads) {
        json::Object E = event("M", "thread_name", pidOf(P, T.Run), T.Tid);
        E["args"] = json::Object{{"name", json::fixUTF8(printable(T.Name))}};
        J.value(std::move(E));
        J.value(lifeOf(P, T));
      }
      for (const Slice &S : P.Slices) {
        J.value(shares(P, S, /*End=*/false));
        J.value(shares(P, S, /*End=*/true));
      }
    });
  });
  OS << '\n';
  return Error::success();
}

} // namespace causal::cpu
