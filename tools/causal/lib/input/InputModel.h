//===- InputModel.h - Routines and their cost by input ----------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What runs of mode=input recorded, one model for each metric: routines with a point for
// each distinct input, who called whom, and totals. Runs of one program add up by a
// routine's name and place. Runs whose cells or units of cost differ count different
// things and are refused. Computes no growth (GrowthFit.h) and ranks nothing (RootCause.h).
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_INPUT_INPUTMODEL_H
#define CAUSAL_INPUT_INPUTMODEL_H

#include "lib/container/Profile.h"
#include "lib/input/GrowthFit.h"

#include "llvm/Support/Error.h"

#include <limits>

namespace causal {

/// All activations of a routine that had one input.
struct InputPoint {
  int64_t Input = 0, Calls = 0;
  int64_t Min = std::numeric_limits<int64_t>::max(), Max = 0; ///< Cost of one.
  double Sum = 0, SumSquares = 0;                             ///< Cost of all.
  std::optional<double> Self;                                 ///< Of Sum, without callees.
  double ThreadInput = 0, ExternalInput = 0;                  ///< Of all activations together.

  double mean() const { return Sum / double(Calls); }
  void add(const InputPoint &Other);
};

struct InputRoutine {
  std::string Name; ///< As it is declared: "ns::f(int)".
  std::string File;
  unsigned Line = 0;
  std::optional<int64_t> Thread; ///< With threads apart.
  int64_t Calls = 0;
  double Self = 0, Inclusive = 0;
  std::vector<InputPoint> Points; ///< By rising input.
  std::string Contract;           ///< From an annotation in the source; may be empty.

  double input() const;
};

/// All calls from one routine to another.
struct InputCall {
  unsigned Caller, Callee; ///< Indices into InputModel::Routines.
  int64_t Calls = 0;
  double Cost = 0; ///< Of the callee and what it calls.
};

struct InputModel {
  std::string Metric; ///< "trms", "rms", "external".
  std::string Unit;   ///< Of cost: "instructions", "blocks".
  int64_t Cell = 0;   ///< Bytes.
  unsigned Runs = 0, Threads = 0;
  int64_t Lost = 0, Pending = 0; ///< Activations; pending: of threads that never ended.
  unsigned CutRuns = 0;          ///< Without a final snapshot.
  std::vector<InputRoutine> Routines;
  std::vector<InputCall> Calls;
  double Total = 0; ///< Cost of the whole program: the sum of what routines did themselves.
  std::vector<std::string> Warnings;
  std::vector<std::string> Uninstrumented; ///< Libraries whose accesses are not seen.

  bool hasSelf() const; ///< Whether points know the cost without callees.
};

struct InputOptions {
  bool ThreadsApart = false; ///< A routine of each thread is a routine of its own.
};

/// The models of the runs of mode=input in \p P, trms first; none if there are no such runs.
llvm::Expected<std::vector<InputModel>> readInputModels(const Profile &P,
                                                        const InputOptions &Options = {});
/// Why runs of mode=input in \p P do not add up, if they do not.
llvm::Error checkInputRuns(const Profile &P);

/// Mean cost, or the worst, by input.
std::vector<GrowthPoint> meanCosts(const InputRoutine &R);
std::vector<GrowthPoint> worstCosts(const InputRoutine &R);

/// Indices of the routines that \p Spec names: a name as it is declared or a part of it that
/// ends at its parameters, or "file:name".
std::vector<unsigned> findRoutines(const InputModel &M, llvm::StringRef Spec);

} // namespace causal

#endif // CAUSAL_INPUT_INPUTMODEL_H
