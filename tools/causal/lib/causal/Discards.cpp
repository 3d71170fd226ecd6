//===- Discards.cpp -------------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/causal/Discards.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <vector>

using namespace llvm;

namespace causal {

namespace {

// Waits for cores, per CPU time; idle time, per effective time; what is stolen of the cores'.
constexpr double Seldom = 0.05, Often = 0.1;
/// More than one window of IdleTime in an experiment of 100 ms: one may be chance.
constexpr double Idles = 0.25;
/// With so much of the time of the cores, the program was in its own way.
constexpr double Filled = 0.85;
/// Experiments from here on are large speedups; percent.
constexpr unsigned Large = 50;

double waits(const Experiment &E) { return E.Work > 0 ? double(E.Waited) / double(E.Work) : 0; }

/// What the host of a virtual machine had of the cores around each experiment of a run: its
/// ticks are too coarse for a tenth of a second.
std::vector<double> stolen(ArrayRef<const Experiment *> InOrder, int64_t Cores) {
  constexpr int64_t Around = 500000000;
  std::vector<double> Shares;
  double Stolen = 0, Time = 0;
  size_t Begin = 0, End = 0;
  for (const Experiment *E : InOrder) {
    for (; End < InOrder.size() && InOrder[End]->Start < E->Start + E->Wall + Around; ++End) {
      Stolen += double(InOrder[End]->Stolen);
      Time += double(Cores) * double(InOrder[End]->Wall);
    }
    for (; InOrder[Begin]->Start + InOrder[Begin]->Wall < E->Start - Around; ++Begin) {
      Stolen -= double(InOrder[Begin]->Stolen);
      Time -= double(Cores) * double(InOrder[Begin]->Wall);
    }
    Shares.push_back(Time > 0 ? Stolen / Time : 0);
  }
  return Shares;
}

/// Nobody is delayed while nobody is at work.
double idles(const Experiment &E) {
  return E.Idle > 0 ? double(E.Idle) / double(std::max<int64_t>(E.effective(), 1)) : 0;
}

/// Whether the program's threads had all the cores. While they pause, one of them does not.
bool filledCores(const Experiment &E, int64_t Cores) {
  double Pause = double(std::min(E.Pause, E.Wall));
  return double(E.Work) >= Filled * (double(Cores) * (double(E.Wall) - Pause) + Pause);
}

/// \p Value is small in at least half of them.
template <typename Function>
bool isSeldom(ArrayRef<const Experiment *> Experiments, Function Value) {
  size_t Above = count_if(Experiments, [&](auto *E) { return Value(*E) > Seldom; });
  return Above <= Experiments.size() / 2;
}

/// See Discards::lostToOthers().
template <typename Predicate>
double lost(ArrayRef<const Experiment *> OfRun, Predicate IsDisturbed) {
  double Work = 0, Clean = 0, All = 0, Lost = 0;
  // A record may say that more was delayed than there was.
  auto Time = [](const Experiment &E) { return std::max(double(E.effective()), 0.0); };
  for (const Experiment *E : OfRun)
    if (E->Speedup == 0 && !IsDisturbed(*E)) {
      Work += double(E->Work);
      Clean += Time(*E);
    }
  if (!(Work > 0 && Clean > 0))
    return 0;
  for (const Experiment *E : OfRun)
    if (E->Speedup == 0) {
      All += Time(*E);
      if (IsDisturbed(*E))
        Lost += std::max(0.0, Time(*E) - double(E->Work) * Clean / Work);
    }
  return Lost / All;
}

} // namespace

Discards::Discards(const Profile &P)
    : First(P.experiments().data()), FirstRun(P.runs().data()), Lost(P.runs().size()),
      Disturbed(unsigned(P.experiments().size())), Idle(Disturbed.size()) {
  std::vector<const Experiment *> Faster, Others, OfRun;
  for (const Experiment &E : P.experiments())
    (E.Speedup >= Large ? Faster : Others).push_back(&E);
  // Were large speedups to make a program idle, what is left of them would mislead.
  SeldomIdle = isSeldom(Faster, idles) && isSeldom(Others, idles);
  for (const Experiment &E : P.experiments())
    if (SeldomIdle && idles(E) > Idles)
      Idle.set(unsigned(&E - First));

  for (const Run &R : P.runs()) {
    if (!R.Cores)
      continue;
    OfRun.clear();
    for (auto [Index, Id] : R.Experiments)
      OfRun.push_back(First + Id);
    std::vector<double> Stolen = stolen(OfRun, R.Cores);
    if (2 * count_if(Stolen, [](double S) { return S > Seldom; }) <= long(OfRun.size()))
      for (size_t I = 0; I < OfRun.size(); ++I)
        if (Stolen[I] > Often && !isIdle(*OfRun[I]))
          Disturbed.set(unsigned(OfRun[I] - First));
    if (isSeldom(OfRun, waits))
      for (const Experiment *E : OfRun)
        if (waits(*E) > Often && !filledCores(*E, R.Cores) && !isIdle(*E))
          Disturbed.set(unsigned(E - First));
    Lost[&R - FirstRun] = lost(OfRun, [&](const Experiment &E) { return isDisturbed(E); });
  }
}

} // namespace causal
