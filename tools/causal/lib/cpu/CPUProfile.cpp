//===- CPUProfile.cpp -----------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/cpu/CPUProfile.h"

#include "llvm/ADT/STLExtras.h"

#include <iterator>

using namespace llvm;

namespace causal::cpu {

namespace {
struct StateName {
  StringLiteral Name, Words;
};
constexpr StateName StateNames[NumStates] = {
    {"cpu", "nothing"},          {"lock", "a lock"},      {"wait", "a condition"},
    {"io", "input or output"},   {"sleep", "time"},       {"join", "a thread's end"},
    {"runqueue", "a core"},      {"pagefault", "a page"}, {"idle", "work"},
    {"other", "something else"},
};
} // namespace

StringRef toString(State S) { return StateNames[unsigned(S)].Name; }
StringRef wordsFor(State S) { return StateNames[unsigned(S)].Words; }

std::optional<State> stateNamed(StringRef Name) {
  const StateName *It = find_if(StateNames, [&](const StateName &S) { return S.Name == Name; });
  if (It == std::end(StateNames))
    return std::nullopt;
  return State(It - std::begin(StateNames));
}

Time Times::off() const {
  Time Sum;
  for (unsigned I = 1; I < NumStates; ++I)
    Sum += Of[I];
  return Sum;
}

Times &Times::operator+=(const Times &T) {
  for (unsigned I = 0; I < NumStates; ++I)
    Of[I] += T.Of[I];
  return *this;
}

std::vector<unsigned> CPUProfile::placesOf(unsigned Stack) const {
  std::vector<unsigned> Found;
  for (unsigned Frame : Stacks[Stack].Frames)
    append_range(Found, Frames[Frame].Places);
  return Found;
}

Times CPUProfile::total() const {
  Times Sum;
  for (const Thread &T : Threads)
    Sum += T.In;
  return Sum;
}

Time CPUProfile::life() const {
  Time Sum;
  for (const Thread &T : Threads)
    Sum += T.Wall;
  return Sum;
}

} // namespace causal::cpu
