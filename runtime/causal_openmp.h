//===- causal_openmp.h - Delays around waits of OpenMP -----------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// causal_sync.h with one object for all waits of OpenMP (causal_openmp.cpp says why).
// Context: as there.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_OPENMP_H
#define CAUSAL_OPENMP_H

#include "causal_sync.h"

namespace __causal {

constexpr uintptr_t OpenMPObject = 0x6f6d7000;

inline void beforeOpenMPWake() { beforeWake(OpenMPObject); }
inline void beforeOpenMPWait() {
  beforeOpenMPWake();
  beforeBlock();
}
inline void afterOpenMPWait() { afterBlock(OpenMPObject, /*Woken=*/true); }

} // namespace __causal

#endif // CAUSAL_OPENMP_H
