//===- RandomProgram.h - Random programs for the simulator ------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Draws programs of several kinds of synchronisation, 1 to 64 threads on 1 to 64
// cores, and tells for each what a virtual speedup of one of its lines predicts and
// what really shortening that line gives. Shared by SimulatorTest and
// simulation_benchmark. Everything follows from the seed.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_TEST_RANDOM_PROGRAM_H
#define CAUSAL_TEST_RANDOM_PROGRAM_H

#include "Simulator.h"

#include <string>
#include <vector>

namespace __causal {

struct RandomProgram {
  /// Runs the program's threads until S.running() turns false.
  using Main = void (*)(Simulator &S, const RandomProgram &P);

  const char *Kind = "";
  Main Run = nullptr;
  uint64_t Seed = 0;
  /// To Seed, from one run of what is real to the next. 0: another seed were another program,
  /// since threads do the same in every round.
  uint64_t SeedStep = 0;
  unsigned Threads = 1, Cores = 1;
  std::vector<uint64_t> Cost; ///< CPU time of line 1, 2, ...; 0: not there.
  uint64_t Wait = 0;          ///< For the outside world.
  uint32_t Jitter = 0;        ///< Costs vary by up to this many percent.
  unsigned Shape[3] = {};     ///< What the kind makes of it: capacities, widths.
  uint32_t Line = 1;          ///< To be sped up by Speedup percent.
  uint32_t Speedup = 50;
  bool Faster = false; ///< Really.

  /// Does Line's work once: Cost, varied by R, less the speedup.
  void work(Simulator &S, uint32_t Line, Random &R) const;
  Random random(unsigned Thread) const;
  std::string describe() const;
};

/// The kinds' names, in the order of the table.
const std::vector<const char *> &programKinds();
/// Kind is one of programKinds().
RandomProgram drawProgram(const char *Kind, uint64_t Seed);

struct Prediction {
  double Predicted, Real; ///< Program speedup in percent.
  double Noise;           ///< Standard error of their difference.
  /// Time spent waiting for a core per time on one.
  double Contention;
  uint64_t Visits; ///< In the run with experiments.
  double error() const { return Predicted - Real; }
};
/// Effort: about how many steps of work to simulate.
Prediction predict(const RandomProgram &P, const SimulatorOptions &Options, uint64_t Effort);

} // namespace __causal

#endif // CAUSAL_TEST_RANDOM_PROGRAM_H
