//===- causal_interceptors_resolve.cpp - libc's functions, found early ----===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Looks up what lies behind every CAUSAL_WEAK_INTERPOSER, by the list of them. At
// start-up only.
//
//===----------------------------------------------------------------------===//
#include "intercept/causal_interceptors.h"

#ifdef CAUSAL_STATIC
void __causal::resolveInterposed() {} // The linker has found them.
void __causal::resolveAll() {}
#else
#define CAUSAL_INTERPOSED(Name)                                                                    \
  namespace __causal {                                                                             \
  void resolveEarly_##Name();                                                                      \
  }
#include "causal/RuntimeABI.def"

void __causal::resolveInterposed() {
#define CAUSAL_INTERPOSED(Name) resolveEarly_##Name();
#include "causal/RuntimeABI.def"
}

extern "C" __attribute__((visibility("hidden"))) CausalResolver *const __start_causal_resolve[],
    *const __stop_causal_resolve[];

void __causal::resolveAll() {
  for (CausalResolver *const *R = __start_causal_resolve; R != __stop_causal_resolve; ++R)
    (*R)();
}
#endif
