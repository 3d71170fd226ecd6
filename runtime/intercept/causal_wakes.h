//===- causal_wakes.h - What may end another thread's wait ------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What wrappers call before it, in whatever mode the process is. Context: as causal_sync.h.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_WAKES_H
#define CAUSAL_WAKES_H

#include "causal/causal_sync.h"
#include "cpu/causal_cpu_wait.h"

namespace __causal {

/// The calling thread is about to do what may wake a waiter on Object; All: all of them.
__attribute__((always_inline)) inline void wakes(uintptr_t Object, bool All = false) {
  waking(Object, All);
  beforeWake(Object);
}
__attribute__((always_inline)) inline void wakes(const void *Object, bool All = false) {
  wakes(reinterpret_cast<uintptr_t>(Object), All);
}

} // namespace __causal

#endif // CAUSAL_WAKES_H
