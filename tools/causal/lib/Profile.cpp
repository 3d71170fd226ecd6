//===- Profile.cpp --------------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Profile.h"

#include <algorithm>

using namespace llvm;

namespace causal {

unsigned Profile::internRun(StringRef Id) {
  auto [It, New] = RunIds.try_emplace(Id, Runs.size());
  if (New) {
    Runs.emplace_back();
    Runs.back().Id = Id.str();
  }
  return It->second;
}

unsigned Profile::internLine(StringRef File, unsigned Line,
                             StringRef Function) {
  unsigned FileId = FileIds.try_emplace(File, FileIds.size()).first->second;
  auto [It, New] = LineIds.try_emplace({FileId, Line}, Lines.size());
  if (New)
    Lines.push_back({File.str(), Line, Function.str()});
  else if (Lines[It->second].Function.empty())
    Lines[It->second].Function = Function.str();
  return It->second;
}

unsigned Profile::internPoint(StringRef Name, PointKind Kind) {
  // Throughput and latency points have separate name spaces.
  std::string Key = (Kind == PointKind::Latency ? "l:" : "t:") + Name.str();
  auto [It, New] = PointIds.try_emplace(Key, Points.size());
  if (New)
    Points.push_back({Name.str(), Kind});
  return It->second;
}

void Profile::setHeader(unsigned RunIndex, Run Header) {
  Run &R = Runs[RunIndex];
  if (R.HasHeader)
    return;
  Header.Id = R.Id;
  Header.HasHeader = true;
  Header.Last = std::move(R.Last);
  Header.Experiments = std::move(R.Experiments);
  R = std::move(Header);
}

void Profile::addExperiment(Experiment E) {
  if (Runs[E.Run].Experiments.try_emplace(E.Index, Experiments.size()).second)
    Experiments.push_back(std::move(E));
}

void Profile::addSnapshot(unsigned RunIndex, Snapshot S) {
  std::optional<Snapshot> &Last = Runs[RunIndex].Last;
  if (!Last || S.Index > Last->Index)
    Last = std::move(S);
}

double effectiveTime(const Profile &P, const Run &R) {
  if (R.Last)
    return double(R.Last->Wall) - double(R.Last->Delay);
  double End = 0, Delay = 0;
  for (auto [Index, Id] : R.Experiments) {
    const Experiment &E = P.experiments()[Id];
    End = std::max(End, double(E.Start) + double(E.Wall));
    Delay += double(E.Delay);
  }
  return End - Delay;
}

} // namespace causal
