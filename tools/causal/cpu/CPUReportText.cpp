//===- CPUReportText.cpp - Where threads' time goes, for a terminal -------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cpu/CPUReport.h"
#include "lib/cpu/FrameNames.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"

#include <set>

using namespace llvm;

namespace causal::cpu {

namespace {

constexpr size_t StateWidth = 10;

std::string count(uint64_t N, StringRef What) {
  return formatv("{0} {1}{2}", N, What, N == 1 ? "" : "s").str();
}

template <typename T> ArrayRef<T> top(const ReportData &R, const std::vector<T> &All) {
  return R.Top ? ArrayRef<T>(All).take_front(R.Top) : ArrayRef<T>(All);
}

void writeRest(size_t All, size_t Shown, StringRef What, raw_ostream &OS) {
  if (All > Shown)
    OS << "  ... " << count(All - Shown, ("more " + What).str()) << "; --top=0 shows all\n";
}

void writeHead(const ReportData &R, const CPUProfile &P, const Account &A, raw_ostream &OS) {
  std::set<std::string> Programs;
  Time Wall;
  int64_t Period = 0;
  for (const CPURun &Run : P.Runs) {
    Programs.insert(printable(Run.Exe.empty() ? "an unknown program" : Run.Exe));
    Wall += Run.Wall;
    Period = std::max(Period, Run.Period);
  }
  OS << "CPU profile of " << (Programs.empty() ? "nothing" : join(Programs, ", ")) << '\n';
  OS << count(P.Runs.size(), "run") << ", " << formatTime(double(Wall)) << "; "
     << count(P.Threads.size(), "thread") << " lived " << formatTime(double(A.Life)) << ", "
     << formatTime(double(A.In[State::CPU])) << " of it on a core; "
     << count(uint64_t(A.Samples), "sample");
  if (Period)
    OS << ", one every " << formatTime(double(Period)) << " of CPU time";
  OS << '\n';
  if (!R.HasCausal)
    for (const std::string &W : R.Warnings)
      OS << "Warning: " << W << '\n';
  for (const std::string &Each : answers(P, A))
    OS << Each << '\n';
}

void writeThreads(const ReportData &R, const Account &A, raw_ostream &OS) {
  std::vector<State> States = shownStates(A);
  OS << "\n== Where threads' time goes, in % of their lives ==\n";
  std::string Head = formatv("  {0,-24}{1,5}{2,9}", "thread", "n", "lived");
  for (State S : States)
    Head += formatv("{0,10}", toString(S));
  OS << Head << formatv("{0,10}\n", "unknown");
  auto Row = [&](StringRef Name, size_t N, Time Wall, const Times &In, Time Unexplained) {
    OS << formatv("  {0,-24}{1,5}{2,9}", shortenCode(printable(Name), 23), N,
                  formatTime(double(Wall)));
    for (State S : States)
      OS << formatv("{0,10}", percentOf(In[S], Wall));
    OS << formatv("{0,10}\n", percentOf(Unexplained, Wall));
  };
  size_t Threads = 0;
  for (const ThreadGroup &G : A.Groups)
    Threads += G.Threads.size();
  for (const ThreadGroup &G : top(R, A.Groups))
    Row(G.Name.empty() ? "(no name)" : G.Name, G.Threads.size(), G.Wall, G.In, G.Unexplained);
  writeRest(A.Groups.size(), top(R, A.Groups).size(), "group", OS);
  if (A.Groups.size() > 1)
    Row("all", Threads, A.Life, A.In, A.Unexplained);
}

void writeCosts(const ReportData &R, const CPUProfile &P, const Account &A, bool Lines,
                const StringMap<std::string> &Names, raw_ostream &OS) {
  const std::vector<Cost> &All = Lines ? A.Lines : A.Functions;
  // Nobody reads lines of libraries; their functions are there.
  std::vector<const Cost *> Useful;
  for (const Cost &C : All)
    if (C.Total && !(Lines && isSystem(P, P.Places[C.Place])))
      Useful.push_back(&C);
  if (Useful.empty())
    return;
  OS << "\n== Hottest " << (Lines ? "lines" : "functions") << ", in % of "
     << formatTime(double(A.In[State::CPU])) << " CPU time ==\n    self   total  "
     << (Lines ? "line" : "function") << '\n';
  size_t Shown = top(R, Useful).size();
  for (const Cost *Each : top(R, Useful)) {
    const Cost &C = *Each;
    const Place &L = P.Places[C.Place];
    std::string Numbers = formatv("  {0,6}  {1,6}  ", percentOf(C.Self, A.In[State::CPU]),
                                  percentOf(C.Total, A.In[State::CPU]));
    std::string At = placeText(L, Names);
    std::string Name = shortenCode(nameOf(P, L), R.Width - Numbers.size());
    if (Lines)
      std::swap(Name, At);
    bool Fits = Numbers.size() + Name.size() + At.size() + 2 <= R.Width;
    OS << Numbers << Name << (Fits && !At.empty() ? "  " + At : "") << '\n';
    if (Lines)
      if (std::optional<std::string> Text = R.Source.line(L.File, L.Line); Text && !Text->empty())
        OS << formatv("{0,16} | ", L.Line) << shortenCode(*Text, R.Width - 19) << '\n';
  }
  writeRest(Useful.size(), Shown, Lines ? "line" : "function", OS);
}

void writeWaker(const CPUProfile &P, const Account &A, const Wait &W,
                const StringMap<std::string> &Names, raw_ostream &OS) {
  constexpr unsigned MostWakers = 2, Callers = 3;
  for (const Waker &Each : ArrayRef(W.Wakers).take_front(MostWakers)) {
    OS << std::string(StateWidth + 16, ' ')
       << formatv("{0,5} % ended by ", percentOf(Each.Ns, W.Ns));
    if (Each.Place) {
      OS << shortNameOf(P, P.Places[*Each.Place]);
      if (std::string At = placeText(P.Places[*Each.Place], Names); !At.empty())
        OS << ' ' << At;
      if (std::string Chain = chainText(P, Each.Callers, Callers); !Chain.empty())
        OS << " ← " << Chain;
    }
    if (Each.Group)
      OS << (Each.Place ? ", " : "") << "thread " << printable(A.Groups[*Each.Group].Name);
    OS << '\n';
  }
}

void writeWaits(const ReportData &R, const CPUProfile &P, const Account &A,
                const StringMap<std::string> &Names, raw_ostream &OS) {
  constexpr unsigned Callers = 4;
  constexpr double WorthARow = 0.0005; // Of threads' lives.
  std::vector<const Wait *> Useful;
  for (const Wait &W : A.Waits)
    if (!R.Top || double(W.Ns) > WorthARow * double(A.Life))
      Useful.push_back(&W);
  if (Useful.empty())
    return;
  OS << "\n== What threads wait for ==\n"
     << formatv("  {0,9}  {1,-10}{2,7}  where\n", "time", "for", "times");
  for (const Wait *Each : top(R, Useful)) {
    const Wait &W = *Each;
    const Place &L = P.Places[W.Place];
    OS << formatv("  {0,9}  {1,-10}{2,7}  ", formatTime(double(W.Ns)), toString(W.In), W.Count)
       << shortNameOf(P, L);
    if (std::string At = placeText(L, Names); !At.empty())
      OS << ' ' << At;
    if (std::string Chain = chainText(P, W.Callers, Callers); !Chain.empty())
      OS << " ← " << Chain;
    OS << "; in " << whoWaits(A, W) << '\n';
    writeWaker(P, A, W, Names, OS);
  }
  writeRest(A.Waits.size(), top(R, Useful).size(), "wait", OS);
}

} // namespace

void Report::writeText(const ReportData &R, raw_ostream &OS) const {
  StringMap<std::string> Names = fileNames(P);
  writeHead(R, P, A, OS);
  if (P.Threads.empty())
    return;
  writeThreads(R, A, OS);
  writeCosts(R, P, A, /*Lines=*/false, Names, OS);
  writeCosts(R, P, A, /*Lines=*/true, Names, OS);
  writeWaits(R, P, A, Names, OS);
  OS << "\nSee all of it as a flame graph: causal report --html page.html\n";
}

} // namespace causal::cpu
