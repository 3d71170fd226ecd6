//===- Features.h - What an image was built with ----------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bits that the pass hands to __causal_register_image(), and that each mode of the runtime
// asks for. A missing one is a message that names the flag to build with.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_FEATURES_H
#define CAUSAL_FEATURES_H

#include <stdint.h>

namespace causal {

enum Feature : uint32_t {
  FeatureLines = 1,  ///< A line table: all of -fcausal-profile.
  FeatureSync = 2,   ///< Synchronisation calls are the runtime's: all of -fcausal-profile.
  FeatureMemory = 4, ///< Memory accesses are instrumented: -fcausal-profile=input.
};

} // namespace causal

#endif // CAUSAL_FEATURES_H
