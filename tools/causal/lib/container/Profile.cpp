//===- Profile.cpp --------------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/container/Profile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"

#include <algorithm>

using namespace llvm;

namespace causal {

const char *toString(TargetKind Kind) {
  switch (Kind) {
  case TargetKind::Line:
    return "line";
  case TargetKind::Function:
    return "function";
  case TargetKind::Section:
    return "section";
  }
  return "";
}

unsigned Profile::internRun(StringRef Id) {
  auto [It, New] = RunIds.try_emplace(Id, Runs.size());
  if (New) {
    Runs.emplace_back();
    Runs.back().Id = Id.str();
  }
  return It->second;
}

unsigned Profile::internLine(StringRef File, unsigned Line, StringRef Function, TargetKind Kind) {
  SmallString<128> Other;
  if (Kind != TargetKind::Line) {
    (Other = File) += Twine(char(Kind)).str();
    if (Kind == TargetKind::Function)
      Other += Function;
  }
  StringRef Key = Kind == TargetKind::Line ? File : StringRef(Other);
  unsigned FileId = FileIds.try_emplace(Key, FileIds.size()).first->second;
  auto [It, New] = LineIds.try_emplace({FileId, Line}, Lines.size());
  if (New)
    Lines.push_back({File.str(), Line, Function.str(), Kind});
  else if (Lines[It->second].Function.empty())
    Lines[It->second].Function = Function.str();
  return It->second;
}

const PointWords &wordsFor(PointKind Kind) {
  static constexpr PointWords Words[] = {{"throughput", "throughput point", "visit", "per visit"},
                                         {"latency", "latency point", "end", "from begin to end"},
                                         {"run", "end to end", "run", "per run"}};
  return Words[unsigned(Kind)];
}

unsigned Profile::internPoint(StringRef Name, PointKind Kind) {
  // Each kind has its own name space.
  SmallString<64> Key;
  (Twine(wordsFor(Kind).Kind) + ":" + Name).toVector(Key);
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
  Header.ModeRecords = std::move(R.ModeRecords);
  StringRef Id = Header.BuildId.empty() ? Header.Exe : Header.BuildId;
  auto [It, New] = BuildIds.try_emplace(Id, Builds.size());
  if (New)
    Builds.emplace_back().Id = Id.str();
  Header.Build = It->second;
  R = std::move(Header);
}

void Profile::addModeRecord(unsigned RunIndex, RunMode Mode, StringRef Text) {
  Run &R = Runs[RunIndex];
  if (!R.HasHeader)
    R.Mode = Mode;
  if (ModeTexts.insert(Text).second)
    R.ModeRecords.push_back(Text);
}

void Profile::noteLine(unsigned RunIndex, unsigned Line, StringRef Function) {
  if (!Runs[RunIndex].HasHeader)
    return;
  auto &Functions = Builds[Runs[RunIndex].Build].Functions;
  if (auto [It, New] = Functions.try_emplace(Line); New)
    It->second = FunctionNames.insert(Function).first->getKey();
}

bool Profile::counts(const Run &R, TargetKind Kind) const {
  return R.Last && !R.Last->Lines.empty() && Lines[R.Last->Lines.begin()->first].Kind == Kind;
}

unsigned Profile::addTwin(unsigned Line, StringRef Function) {
  Lines.push_back({Lines[Line].File, Lines[Line].Line, Function.str(), Lines[Line].Kind});
  return Lines.size() - 1;
}

void Profile::moveLines(unsigned BuildIndex, const DenseMap<unsigned, unsigned> &To) {
  auto Moved = [&](unsigned Line) {
    auto It = To.find(Line);
    return It == To.end() ? Line : It->second;
  };
  for (Experiment &E : Experiments)
    if (Runs[E.Run].HasHeader && Runs[E.Run].Build == BuildIndex)
      E.Line = Moved(E.Line);
  for (Run &R : Runs) {
    if (!R.HasHeader || R.Build != BuildIndex || !R.Last)
      continue;
    std::map<unsigned, LineCounts> Lines;
    for (const auto &[Line, Counts] : R.Last->Lines) {
      LineCounts &Sum = Lines[Moved(Line)];
      Sum.Samples += Counts.Samples;
      Sum.UndelayedSamples += Counts.UndelayedSamples;
    }
    R.Last->Lines = std::move(Lines);
  }
}

Profile Profile::select(function_ref<bool(const Run &)> Keep) const {
  Profile P;
  P.Lines = Lines;
  P.Points = Points;
  P.Buffers = Buffers;
  P.FunctionNames = FunctionNames;
  P.Runs.reserve(Runs.size());
  for (const Run &R : Runs) {
    if (!Keep(R))
      continue;
    unsigned Index = P.internRun(R.Id);
    if (R.HasHeader)
      P.setHeader(Index, R);
    if (R.HasHeader)
      P.Builds[P.Runs[Index].Build].Functions = Builds[R.Build].Functions;
    P.Runs[Index].Mode = R.Mode;
    P.Runs[Index].ModeRecords = R.ModeRecords;
    P.Runs[Index].Last = R.Last;
    P.Runs[Index].VoidExperiments = R.VoidExperiments;
    P.Runs[Index].Experiments.clear();
    for (auto [Number, Id] : R.Experiments) {
      Experiment E = Experiments[Id];
      E.Run = Index;
      P.addExperiment(std::move(E));
    }
  }
  return P;
}

const Measurement *Experiment::at(unsigned Point) const {
  auto It = lower_bound(Points, Point,
                        [](const Measurement &M, unsigned Point) { return M.Point < Point; });
  return It != Points.end() && It->Point == Point ? &*It : nullptr;
}

void Profile::addExperiment(Experiment E) {
  auto &Known = Runs[E.Run].Experiments;
  size_t Before = Known.size();
  Known.try_emplace(Known.end(), E.Index, Experiments.size()); // Most are in order.
  if (Known.size() > Before)
    Experiments.push_back(std::move(E));
}

void Profile::addSnapshot(unsigned RunIndex, Snapshot S) {
  std::optional<Snapshot> &Last = Runs[RunIndex].Last;
  if (!Last || S.Index > Last->Index)
    Last = std::move(S);
}

bool areTwins(const Profile &P, unsigned A, unsigned B) {
  if (P.points()[A].Kind != P.points()[B].Kind)
    return false;
  for (const Experiment &E : P.experiments()) {
    const Measurement *OfA = E.at(A), *OfB = E.at(B);
    if (!OfA != !OfB || (OfA && OfA->values() != OfB->values()))
      return false;
  }
  return true;
}

bool isSingleThreaded(const Profile &P) {
  return !P.runs().empty() &&
         llvm::all_of(P.runs(), [](const Run &R) { return R.Last && R.Last->Lost.Threads == 1; });
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
