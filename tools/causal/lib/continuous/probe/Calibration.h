//===- Calibration.h - How this machine samples -----------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_PROBE_CALIBRATION_H
#define CAUSAL_PROBE_CALIBRATION_H

#include "lib/continuous/cpi/Observations.h"

#include "llvm/Support/Error.h"

#include <vector>

namespace causal::probe {

/// A loop with one slow instruction, and where samples fell in it.
struct SkidLoop {
  std::string Name;
  uint64_t Samples = 0;
  /// By number of instructions behind the slow one; index 0: on it.
  std::vector<uint64_t> Behind;
};

/// The number of instructions that samples fall behind their cause, if the loops agree on one
/// (each has its largest place there, and at least 40 % of its samples), or -1.
int skidOf(const std::vector<SkidLoop> &Loops);

struct Calibration {
  cpi::Machine On;
  std::vector<SkidLoop> Loops;
};

/// Takes about half a second of CPU time. Fails only where the kernel allows no samples.
llvm::Expected<Calibration> calibrate();
/// All but the skid: cannot fail.
cpi::Machine describeMachine();

} // namespace causal::probe

#endif // CAUSAL_PROBE_CALIBRATION_H
