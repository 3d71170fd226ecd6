//===- SystemSampler.h - Samples of the whole machine -----------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For `causal daemon --system`: all processes, instrumented or not, by perf events of every
// core. Where the processor has counters the kernel may use: cycles, cache and branch misses;
// else the core's clock. Processes that count for themselves, in a segment, are left out.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CONTINUOUS_SYSTEMSAMPLER_H
#define CAUSAL_CONTINUOUS_SYSTEMSAMPLER_H

#include "lib/continuous/Delta.h"

#include <memory>

namespace causal::continuous {

struct SystemCounts {
  uint64_t Samples = 0, Kernel = 0, User = 0, UserWithBuildId = 0, Unmapped = 0, Lost = 0;
  uint64_t Elsewhere = 0; ///< Of processes that count for themselves.
};

class SystemSampler {
public:
  /// \p Database: whose spool says who counts for themselves.
  static llvm::Expected<std::unique_ptr<SystemSampler>> start(const std::string &Database,
                                                              uint64_t PeriodNs);
  virtual ~SystemSampler() = default;

  /// Takes what has come. At least every second: buffers are small.
  virtual void drain() = 0;
  /// What has been taken since the last call, for the epoch of \p Seconds.
  virtual Delta take(uint64_t Seconds) = 0;
  /// Since the start.
  virtual const SystemCounts &counts() const = 0;
  /// "cpu", or "cycles, cache-misses".
  virtual std::string events() const = 0;
};

} // namespace causal::continuous

#endif // CAUSAL_CONTINUOUS_SYSTEMSAMPLER_H
