//===- ByInput.cpp --------------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "input/ByInput.h"
#include "input/InputReport.h"
#include "lib/container/RunModes.h"
#include "lib/input/InputModel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace llvm;

namespace causal {

namespace {

constexpr unsigned ColumnWidth = 16;

std::string nameOfLine(const Profile &P, const LineCurve &C) {
  const SourceLine &L = P.lines()[C.Line];
  return placeOf(L, L.File) + functionOf(L);
}

/// The first point that has an answer.
const PointReport *answerOf(const Workload &W) {
  auto It = find_if(W.Points, [](const PointReport &PR) { return !PR.Curves.empty(); });
  return It == W.Points.end() ? nullptr : &*It;
}

} // namespace

Error measureInput(const Profile &P, StringRef Routine, Workload &W) {
  auto Has = [&](RunMode Mode) {
    return any_of(P.runs(), [&](const Run &R) { return R.Mode == Mode; });
  };
  if (!Has(RunMode::Input) || !Has(RunMode::Causal)) {
    bool Input = !Has(RunMode::Input);
    return createStringError(inconvertibleErrorCode(),
                             W.Name + " has " + describeModes(P) +
                                 ", and --by-input needs causal runs and runs of "
                                 "mode=input of the same workload. Run the program, "
                                 "built with -fcausal-profile" +
                                 (Input ? "=input" : "") +
                                 ", on that workload with CAUSAL_OPTIONS=output=" + W.Name);
  }
  Expected<std::vector<InputModel>> Models = readInputModels(P);
  if (!Models)
    return Models.takeError();
  double Weight = 0, Sum = 0;
  for (unsigned Index : findRoutines(Models->front(), Routine)) {
    const InputRoutine &R = Models->front().Routines[Index];
    W.Calls += R.Calls;
    for (const InputPoint &Point : R.Points) {
      Weight += Point.Sum;
      Sum += Point.Sum * double(Point.Input);
    }
  }
  if (!W.Calls)
    return createStringError(inconvertibleErrorCode(),
                             W.Name + ": " + Routine +
                                 " was never called, or has been inlined; causal report "
                                 "--mode=input lists the routines");
  W.Input = Weight > 0 ? Sum / Weight : 0;
  return Error::success();
}

Error writeByInput(ArrayRef<Workload> Workloads, StringRef Routine, unsigned Speedup, unsigned Top,
                   raw_ostream &OS) {
  for (const Workload &W : Workloads)
    if (!answerOf(W))
      return createStringError(inconvertibleErrorCode(),
                               W.Name + " has too few experiments to rank anything; run it longer");
  // The best of each, so that what matters at one input is seen at all.
  std::vector<std::string> Rows;
  for (const Workload &W : reverse(Workloads))
    for (const LineCurve &C :
         ArrayRef(answerOf(W)->Curves).take_front(Top ? Top : answerOf(W)->Curves.size()))
      if (std::string Name = nameOfLine(W.Causal, C); !is_contained(Rows, Name))
        Rows.push_back(Name);
  OS << "What making code " << Speedup << " % faster brings, by the input of " << printable(Routine)
     << " (program faster by %, ± 95 % interval)\n";
  auto Column = [&](const std::string &Text) { OS << right_justify(Text, ColumnWidth); };
  OS << "input of a call ";
  for (const Workload &W : Workloads)
    Column(formatCount(W.Input));
  OS << "\ncalls           ";
  for (const Workload &W : Workloads)
    Column(formatCount(double(W.Calls)));
  OS << '\n';
  for (const std::string &Row : Rows) {
    OS << std::string(16, ' ');
    for (const Workload &W : Workloads) {
      auto &Curves = answerOf(W)->Curves;
      auto It = find_if(Curves, [&](const LineCurve &C) { return nameOfLine(W.Causal, C) == Row; });
      OS << formatGain(It == Curves.end() ? std::nullopt : It->gainAt(Speedup), ColumnWidth);
    }
    OS << "  " << Row << '\n';
  }
  auto Best = [](const Workload &W) -> std::string {
    const LineCurve &C = answerOf(W)->Curves.front();
    return C.Says == Verdict::SpeedsUp ? nameOfLine(W.Causal, C) : "nothing that is known";
  };
  const Workload &Small = Workloads.front(), &Large = Workloads.back();
  if (&Small != &Large)
    OS << formatv("At inputs of {0} the limit is {1}; at {2}, {3:f1} times as much, {4}.\n",
                  formatCount(Small.Input), Best(Small), formatCount(Large.Input),
                  Large.Input / std::max(1.0, Small.Input),
                  Best(Large) == Best(Small) ? "it still is" : "it is " + Best(Large));
  else
    OS << "One workload: name a file for each, with smaller and larger inputs.\n";
  OS << "Each file stands for one workload; its causal runs and its runs of mode=input are "
        "taken to have had the same inputs.\n";
  return Error::success();
}

} // namespace causal
