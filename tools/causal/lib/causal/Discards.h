//===- Discards.h - Experiments that say nothing of the program --*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A build, a backup or a report beside a program that is profiled takes its cores for a
// second or ten. That is seen in the experiments themselves: threads that otherwise have
// cores wait for them, and do not fill them. The host of a virtual machine may take cores as
// well, which the kernel tells. And a server that otherwise is busy has nothing to do for a
// while: then nobody is at work. What is measured meanwhile is not the program.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_ANALYSIS_DISCARDS_H
#define CAUSAL_ANALYSIS_DISCARDS_H

#include "lib/container/Profile.h"

#include "llvm/ADT/BitVector.h"

#include <vector>

namespace causal {

class Discards {
public:
  explicit Discards(const Profile &P);

  /// \p E: of the profile's experiments().
  bool contain(const Experiment &E) const { return Disturbed[&E - First] || Idle[&E - First]; }
  unsigned count() const { return countDisturbed() + Idle.count(); }
  /// Other programs or the machine's host had the cores. None for the former in a run whose
  /// threads wait for cores most of the time: how long is then the program's own doing, and
  /// depends on the speedup; none for the latter where it has them most of the time.
  bool isDisturbed(const Experiment &E) const { return Disturbed[&E - First]; }
  unsigned countDisturbed() const { return Disturbed.count(); }
  /// How much of its undelayed time \p R did not get on for that reason: by the CPU time of
  /// its baselines, those that are not disturbed having lost nothing. A share; \p R: of the
  /// profile's runs().
  double lostToOthers(const Run &R) const { return Lost[&R - FirstRun]; }
  /// Nobody was at work for a good part of it, as is seldom.
  bool isIdle(const Experiment &E) const { return Idle[&E - First]; }
  unsigned countIdle() const { return Idle.count(); }
  /// Whether idle time is no part of what the program does: it is seldom in experiments.
  /// Where it is not, the program waits for the outside world as it goes along.
  bool leaveOutIdleTime() const { return SeldomIdle; }

private:
  const Experiment *First;
  const Run *FirstRun;
  std::vector<double> Lost;
  llvm::BitVector Disturbed, Idle;
  bool SeldomIdle;
};

} // namespace causal

#endif // CAUSAL_ANALYSIS_DISCARDS_H
