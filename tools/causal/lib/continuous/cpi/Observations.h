//===- Observations.h - What was seen of one image --------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The input of the analysis by instruction, whoever took the samples: the database, or
// `causal db probe`. Addresses are those of the ELF file.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CPI_OBSERVATIONS_H
#define CAUSAL_CPI_OBSERVATIONS_H

#include <cstdint>
#include <map>
#include <string>

namespace causal::cpi {

/// How many things there are when only some were seen: Chao's lower bound.
struct Distinct {
  uint64_t Seen = 0;  ///< Different ones.
  uint64_t Once = 0;  ///< Seen exactly once.
  uint64_t Twice = 0; ///< Seen exactly twice.
  double estimate() const {
    return Seen + (Once ? double(Once) * (Once - 1) / (2.0 * (Twice + 1)) : 0);
  }
};

/// The data that one instruction touched. Of addresses only such sums are kept.
struct AccessFacts {
  uint64_t Samples = 0;
  Distinct Lines, Pages;
  unsigned Threads = 0;
  /// Samples on a line that another thread touched too, and that somebody writes: ...
  uint64_t SharedSame = 0;  ///< ... in the same bytes,
  uint64_t SharedOther = 0; ///< ... in other bytes only.
};

/// The machine that was profiled.
struct Machine {
  std::string CPU; ///< LLVM's name; empty: not known.
  double GHz = 0;  ///< Cycles in a nanosecond; 0: not known.
  int Skid = -1;   ///< Instructions between a cause and its sample; -1: not measured.
  unsigned DataLines = 0, CodeLines = 0; ///< Of the first caches; 0: not known.
  unsigned DataPages = 0;                ///< Entries of the first data TLB.
};

struct Observations {
  std::string Path, BuildID;
  Machine On;
  double PeriodNs = 0;
  std::map<uint64_t, uint64_t> Samples; ///< By program counter.

  /// What only a probe knows.
  bool Probed = false;
  std::map<uint64_t, uint64_t> Kernel; ///< Samples in the kernel, by the user's program counter.
  std::map<uint64_t, uint64_t> Faults; ///< Page faults, by instruction.
  bool KernelSeen = false;             ///< The kernel's samples were allowed.
  std::map<uint64_t, AccessFacts> Accesses; ///< By instruction.
  Distinct Code;                            ///< Lines of code that were run, of all images.

  uint64_t total() const {
    uint64_t Sum = 0;
    for (const auto &[At, N] : Samples)
      Sum += N;
    return Sum;
  }
};

} // namespace causal::cpi

#endif // CAUSAL_CPI_OBSERVATIONS_H
