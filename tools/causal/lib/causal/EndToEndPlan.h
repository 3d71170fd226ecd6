//===- EndToEndPlan.h - What to try in the next run -------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where each run is one experiment (end_to_end=1) somebody has to remember the runs
// before. Each target has as many of them as it has samples (the runtime, within a run, draws
// with that probability; Coz paper, section 3.2), in blocks of three runs: at speedup 0, at a
// small and at a large one, in random order, so that what is compared lies close together.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_ANALYSIS_ENDTOENDPLAN_H
#define CAUSAL_ANALYSIS_ENDTOENDPLAN_H

#include "lib/container/Profile.h"

#include <map>
#include <optional>
#include <random>

namespace causal {

struct Trial {
  std::string Where; ///< As the runtime's fixed_line takes it.
  unsigned Speedup;  ///< Percent.
};

class EndToEndPlan {
public:
  /// \p Fixed: the user's fixed_line, to try nothing else; may be empty.
  EndToEndPlan(uint64_t Seed, std::string Fixed) : Random(Seed), Fixed(std::move(Fixed)) {}

  /// The next run's, by the samples and experiments in \p P so far; nothing while no target
  /// has enough samples.
  std::optional<Trial> next(const Profile &P);

private:
  std::optional<std::string> nextTarget(const Profile &P);

  std::mt19937_64 Random;
  std::string Fixed;
  std::vector<Trial> Block;                ///< What is left of it.
  std::map<std::string, unsigned> Planned; ///< Blocks of each target so far.
};

} // namespace causal

#endif // CAUSAL_ANALYSIS_ENDTOENDPLAN_H
