//===- Disturbances.h - Experiments that other programs disturbed -*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A build, a backup or a report beside a program that is profiled takes its cores for a
// second or ten. That is seen in the experiments themselves: threads that otherwise have
// cores wait for them, and do not fill them. Such experiments say nothing of the program.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_ANALYSIS_DISTURBANCES_H
#define CAUSAL_ANALYSIS_DISTURBANCES_H

#include "Profile.h"

#include "llvm/ADT/BitVector.h"

namespace causal {

/// None in a run whose threads wait for cores most of the time: how long is then the
/// program's own doing, and depends on the speedup.
class Disturbances {
public:
  explicit Disturbances(const Profile &P);

  /// \p E: of the profile's experiments().
  bool contain(const Experiment &E) const { return Found[&E - First]; }
  unsigned count() const { return Found.count(); }

private:
  const Experiment *First;
  llvm::BitVector Found;
};

} // namespace causal

#endif // CAUSAL_ANALYSIS_DISTURBANCES_H
