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

#include "causal/causal_sync.h"

namespace __causal {

constexpr uintptr_t OpenMPObject = 0x6f6d7000;

inline void beforeOpenMPWake() { beforeWake(OpenMPObject); }
/// What the thread has done may be what others wait for; and then it waits itself, or not.
inline void beforeOpenMPWait(bool Waits = true) {
  beforeOpenMPWake();
  if (Waits)
    beforeBlock();
}
/// The thread goes on at Place (0: not known), an address in the program's code: what a team
/// does in one region, or behind one barrier, is told apart from what it does in others.
/// Returns whether it was known to wait. A task that begins in the midst of a wait ends with
/// that, where it has begun.
inline bool afterOpenMPWait(uintptr_t Place) {
  CausalThread *T = causalThread();
  bool Waited = T && T->Blocked;
  afterBlock(OpenMPObject, /*Woken=*/true, /*Context=*/0, Place);
  return Waited;
}

} // namespace __causal

#endif // CAUSAL_OPENMP_H
