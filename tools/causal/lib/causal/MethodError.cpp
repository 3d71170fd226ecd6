//===- MethodError.cpp ----------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/causal/MethodError.h"
#include "lib/statistics/Bootstrap.h"

#include <cmath>

namespace causal {

/// Fitted by benchmarks/accuracy/method_error.py.
static constexpr struct {
  double OfDelays, OfGain;
} Threads = {0.045, 0.065}, OneThread = {0.01, 0.02};

MethodError::MethodError(const Profile &P) {
  auto [Delays, Gain] = isSingleThreaded(P) ? OneThread : Threads;
  OfDelays = Delays;
  OfGain = Gain;
}

double MethodError::of(double Delays, double Gain) const {
  return std::hypot(OfDelays * Delays, OfGain * Gain);
}

Estimate widen(Estimate E, double Method) {
  double Half = Z95 * Method;
  E.StdErr = std::hypot(E.StdErr, Method);
  E.Low = E.Value - std::hypot(E.Value - E.Low, Half);
  E.High = E.Value + std::hypot(E.High - E.Value, Half);
  return E;
}

} // namespace causal
