//===- Bootstrap.h - Resampling and its quantiles ---------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Weights of the Bayesian bootstrap and the quantiles that make intervals of
// replicates. Used by SpeedupModel; knows nothing of experiments.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_ANALYSIS_BOOTSTRAP_H
#define CAUSAL_ANALYSIS_BOOTSTRAP_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>

namespace causal {

/// Exponential weights of mean 1 (Rubin, The Bayesian Bootstrap, 1981): unlike
/// drawn counts they are never 0, so that no cell of a thin profile vanishes.
class BootstrapWeights {
public:
  explicit BootstrapWeights(uint64_t Seed) : State(Seed) {}
  void fill(llvm::MutableArrayRef<float> Weights);
  /// A standard normal variate.
  double normal();

private:
  uint64_t next();
  uint64_t State;
};

/// The \p Share quantile, interpolated. Reorders \p Values.
double quantile(llvm::MutableArrayRef<float> Values, double Share);

/// Of the normal distribution, two-sided 95 %.
constexpr double Z95 = 1.959963985;

/// Of Student's t distribution, two-sided 95 %.
double studentQuantile(double Freedom);

double normalCDF(double Z);

} // namespace causal

#endif // CAUSAL_ANALYSIS_BOOTSTRAP_H
