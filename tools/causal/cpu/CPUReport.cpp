//===- CPUReport.cpp - What all formats of the report share ---------------===//
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

/// Of the whole, below which a loss is no news.
constexpr double WorthAWarning = 0.01;
/// Of threads' lives, above which waiting for a core is said first.
constexpr double WorthAWord = 0.05;

/// Losses that a reader should know of.
void warnOfLosses(const CPUProfile &P, const Account &A, std::vector<std::string> &Warnings) {
  uint64_t Dropped = 0, Truncated = 0, Unfinished = 0, Unsampled = 0;
  for (const CPURun &R : P.Runs) {
    Dropped += uint64_t(R.Dropped);
    Truncated += uint64_t(R.Truncated);
    Unsampled += uint64_t(R.Unsampled);
    Unfinished += !R.Final;
  }
  if (Unfinished)
    Warnings.push_back(formatv("{0} of {1} CPU runs did not end by themselves, or still run: time "
                               "after their last snapshot is missing.",
                               Unfinished, P.Runs.size()));
  if (Dropped)
    Warnings.push_back(formatv("{0} stacks were dropped for lack of room: their time is in the "
                               "account of threads, and in no function.",
                               Dropped));
  if (Unsampled)
    Warnings.push_back(formatv("{0} threads had no sampler: their CPU time is in the account, and "
                               "in no function.",
                               Unsampled));
  auto Mixed = count_if(P.Threads, [](const Thread &T) { return !T.RunQueueKnown; });
  if (Mixed)
    Warnings.push_back(formatv("Of {0} of {1} threads it is not known how long they waited for a "
                               "core: that is part of their other states.",
                               Mixed, P.Threads.size()));
  double Samples = std::max(1.0, double(A.Samples));
  if (double(Truncated) > WorthAWarning * Samples)
    Warnings.push_back(formatv("{0} stacks were too deep: what is near their thread's start is "
                               "cut off, and totals of functions there are too small.",
                               Truncated));
  if (double(A.Unexplained) > WorthAWarning * double(A.Life))
    Warnings.push_back(formatv("Of {0:f1} % of threads' lives nothing is known: waits inside of "
                               "raw system calls, or code that no wrapper sees.",
                               100 * double(A.Unexplained) / double(A.Life)));
}

} // namespace

CPUProfile loadCPU(const causal::Profile &P) {
  auto Warn = [](const Twine &Message) { WithColor::warning(errs(), "causal") << Message << '\n'; };
  CPUProfile Read = readCPU(P, Warn);
  nameFrames(Read, Warn);
  return Read;
}

std::unique_ptr<ReportPart> makeReport(const causal::Profile &P,
                                       std::vector<std::string> &Warnings) {
  CPUProfile Read = readCPU(P, [&](const Twine &W) { Warnings.push_back(W.str() + "."); });
  nameFrames(Read, [&](const Twine &W) { Warnings.push_back(W.str() + "."); });
  Account A = accountOf(Read);
  warnOfLosses(Read, A, Warnings);
  return std::make_unique<Report>(std::move(Read), std::move(A));
}

std::vector<State> shownStates(const Account &A) {
  constexpr double Visible = 0.0005;
  std::vector<State> Shown = {State::CPU};
  for (unsigned I = 1; I < NumStates; ++I)
    if (any_of(A.Groups, [&](const ThreadGroup &G) {
          return double(G.In[State(I)]) > Visible * double(G.Wall);
        }))
      Shown.push_back(State(I));
  return Shown;
}

std::string percentOf(Time Part, Time Whole) {
  if (!Part || !Whole)
    return "-";
  double Share = 100 * double(Part) / double(Whole);
  return Share < 0.05 ? "<0.1" : formatv("{0:f1}", Share).str();
}

std::string placeText(const Place &L, const StringMap<std::string> &Names) {
  if (L.File.empty())
    return "";
  std::string File = printable(Names.lookup(L.File));
  return L.Line ? File + ":" + std::to_string(L.Line) : File;
}

std::string chainText(const CPUProfile &P, ArrayRef<unsigned> Callers, unsigned Most) {
  std::vector<std::string> Names;
  std::string Before = Callers.empty() ? "" : shortNameOf(P, P.Places[Callers.front()]);
  for (unsigned Place : Callers.drop_front(!Callers.empty())) {
    std::string Name = shortNameOf(P, P.Places[Place]);
    if (Name == Before)
      continue;
    if (Names.size() == Most) {
      Names.push_back("…");
      break;
    }
    Names.push_back(Before = Name);
  }
  return join(Names, " ← ");
}

std::string whoWaits(const Account &A, const Wait &W) {
  constexpr size_t Named = 2;
  std::vector<std::string> Names;
  for (auto &[Group, Ns] : ArrayRef(W.Groups).take_front(Named)) {
    const ThreadGroup &G = A.Groups[Group];
    Names.push_back(printable(G.Name.empty() ? "unnamed thread" : G.Name));
    if (G.Threads.size() > 1)
      Names.back() += formatv(" ({0} threads)", G.Threads.size()).str();
  }
  std::string Text = join(Names, ", ");
  if (W.Groups.size() > Named)
    Text += formatv(" and {0} more", W.Groups.size() - Named).str();
  return Text;
}

StringMap<std::string> fileNames(const CPUProfile &P) {
  std::vector<StringRef> Files;
  for (const Place &L : P.Places)
    if (!L.File.empty())
      Files.push_back(L.File);
  return shortNames(Files);
}

std::vector<std::string> answers(const CPUProfile &P, const Account &A) {
  StringMap<std::string> Names = fileNames(P);
  std::vector<std::string> Said;
  auto Where = [&](unsigned Place) {
    std::string At = placeText(P.Places[Place], Names);
    return shortNameOf(P, P.Places[Place]) + (At.empty() ? "" : " (" + At + ")");
  };
  Time CPU = A.In[State::CPU];
  if (!A.Functions.empty() && A.Functions.front().Self)
    Said.push_back(formatv("On a core: {0} % of the CPU time is spent in {1} itself.",
                           percentOf(A.Functions.front().Self, CPU),
                           Where(A.Functions.front().Place)));
  Time Blocked;
  for (unsigned I = 1; I < NumStates; ++I)
    if (!isExpected(State(I)) && State(I) != State::RunQueue)
      Blocked += A.In[State(I)];
  if (double(A.In[State::RunQueue]) > WorthAWord * double(A.Life))
    Said.push_back(
        formatv("Waiting for a core: {0} % of threads' lives. More threads wanted to run "
                "than cores were free; other programs count as well.",
                percentOf(A.In[State::RunQueue], A.Life)));
  if (A.Waits.empty() || isExpected(A.Waits.front().In) || !Blocked)
    return Said;
  const Wait &W = A.Waits.front();
  std::string Longest = formatv("Off it: {0} % of all other waiting is for {1}, in {2}",
                                percentOf(W.Ns, Blocked), wordsFor(W.In), Where(W.Place));
  if (!W.Wakers.empty() && W.Wakers.front().Place)
    Longest += formatv("; {0} % of that ends by {1}", percentOf(W.Wakers.front().Ns, W.Ns),
                       Where(*W.Wakers.front().Place));
  Said.push_back(Longest + ".");
  return Said;
}

} // namespace causal::cpu
