//===- CPUAnnotate.cpp ----------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cpu/CPUAnnotate.h"
#include "Terminal.h"
#include "cpu/CPUReport.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"

#include <map>

using namespace llvm;

namespace causal::cpu {

namespace {

constexpr size_t NumbersWidth = 8 + 8 + 11;
/// Of the CPU time, from which on a line stands out.
constexpr double Hot = 0.05;

void writeRow(unsigned Number, StringRef Text, const Cost *C, Time CPU, raw_ostream &OS) {
  std::string Left(NumbersWidth, ' ');
  bool Stands = C && double(C->Self) > Hot * double(CPU);
  if (C) {
    Time Off = C->TotalIn.off();
    Left = formatv("{0,8}{1,8}{2,11}", C->Self ? percentOf(C->Self, CPU) : "",
                   C->Total ? percentOf(C->Total, CPU) : "", Off ? formatTime(double(Off)) : "");
  }
  if (Stands)
    WithColor(OS, raw_ostream::YELLOW, /*Bold=*/true) << Left;
  else
    OS << Left;
  std::string Expanded;
  for (char Ch : Text.rtrim("\r"))
    if (Ch == '\t')
      Expanded.append(4 - Expanded.size() % 4, ' ');
    else
      Expanded += Ch;
  OS << formatv("{0,6} |", Number);
  size_t Width = outputWidth();
  size_t Room = Width > NumbersWidth + 30 ? Width - NumbersWidth - 9 : 20;
  if (!Expanded.empty())
    OS << ' ' << shortenCode(printable(Expanded), Room);
  OS << '\n';
}

} // namespace

Error annotate(const causal::Profile &P, StringRef Spec, SourceText &Source, SourceLines Shown,
               raw_ostream &OS) {
  CPUProfile Read = loadCPU(P);
  Account A = accountOf(Read);
  std::set<std::string> Files;
  for (const Cost &C : A.Lines)
    Files.insert(Read.Places[C.Place].File);
  Expected<std::string> Name = chooseFile(Files, Spec);
  if (!Name)
    return Name.takeError();
  std::map<unsigned, const Cost *> Lines;
  for (const Cost &C : A.Lines)
    if (Read.Places[C.Place].File == *Name)
      Lines[Read.Places[C.Place].Line] = &C;
  std::optional<StringRef> Text = Source.text(*Name);
  if (!Text)
    Text = Source.text(Spec);
  if (!Text)
    return createStringError(inconvertibleErrorCode(),
                             "cannot find " + printable(*Name) +
                                 ", where the profile says the source was; name its directory with "
                                 "--source-root=");
  Time CPU = A.In[State::CPU];
  OS << printable(*Name) << "\nself, and total with all that it calls: % of "
     << formatTime(double(CPU)) << " CPU time; off: how long threads waited under the line\n"
     << formatv("{0,8}{1,8}{2,11}{3,7}\n", "self%", "total%", "off", "line");
  unsigned Number = 0, Last = 0;
  for (StringRef Rest = *Text; !Rest.empty();) {
    StringRef Line;
    std::tie(Line, Rest) = Rest.split('\n');
    ++Number;
    auto Near = Lines.lower_bound(Number > Shown.Context ? Number - Shown.Context : 1);
    if (!Shown.All && (Near == Lines.end() || Near->first > Number + Shown.Context))
      continue;
    if (Number > Last + 1)
      OS << std::string(NumbersWidth, ' ') << "   ...\n";
    Last = Number;
    auto Here = Lines.find(Number);
    writeRow(Number, Line, Here == Lines.end() ? nullptr : Here->second, CPU, OS);
  }
  if (!Lines.empty() && Lines.rbegin()->first > Number)
    return createStringError(inconvertibleErrorCode(),
                             "the profile has line " + Twine(Lines.rbegin()->first) + " of " +
                                 *Name + ", which has only " + Twine(Number) +
                                 ": the source has changed since; check out what was profiled");
  return Error::success();
}

} // namespace causal::cpu
