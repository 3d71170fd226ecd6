//===- BuildMatch.cpp -----------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/container/BuildMatch.h"
#include "lib/container/SourceText.h"

#include <algorithm>
#include <map>

using namespace llvm;

namespace causal {

namespace {

/// Lines of each function, by file, function name and what they are.
using Functions =
    std::map<std::tuple<StringRef, StringRef, TargetKind>, std::map<unsigned, unsigned>>;

Functions functionsOf(const Profile &P, const Build &B) {
  Functions F;
  for (auto [Line, Name] : B.Functions) {
    const SourceLine &L = P.lines()[Line];
    F[{L.File, Name, L.Kind}][L.Line] = Line;
  }
  return F;
}

/// By how many lines \p Other must be moved up to lie on \p First: the shift
/// under which most lines agree, of equal ones the smallest. None if fewer than
/// half of the shorter pattern agree: the function was edited within.
std::optional<int64_t> shift(const std::map<unsigned, unsigned> &First,
                             const std::map<unsigned, unsigned> &Other) {
  // The votes of a function of very many lines take too long, and say no more.
  constexpr size_t MaxLines = 200;
  auto Some = [](const std::map<unsigned, unsigned> &Lines) {
    std::vector<int64_t> Numbers;
    for (auto [Number, Id] : Lines)
      if (Numbers.size() < MaxLines)
        Numbers.push_back(Number);
    return Numbers;
  };
  std::vector<int64_t> OfFirst = Some(First), OfOther = Some(Other);
  std::map<int64_t, size_t> Votes;
  for (int64_t A : OfFirst)
    for (int64_t B : OfOther)
      ++Votes[B - A];
  std::optional<int64_t> Best;
  size_t Most = 0;
  for (auto [By, N] : Votes)
    if (N > Most || (N == Most && std::abs(By) < std::abs(*Best))) {
      Best = By;
      Most = N;
    }
  size_t Needed = (std::min(OfFirst.size(), OfOther.size()) + 1) / 2;
  // One line that has moved may be any other.
  if (Best && *Best != 0)
    Needed = std::max(Needed, size_t(2));
  return Most >= Needed ? Best : std::nullopt;
}

} // namespace

std::vector<BuildMatch> matchBuilds(const Profile &P) {
  std::vector<BuildMatch> Matches;
  if (P.builds().size() < 2)
    return Matches;
  Functions First = functionsOf(P, P.builds()[0]);
  for (unsigned I = 1; I < P.builds().size(); ++I) {
    BuildMatch M;
    M.Build = I;
    for (const auto &[Name, Lines] : functionsOf(P, P.builds()[I])) {
      auto Same = First.find(Name);
      std::optional<int64_t> By = Same == First.end() ? std::nullopt : shift(Same->second, Lines);
      for (auto [Number, Line] : Lines) {
        if (By) {
          auto There = Same->second.find(unsigned(int64_t(Number) - *By));
          if (There != Same->second.end()) {
            ++M.Matched;
            if (There->second != Line)
              M.Moved[Line] = There->second;
            continue;
          }
        }
        if (P.builds()[0].Functions.count(Line))
          M.Different.push_back(Line);
      }
    }
    Matches.push_back(std::move(M));
  }
  return Matches;
}

/// "build 1234abcd (/bin/prog)".
static std::string nameOf(const Profile &P, unsigned Build) {
  std::string Name = "build " + printable(P.builds()[Build].Id);
  for (const Run &R : P.runs())
    if (R.HasHeader && R.Build == Build && R.Exe != P.builds()[Build].Id)
      return Name + " (" + printable(R.Exe) + ")";
  return Name;
}

static Error refuse(const Profile &P, const BuildMatch &M) {
  return createStringError(
      inconvertibleErrorCode(),
      nameOf(P, M.Build) + " does not match " + nameOf(P, 0) + ": of their lines " +
          std::to_string(M.Matched) + " are the same code and " +
          std::to_string(M.Different.size()) +
          " are not, by file, function and pattern of lines; report them apart "
          "with causal report --by=build, or profile each into a file of its own");
}

Error checkBuilds(const Profile &P) {
  for (const BuildMatch &M : matchBuilds(P))
    if (!M.addsUp())
      return refuse(P, M);
  return Error::success();
}

Error unifyBuilds(Profile &P) {
  std::vector<BuildMatch> Matches = matchBuilds(P);
  for (const BuildMatch &M : Matches)
    if (!M.addsUp())
      return refuse(P, M);
  for (BuildMatch &M : Matches) {
    for (unsigned Line : M.Different)
      M.Moved[Line] = P.addTwin(Line, P.builds()[M.Build].Functions.lookup(Line));
    P.moveLines(M.Build, M.Moved);
  }
  return Error::success();
}

} // namespace causal
