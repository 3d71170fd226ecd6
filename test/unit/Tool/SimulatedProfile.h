//===- SimulatedProfile.h - Profiles of programs with known curves -*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes profiles at the level of experiments: visits are drawn around a known
// period, with noise, drift of the machine, differences between runs and
// accidents. The truth is known, so estimates can be held against it. For the
// unit tests and benchmarks/coverage_benchmark.cpp; everything follows from the
// seed.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_TEST_SIMULATEDPROFILE_H
#define CAUSAL_TEST_SIMULATEDPROFILE_H

#include "lib/container/Profile.h"

#include <functional>

namespace causal {

struct SimulatedLine {
  std::function<double(double)> Gain; ///< Of the speedup, both fractions.
  double Share = 1;                   ///< How often it is selected, relatively.
  /// Of the wall time what delays take at full speed.
  double Delay = 1;
};

/// A part of a serial program: all phases take the same time, in turn.
struct SimulatedPhase {
  double Unit;                ///< What a visit takes, relatively.
  std::vector<double> Shares; ///< Of the time, by line: how often it is selected, and its gain.
};

struct SimulatedProgram {
  const char *Name;
  std::vector<SimulatedLine> Lines;
  unsigned Experiments = 300, Runs = 1;
  double Visits = 100;   ///< Of a baseline experiment, on average.
  double Dispersion = 1; ///< Variance of visits over their number.
  double Drift = 0;      ///< Standard deviation of the machine's speed,
  double Memory = 50;    ///< which changes over this many experiments.
  double OtherWay = 0;   ///< The program takes so much longer for a second at a time.
  double RunSpread = 0;  ///< Standard deviation of the speed between runs.
  double Accidents = 0;  ///< Share of experiments that take far too long.
  bool Latency = false;
  double WholeRuns = 0; ///< If not 0, each run is one experiment: how much they scatter.
  bool Paired = false;  ///< schedule=paired, else =paper.
  std::vector<SimulatedPhase> Phases; ///< None: it does the same throughout.
  double PhaseLength = 3;             ///< In seconds.
  bool Work = false;                  ///< Whether CPU time is known, of phases.
};

Profile simulate(const SimulatedProgram &Program, uint64_t Seed);

/// What the intervals of many simulated profiles came to.
struct Coverage {
  double Covered = 0, Number = 0; ///< Intervals that hold the truth, and all.
  double Error = 0;               ///< Sum of value - truth.
  double SquaredError = 0;
  double Width = 0; ///< Sum of half-widths.

  double share() const { return Covered / Number; }
};
/// At line speedups of 25, 50, 75 and 100 %, all lines of the program.
Coverage coverage(const SimulatedProgram &Program, unsigned Repetitions, uint64_t Seed);

/// The programs that the benchmark and the tests look at.
std::vector<SimulatedProgram> simulatedPrograms();

} // namespace causal

#endif // CAUSAL_TEST_SIMULATEDPROFILE_H
