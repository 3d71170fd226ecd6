//===- CPUReportCSV.cpp - Where threads' time goes, for a spreadsheet -----===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// RFC 4180, one row for each number, in nanoseconds. The columns stand in
// docs/user/cpu.md.
//
//===----------------------------------------------------------------------===//

#include "cpu/CPUReport.h"
#include "lib/cpu/FrameNames.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace causal::cpu {

namespace {

template <typename T> ArrayRef<T> top(const ReportData &R, const std::vector<T> &All) {
  return R.Top ? ArrayRef<T>(All).take_front(R.Top) : ArrayRef<T>(All);
}

struct Row {
  StringRef Kind, Thread;
  int64_t Tid = 0;
  StringRef State;
  const Place *At = nullptr;
  Time Self, Total;
  int64_t Count = 0;
};

void write(const Row &R, raw_ostream &OS) {
  OS << R.Kind << ',' << csvQuoted(R.Thread) << ',' << R.Tid << ',' << R.State << ',';
  if (R.At)
    OS << csvQuoted(R.At->Function) << ',' << csvQuoted(R.At->File) << ',' << R.At->Line << ',';
  else
    OS << ",,0,";
  OS << R.Self.ns() << ',' << R.Total.ns() << ',' << R.Count << "\r\n";
}

} // namespace

void Report::writeCSV(const ReportData &R, raw_ostream &OS) const {
  OS << "kind,thread,tid,state,function,file,line,self_ns,total_ns,count\r\n";
  for (const Thread &T : P.Threads) {
    for (unsigned I = 0; I < NumStates; ++I)
      if (Time Ns = T.In[State(I)]; Ns || State(I) == State::CPU)
        write({"thread", T.Name, T.Tid, toString(State(I)), nullptr, Ns, T.Wall,
               State(I) == State::CPU ? T.Samples : 0},
              OS);
    if (T.Unexplained)
      write({"thread", T.Name, T.Tid, "unexplained", nullptr, T.Unexplained, T.Wall, 0}, OS);
  }
  for (const Cost &C : top(R, A.Functions))
    write({"function", "", 0, "cpu", &P.Places[C.Place], C.Self, C.Total, 0}, OS);
  for (const Cost &C : top(R, A.Lines))
    write({"line", "", 0, "cpu", &P.Places[C.Place], C.Self, C.Total, 0}, OS);
  for (const Wait &W : top(R, A.Waits))
    write({"wait", A.Groups[W.Groups.front().first].Name, 0, toString(W.In), &P.Places[W.Place],
           W.Ns, W.Ns, W.Count},
          OS);
}

} // namespace causal::cpu
