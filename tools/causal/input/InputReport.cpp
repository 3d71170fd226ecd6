//===- InputReport.cpp - The report on inputs, to read --------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "input/InputReport.h"
#include "Terminal.h"
#include "lib/container/SourceText.h"
#include "lib/input/RoutineName.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"

#include <algorithm>
#include <cmath>

using namespace llvm;

namespace causal {

namespace {

constexpr size_t MaxUnder = 4;

std::string plural(double N, StringRef What) {
  return formatCount(N) + " " + What.str() + (N == 1 ? "" : "s");
}

std::string percent(double Fraction) { return formatv("{0:f1}", 100 * Fraction).str(); }

/// "12-5.00k": the smallest and the largest input.
std::string formatInputs(const InputRoutine &R) {
  if (R.Points.empty())
    return "-";
  std::string Low = formatCount(double(R.Points.front().Input)),
              High = formatCount(double(R.Points.back().Input));
  return Low == High ? Low : Low + "-" + High;
}

std::pair<double, double> induced(const InputRoutine &R) {
  double Thread = 0, External = 0, All = R.input();
  for (const InputPoint &P : R.Points) {
    Thread += double(P.ThreadInput);
    External += double(P.ExternalInput);
  }
  return All > 0 ? std::make_pair(Thread / All, External / All) : std::make_pair(0.0, 0.0);
}

} // namespace

std::string formatCount(double N) {
  if (N < 1000)
    return formatv(N == std::floor(N) || N >= 100 ? "{0:f0}" : "{0:f1}", N).str();
  for (auto [Size, Unit] : {std::pair(1e3, "k"), {1e6, "M"}, {1e9, "G"}, {1e12, "T"}, {1e15, "P"}})
    if (N < 999.5 * Size || Size == 1e15) {
      double Digits = N / Size;
      return formatv(Digits < 9.995   ? "{0:f2}{1}"
                     : Digits < 99.95 ? "{0:f1}{1}"
                                      : "{0:f0}{1}",
                     Digits, Unit)
          .str();
    }
  return "";
}

std::string formatGrowth(const Growth &G) {
  std::string Text = describeGrowth(G);
  if (G.Is == Growth::Known)
    Text += formatv(" ({0:f0} %)", std::min(99.0, 100 * G.Confidence)).str();
  return Text;
}

std::string formatExponent(const Growth &G) {
  if (G.Is != Growth::Known)
    return "-";
  return formatv("{0:f2} ({1:f2} to {2:f2})", G.Exponent.Value, G.Exponent.Low, G.Exponent.High)
      .str();
}

std::string routineName(const InputRoutine &R) {
  std::string Text = printable(shortRoutineName(R.Name));
  if (R.Thread)
    Text += " [thread " + std::to_string(*R.Thread) + "]";
  return Text;
}

InputReport::InputReport(const Profile &P, std::vector<InputModel> TheModels)
    : Models(std::move(TheModels)) {
  for (const Run &R : P.runs())
    if (R.Mode == RunMode::Input && !R.Exe.empty() && !is_contained(Programs, R.Exe))
      Programs.push_back(R.Exe);
  Ranks = rankRoutines(model());
  std::vector<StringRef> Files;
  for (const InputRoutine &R : model().Routines)
    Files.push_back(R.File);
  FileNames = shortNames(Files);
}

std::string InputReport::place(const InputRoutine &R) const {
  if (R.File.empty())
    return "";
  return printable(FileNames.lookup(R.File)) + (R.Line ? ":" + std::to_string(R.Line) : "");
}

std::string InputReport::head() const {
  const InputModel &M = model();
  std::vector<std::string> Parts = {plural(M.Runs, "run")};
  if (M.Threads)
    Parts.push_back(plural(M.Threads, "thread"));
  std::string Cells = M.Metric + " in cells";
  if (M.Cell)
    Cells += " of " + plural(double(M.Cell), "byte");
  Parts.push_back(Cells);
  Parts.push_back(plural(double(M.Routines.size()), "routine"));
  Parts.push_back(formatCount(M.Total) + " " + M.Unit);
  return join(Parts, ", ");
}

std::string InputReport::numbers(const RootCause &C) const {
  const InputRoutine &R = model().Routines[C.Routine];
  const Growth &G = Ranks.Growths[C.Routine].Mean;
  std::string Low = formatCount(G.AtTwice.Low), High = formatCount(G.AtTwice.High);
  return formatv("{0}, inputs {1}; a call with {2} costs {3}, one with {4} would cost {5}{6}",
                 plural(double(R.Calls), "call"), formatInputs(R), formatCount(G.Largest),
                 formatCount(G.best().at(G.Largest)), formatCount(2 * G.Largest),
                 formatCount(G.AtTwice.Value), Low == High ? "" : " (" + Low + " to " + High + ")")
      .str();
}

std::string InputReport::under(const RootCause &C) const {
  std::vector<std::string> Names;
  for (const CallerUnder &Each : ArrayRef(C.Under).take_front(MaxUnder)) {
    std::string Name = routineName(model().Routines[Each.Routine]);
    const Growth &G = Ranks.Growths[Each.Routine].Mean;
    if (G.Is == Growth::Known)
      Name += " (" + describeGrowth(G) + ")";
    if (Each.Share < 0.995)
      Name += " " + formatv("{0:f0} %", 100 * Each.Share).str();
    Names.push_back(Name);
  }
  std::string Text = join(Names, ", ");
  if (C.Under.size() > MaxUnder)
    Text += ", " + std::to_string(C.Under.size() - MaxUnder) + " more";
  return Text;
}

void InputReport::writeCause(const ReportData &D, unsigned Rank, const RootCause &C,
                             raw_ostream &OS) const {
  const InputRoutine &R = model().Routines[C.Routine];
  const Growth &G = Ranks.Growths[C.Routine].Mean;
  OS << formatv("{0,3} {1,7}  ", Rank, percent(C.Share));
  WithColor(OS, C.Sure ? raw_ostream::RED : raw_ostream::YELLOW, C.Sure)
      << formatv("{0,-28}", formatGrowth(G));
  OS << formatv(" {0,-20}  ", formatExponent(G));
  std::string Where = place(R);
  OS << shortenCode(routineName(R), D.Width - std::min<size_t>(70, D.Width / 2))
     << (Where.empty() ? "" : "  " + Where) << '\n';
  std::string Indent(14, ' ');
  if (std::optional<std::string> Text = R.Line ? D.Source.line(R.File, R.Line) : std::nullopt;
      Text && !Text->empty())
    OS << formatv("{0,12} | ", R.Line) << shortenCode(*Text, D.Width - 16) << '\n';
  OS << Indent << "= " << (C.Sure ? "" : "may be: ") << printable(describeCause(model(), Ranks, C))
     << '\n';
  OS << Indent << "  " << numbers(C) << '\n';
  if (std::string Under = under(C); !Under.empty())
    OS << Indent << "  callers that grow with it: " << Under << '\n';
}

void InputReport::writeRoutine(const ReportData &D, unsigned Rank, unsigned Index,
                               raw_ostream &OS) const {
  const InputRoutine &R = model().Routines[Index];
  const Growth &G = Ranks.Growths[Index].Mean;
  auto [Thread, External] = induced(R);
  double Total = std::max(1.0, model().Total);
  std::string Row =
      formatv("{0,3} {1,6} {2,6} {3,7} {4,13}  {5,-28} {6,-20} {7,4:f0} {8,4:f0}  ", Rank,
              percent(R.Self / Total), percent(std::min(1.0, R.Inclusive / Total)),
              formatCount(double(R.Calls)), formatInputs(R), formatGrowth(G), formatExponent(G),
              100 * Thread, 100 * External)
          .str();
  std::string Where = place(R);
  size_t Room = std::max<size_t>(D.Width, Row.size() + 24) - Row.size();
  std::string Name = routineName(R);
  if (!Where.empty() && Name.size() + 2 + Where.size() <= Room)
    Name += "  " + Where;
  OS << Row << shortenCode(Name, Room) << '\n';
}

std::vector<unsigned> InputReport::shown(const ReportData &D) const {
  ArrayRef<unsigned> All = Ranks.ByCost;
  return D.Top ? All.take_front(D.Top).vec() : All.vec();
}

void InputReport::writeText(const ReportData &D, raw_ostream &OS) const {
  OS << "Input profile of "
     << (Programs.empty() ? "an unknown program" : printable(join(Programs, ", "))) << '\n'
     << head() << '\n';
  for (const std::string &W : model().Warnings)
    OS << "Warning: " << W << '\n';
  OS << "\n== What makes cost grow faster than input ==\n";
  if (Ranks.Causes.empty()) {
    OS << "Nothing that the inputs of " << (model().Runs == 1 ? "this run" : "these runs")
       << " show.\n";
  } else {
    OS << "  #  share%  growth of a call's cost      exponent              routine\n";
    unsigned Rank = 0;
    for (const RootCause &C : Ranks.Causes) {
      if (D.Top && Rank == D.Top) {
        OS << "... " << Ranks.Causes.size() - Rank << " more; --top=0 shows all\n";
        break;
      }
      writeCause(D, ++Rank, C, OS);
    }
    OS << "share: of the program's cost, what would go if it grew like its input\n";
  }
  OS << "\n== Routines by their own cost ==\n"
        "  #   own%   all%   calls        inputs  growth                       exponent         "
        "    thr% ext%  routine\n";
  unsigned Rank = 0;
  for (unsigned Index : shown(D))
    writeRoutine(D, ++Rank, Index, OS);
  if (Rank < Ranks.ByCost.size())
    OS << "... " << plural(double(Ranks.ByCost.size() - Rank), "more routine")
       << "; --top=0 shows all\n";
  OS << "all: with callees; thr, ext: of the input, what other threads and the outside world "
        "wrote\n";
  if (!model().Uninstrumented.empty())
    OS << "not instrumented, so what they read and write is not seen: "
       << printable(join(model().Uninstrumented, ", ")) << '\n';
  size_t Unknown = count_if(Ranks.Growths, [](auto &G) { return G.Mean.Is != Growth::Known; });
  if (Unknown)
    OS << plural(double(Unknown), "routine") << " had fewer than " << LeastInputs
       << " inputs, or their inputs span less than " << formatCount(LeastSpan)
       << "x: run the program with smaller and larger inputs; profiles add up\n";
}

void InputReport::writeMarkdown(const ReportData &D, raw_ostream &OS) const {
  OS << "## How cost grows with input\n\n" << head() << "\n\n";
  for (const std::string &W : model().Warnings)
    OS << "> Warning: " << markdownCode(W) << "\n\n";
  if (Ranks.Causes.empty()) {
    OS << "Nothing grows faster than its input, as far as these inputs show.\n";
  } else {
    OS << "| # | share | growth | exponent | routine | why | callers that grow with it |\n"
          "|--:|--:|:--|:--|:--|:--|:--|\n";
    unsigned Rank = 0;
    for (const RootCause &C : Ranks.Causes) {
      if (D.Top && Rank == D.Top)
        break;
      const InputRoutine &R = model().Routines[C.Routine];
      const Growth &G = Ranks.Growths[C.Routine].Mean;
      std::string Where = place(R), Under = under(C);
      OS << "| " << ++Rank << " | " << percent(C.Share) << " % | " << formatGrowth(G) << " | "
         << formatExponent(G) << " | " << markdownCode(routineName(R))
         << (Where.empty() ? "" : " " + markdownCode(Where)) << " | " << (C.Sure ? "" : "may be: ")
         << markdownCode(describeCause(model(), Ranks, C)) << " | "
         << (Under.empty() ? "" : markdownCode(Under)) << " |\n";
    }
  }
  OS << "\n| # | own | all | calls | inputs | growth | exponent | thread | external | routine |\n"
        "|--:|--:|--:|--:|--:|:--|:--|--:|--:|:--|\n";
  unsigned Rank = 0;
  for (unsigned Index : shown(D)) {
    const InputRoutine &R = model().Routines[Index];
    const Growth &G = Ranks.Growths[Index].Mean;
    auto [Thread, External] = induced(R);
    double Total = std::max(1.0, model().Total);
    OS << formatv("| {0} | {1} % | {2} % | {3} | {4} | {5} | {6} | {7:f0} % | {8:f0} % | {9} |\n",
                  ++Rank, percent(R.Self / Total), percent(std::min(1.0, R.Inclusive / Total)),
                  formatCount(double(R.Calls)), formatInputs(R), formatGrowth(G), formatExponent(G),
                  100 * Thread, 100 * External, markdownCode(routineName(R)));
  }
}

Expected<std::unique_ptr<ReportPart>> makeInputReport(const Profile &P, bool ThreadsApart) {
  InputOptions Options;
  Options.ThreadsApart = ThreadsApart;
  Expected<std::vector<InputModel>> Models = readInputModels(P, Options);
  if (!Models)
    return Models.takeError();
  return std::make_unique<InputReport>(P, std::move(*Models));
}

} // namespace causal
