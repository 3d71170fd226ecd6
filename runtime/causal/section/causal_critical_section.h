//===- causal_critical_section.h - Critical sections as targets -*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With target=section a sample belongs to the critical section that its thread is in.
// The wrappers of lock functions tell which: see causal_held_locks.h. A lock that another
// thread gives back than took it is believed to be held on.
//
// Context: the calling thread, not its sample handler.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CRITICAL_SECTION_H
#define CAUSAL_CRITICAL_SECTION_H

#include "causal/causal_thread_part.h"

namespace __causal {

/// T has taken Lock by a call that returns to PC, when the stack pointer will be SP (0: not
/// known).
__attribute__((preserve_most, noinline)) void beginSection(CausalThread &T, uintptr_t Lock,
                                                           uintptr_t PC, uintptr_t SP);
/// It is about to give it to others by one, if only while it waits: now it can be told what
/// section that is, if it was not known.
__attribute__((preserve_most, noinline)) void nameSection(CausalThread &T, uintptr_t Lock,
                                                          uintptr_t PC);
/// It is about to give it back by one.
__attribute__((preserve_most, noinline)) void endSection(CausalThread &T, uintptr_t Lock,
                                                         uintptr_t PC);

/// Forgets what is known of addresses. Any context.
void forgetSections();

} // namespace __causal

#endif // CAUSAL_CRITICAL_SECTION_H
