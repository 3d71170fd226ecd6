//===- causal_core_times.h - What /proc/stat says of a core -----*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pure code, by proc_stat(5). Context: any.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CORE_TIMES_H
#define CAUSAL_CORE_TIMES_H

#include "base/causal_text.h"

#include <stdint.h>

namespace __causal {

/// Nanoseconds since the machine started, by ticks of 10 ms.
struct CoreTimes {
  uint64_t Idle = 0;   ///< It had nothing to do.
  uint64_t Stolen = 0; ///< It is virtual, and its host had others do their work.

  /// Adds those of a line "cpu<number> <user> <nice> <system> <idle> <iowait> <irq>
  /// <softirq> <steal> ...", if Wanted(number). False if the line is of no single core, or
  /// of one that is not wanted.
  template <typename Function> bool add(const char *Line, Function Wanted) {
    constexpr uint64_t Tick = 10000000; // USER_HZ is 100 wherever Linux runs programs.
    const char *P = Line + 3;
    if (__builtin_memcmp(Line, "cpu", 3) || *P < '0' || *P > '9' || !Wanted(takeNumber(P)))
      return false;
    uint64_t Fields[8];
    for (uint64_t &F : Fields)
      F = takeNumber(P);
    Idle += (Fields[3] + Fields[4]) * Tick;
    Stolen += Fields[7] * Tick;
    return true;
  }
};

/// How CoreTimes::Stolen grows. Zeroed state is valid.
class StolenTime {
public:
  /// Since the last call; 0 in the first. Of: tells sets of cores apart, since there is
  /// nothing to compare with another one.
  uint64_t since(uint64_t Stolen, uint64_t Of) {
    uint64_t More = Of == Cores && Stolen > Seen ? Stolen - Seen : 0;
    Seen = Stolen;
    Cores = Of;
    return More;
  }

private:
  uint64_t Seen = 0, Cores = 0;
};

} // namespace __causal

#endif // CAUSAL_CORE_TIMES_H
