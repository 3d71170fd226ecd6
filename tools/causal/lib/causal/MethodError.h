//===- MethodError.h - What the method itself is off by ---------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// To hold all others back is not to be faster: a thread that waits shortly does not go
// to sleep, a cache line that is fought for gets dearer, a convoy dissolves. What a
// prediction is off by for that does not get less with more experiments, and is in no
// scatter. It is a model discrepancy (Kennedy and O'Hagan, J. R. Stat. Soc. B 63, 2001),
// here a normal error without bias whose size was found by comparing predictions with what
// was really gained (docs/internals/statistics.md, "The method's own error").
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_ANALYSIS_METHODERROR_H
#define CAUSAL_ANALYSIS_METHODERROR_H

#include "lib/container/Profile.h"
#include "lib/statistics/Statistics.h"

namespace causal {

class MethodError {
public:
  /// It is less where each run had a thread only: nobody was held back.
  explicit MethodError(const Profile &P);
  /// Standard error, a fraction as \p Gain is, of a gain that delays made which took
  /// \p Delays of the time (0..1).
  double of(double Delays, double Gain) const;

private:
  double OfDelays, OfGain;
};

/// With an error of \p Method, independent of what is in \p E, its interval of 95 % too.
Estimate widen(Estimate E, double Method);

} // namespace causal

#endif // CAUSAL_ANALYSIS_METHODERROR_H
