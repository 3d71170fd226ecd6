//===- CPUReportMarkdown.cpp - Where threads' time goes, as Markdown ------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cpu/CPUReport.h"
#include "lib/cpu/FrameNames.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

#include <set>

using namespace llvm;

namespace causal::cpu {

namespace {

template <typename T> ArrayRef<T> top(const ReportData &R, const std::vector<T> &All) {
  return R.Top ? ArrayRef<T>(All).take_front(R.Top) : ArrayRef<T>(All);
}

std::string where(const CPUProfile &P, unsigned Place, const StringMap<std::string> &Names) {
  std::string At = placeText(P.Places[Place], Names);
  return markdownCode(shortNameOf(P, P.Places[Place])) + (At.empty() ? "" : " " + markdownCode(At));
}

void writeThreads(const ReportData &R, const Account &A, raw_ostream &OS) {
  std::vector<State> States = shownStates(A);
  OS << "\n#### Where threads' time goes, in % of their lives\n\n| thread | n | lived |";
  for (State S : States)
    OS << ' ' << toString(S) << " |";
  OS << " unknown |\n| --- | --: | --: |";
  for (size_t I = 0; I <= States.size(); ++I)
    OS << " --: |";
  OS << '\n';
  for (const ThreadGroup &G : top(R, A.Groups)) {
    OS << "| " << markdownCode(G.Name) << " | " << G.Threads.size() << " | "
       << formatTime(double(G.Wall)) << " |";
    for (State S : States)
      OS << ' ' << percentOf(G.In[S], G.Wall) << " |";
    OS << ' ' << percentOf(G.Unexplained, G.Wall) << " |\n";
  }
}

void writeFunctions(const ReportData &R, const CPUProfile &P, const Account &A,
                    const StringMap<std::string> &Names, raw_ostream &OS) {
  Time CPU = A.In[State::CPU];
  if (A.Functions.empty() || !CPU)
    return;
  OS << "\n#### Hottest functions, in % of " << formatTime(double(CPU))
     << " CPU time\n\n| self | total | function |\n| --: | --: | --- |\n";
  for (const Cost &C : top(R, A.Functions))
    if (C.Total)
      OS << "| " << percentOf(C.Self, CPU) << " | " << percentOf(C.Total, CPU) << " | "
         << where(P, C.Place, Names) << " |\n";
}

void writeWaits(const ReportData &R, const CPUProfile &P, const Account &A,
                const StringMap<std::string> &Names, raw_ostream &OS) {
  if (A.Waits.empty())
    return;
  OS << "\n#### What threads wait for\n\n| time | for | times | where | who | ended by |\n"
        "| --: | --- | --: | --- | --- | --- |\n";
  for (const Wait &W : top(R, A.Waits)) {
    OS << "| " << formatTime(double(W.Ns)) << " | " << toString(W.In) << " | " << W.Count << " | "
       << where(P, W.Place, Names) << " | " << markdownCode(whoWaits(A, W)) << " | ";
    if (!W.Wakers.empty() && W.Wakers.front().Place)
      OS << where(P, *W.Wakers.front().Place, Names) << " (" << percentOf(W.Wakers.front().Ns, W.Ns)
         << " %)";
    OS << " |\n";
  }
}

} // namespace

void Report::writeMarkdown(const ReportData &R, raw_ostream &OS) const {
  StringMap<std::string> Names = fileNames(P);
  std::set<std::string> Programs;
  Time Wall;
  for (const CPURun &Run : P.Runs) {
    Programs.insert(sys::path::filename(Run.Exe).str());
    Wall += Run.Wall;
  }
  OS << "### CPU profile of ";
  const char *Separator = "";
  for (const std::string &Program : Programs) {
    OS << Separator << markdownCode(Program);
    Separator = ", ";
  }
  OS << formatv("\n\n{0} run{1} of {2} in all, {3} thread{4}, {5} on a core.\n", P.Runs.size(),
                P.Runs.size() == 1 ? "" : "s", formatTime(double(Wall)), P.Threads.size(),
                P.Threads.size() == 1 ? "" : "s", formatTime(double(A.In[State::CPU])));
  if (!R.HasCausal)
    for (const std::string &W : R.Warnings)
      OS << "\n> **Warning:** " << markdownText(W) << '\n';
  for (const std::string &Each : answers(P, A))
    OS << "\n" << markdownText(Each) << '\n';
  writeThreads(R, A, OS);
  writeFunctions(R, P, A, Names, OS);
  writeWaits(R, P, A, Names, OS);
}

} // namespace causal::cpu
