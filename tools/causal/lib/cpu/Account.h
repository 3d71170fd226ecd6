//===- Account.h - Where time goes, added up --------------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the reports show of a CPUProfile: threads of one name together, functions and
// lines by their CPU time, and waits by what waits there and who ends it. Computed
// once; the writers only choose and print.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CPU_ACCOUNT_H
#define CAUSAL_CPU_ACCOUNT_H

#include "lib/cpu/CPUProfile.h"

namespace causal::cpu {

/// Threads of one name. A number at the end of the name counts for nothing: "worker-1" and
/// "worker-2" are "worker-*". A thread that was given no name of its own has its process's, and
/// is known by the function that it runs: "server:listen".
struct ThreadGroup {
  std::string Name;
  std::vector<unsigned> Threads; ///< Into CPUProfile::Threads.
  Time Wall;
  Times In;
  Time Unexplained;
};

/// Of a function or a line. Total: with all that it calls, once for each stack.
struct Cost {
  unsigned Place; ///< Of a function: the place with the most time of its own.
  Time Self, Total;
  Times TotalIn; ///< By state; of the CPU it is Total.
};

struct Waker {
  std::optional<unsigned> Place; ///< Unknown without a stack.
  std::vector<unsigned> Callers; ///< The heaviest of its stacks, from Place to the root.
  std::optional<unsigned> Group; ///< Into Account::Groups.
  Time Ns;
  int64_t Count = 0;
};

/// Waits of one cause in one place.
struct Wait {
  State In;
  unsigned Place;                ///< The innermost code of the program's own, else the leaf.
  std::vector<unsigned> Callers; ///< The heaviest of its stacks, from Place to the root.
  Time Ns;
  int64_t Count = 0;
  std::vector<std::pair<unsigned, Time>> Groups; ///< Who waits, the longest first.
  std::vector<Waker> Wakers;                     ///< The longest first.
};

struct Account {
  Time Life; ///< Of all threads together.
  Times In;
  Time Unexplained;
  int64_t Samples = 0;
  std::vector<ThreadGroup> Groups; ///< The most CPU time first, then the longest life.
  std::vector<unsigned> GroupOf;   ///< By thread.
  Time OnStacks;                   ///< CPU time that stacks have.
  std::vector<Cost> Functions;     ///< The most CPU time of their own first.
  std::vector<Cost> Lines;
  /// The longest first, those that are as they should be last. Waits for a core are none: they
  /// are of the machine, and may be anywhere.
  std::vector<Wait> Waits;
};

Account accountOf(const CPUProfile &P);

/// The innermost place of a stack that is the program's own; the leaf if none is. Nothing of a
/// stack without frames. \p Callers: from there to the root,
/// but for the system's code at the root.
std::optional<unsigned> ownPlace(const CPUProfile &P, unsigned Stack,
                                 std::vector<unsigned> *Callers = nullptr);

} // namespace causal::cpu

#endif // CAUSAL_CPU_ACCOUNT_H
