//===- CPUDiff.cpp --------------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cpu/CPUDiff.h"
#include "Report.h"
#include "Terminal.h"
#include "cpu/CPUReport.h"
#include "lib/cpu/FrameNames.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"

#include <cmath>
#include <map>

using namespace llvm;

namespace causal::cpu {

namespace {

/// One of the two profiles, with its runs' average.
struct Side {
  explicit Side(const causal::Profile &From) : P(loadCPU(From)), A(accountOf(P)) {}
  double perRun(Time T) const { return double(T) / double(std::max<size_t>(1, P.Runs.size())); }

  CPUProfile P;
  Account A;
};

/// What stands for the same thing on both sides.
struct Row {
  std::string Name;
  double Before = 0, After = 0;
  double change() const { return After - Before; }
};

/// The largest changes first.
std::vector<Row> sorted(const std::map<std::string, Row> &Rows) {
  std::vector<Row> All;
  for (const auto &[Key, R] : Rows)
    All.push_back(R);
  llvm::sort(All, [](const Row &L, const Row &R) {
    return std::tuple(-std::fabs(L.change()), L.Name) < std::tuple(-std::fabs(R.change()), R.Name);
  });
  return All;
}

std::string changeText(const Row &R) {
  if (R.Before <= 0)
    return "new";
  if (R.After <= 0)
    return "gone";
  return formatv("{0}{1:f1} %", R.After < R.Before ? "" : "+", 100 * (R.After / R.Before - 1));
}

/// \p Total: of one side, below a thousandth of which a row tells nothing.
void write(StringRef Title, const std::vector<Row> &Rows, double Total, unsigned Top, size_t Width,
           raw_ostream &OS) {
  constexpr double WorthARow = 0.001;
  OS << "\n== " << Title << " ==\n"
     << formatv("  {0,10}  {1,10}  {2,10}  {3,10}\n", "before", "after", "change", "");
  size_t Shown = 0;
  auto Cell = [](double Ns) { return Ns > 0 ? formatTime(Ns) : std::string("-"); };
  for (const Row &R : Rows) {
    if (std::fabs(R.change()) < WorthARow * Total)
      break;
    if (Top && Shown++ == Top) {
      OS << "  ... more; --top=0 shows all\n";
      break;
    }
    std::string Change = (R.change() < 0 ? "-" : "+") + formatTime(std::fabs(R.change()));
    OS << formatv("  {0,10}  {1,10}  ", Cell(R.Before), Cell(R.After));
    WithColor(OS, R.change() < 0 ? raw_ostream::GREEN : raw_ostream::RED)
        << formatv("{0,10}  {1,10}", Change, changeText(R));
    OS << "  " << shortenCode(R.Name, Width > 76 ? Width - 52 : 24) << '\n';
  }
  if (Rows.empty() || std::fabs(Rows.front().change()) < WorthARow * Total)
    OS << "  nothing has changed by a thousandth\n";
}

void addFunctions(const Side &S, bool After, std::map<std::string, Row> &Rows) {
  for (const Cost &C : S.A.Functions) {
    const Place &L = S.P.Places[C.Place];
    // Lines move, and with them the place; another directory is another build of the same.
    Row &R = Rows[L.Function.empty() ? nameOf(S.P, L) : L.Function];
    R.Name = nameOf(S.P, L);
    (After ? R.After : R.Before) += S.perRun(C.Self);
  }
}

void addWaits(const Side &S, bool After, std::map<std::string, Row> &Rows) {
  for (const Wait &W : S.A.Waits) {
    const Place &L = S.P.Places[W.Place];
    std::string Name = (toString(W.In) + " in " + nameOf(S.P, L)).str();
    Row &R = Rows[Name];
    R.Name = Name;
    (After ? R.After : R.Before) += S.perRun(W.Ns);
  }
}

void addStates(const Side &S, bool After, std::map<std::string, Row> &Rows) {
  for (unsigned I = 0; I < NumStates; ++I) {
    Row &R = Rows[toString(State(I)).str()];
    R.Name = toString(State(I)).str();
    (After ? R.After : R.Before) += S.perRun(S.A.In[State(I)]);
  }
}

} // namespace

Error diffText(const causal::Profile &Before, const causal::Profile &After, unsigned Top,
               raw_ostream &OS) {
  Side B(Before), A(After);
  auto Wall = [](const Side &S) {
    Time Sum;
    for (const CPURun &R : S.P.Runs)
      Sum += R.Wall;
    return S.perRun(Sum);
  };
  Time CPU = B.A.In[State::CPU];
  OS << formatv("CPU time of a run: {0} before, {1} after; its wall time: {2} and {3} ({4} and {5} "
                "runs)\n",
                formatTime(B.perRun(CPU)), formatTime(A.perRun(A.A.In[State::CPU])),
                formatTime(Wall(B)), formatTime(Wall(A)), B.P.Runs.size(), A.P.Runs.size());
  if (B.P.Runs.size() == 1 || A.P.Runs.size() == 1)
    OS << "One run of a program differs from the next: several on each side tell more.\n";
  std::map<std::string, Row> States, Functions, Waits;
  for (auto [S, IsAfter] : {std::pair(&B, false), std::pair(&A, true)}) {
    addStates(*S, IsAfter, States);
    addFunctions(*S, IsAfter, Functions);
    addWaits(*S, IsAfter, Waits);
  }
  size_t Width = outputWidth();
  write("All threads of a run, by what they do", sorted(States), B.perRun(B.A.Life), 0, Width, OS);
  write("Functions, by CPU time of their own", sorted(Functions), B.perRun(CPU), Top, Width, OS);
  write("Waits", sorted(Waits), B.perRun(B.A.Life), Top, Width, OS);
  return Error::success();
}

/// Of a table of the page.
static constexpr unsigned MostRows = 1000;

Error diffPage(const causal::Profile &Before, const causal::Profile &After, SourceText &Source,
               raw_ostream &OS) {
  Side B(Before), A(After);
  json::Object Cpu = accountJSON(A.P, A.A, MostRows), Other = accountJSON(B.P, B.A, MostRows);
  addPageData(A.P, A.A, Source, Cpu);
  addPageData(B.P, B.A, Source, Other);
  for (StringRef Unused : {"sources", "slices", "threads", "waits", "lines"})
    Other.erase(Unused);
  Cpu["before"] = std::move(Other);
  json::Array Runs;
  for (const causal::Run &R : After.runs())
    Runs.push_back(json::Object{{"run", json::fixUTF8(R.Id)},
                                {"mode", "cpu"},
                                {"exe", json::fixUTF8(R.Exe)},
                                {"host", json::fixUTF8(R.Host)},
                                {"time", R.Time},
                                {"options", json::fixUTF8(R.Options)},
                                {"sampler", json::fixUTF8(R.Sampler)},
                                {"period_ns", R.Period},
                                {"build_id", json::fixUTF8(R.BuildId)},
                                {"experiments", 0}});
  json::Object Document{{"version", 1},
                        {"runs", std::move(Runs)},
                        {"warnings", json::Array()},
                        {"losses", json::Object()},
                        {"points", json::Array()},
                        {"cpu", std::move(Cpu)}};
  return writePage(std::move(Document), OS);
}

} // namespace causal::cpu
