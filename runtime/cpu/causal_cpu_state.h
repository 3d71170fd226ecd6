//===- causal_cpu_state.h - What a thread does with its time ----*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The states that mode=cpu divides a thread's time into. Pure code, any context.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CPU_STATE_H
#define CAUSAL_CPU_STATE_H

#include <stdint.h>

namespace __causal {

enum class CPUState : uint8_t {
  OnCore,
  Lock,      ///< For who has it to give it back.
  Wait,      ///< For a condition, a semaphore, a barrier, a signal, a futex.
  IO,        ///< For a descriptor.
  Sleep,     ///< For time to go by.
  Join,      ///< For the end of a thread.
  RunQueue,  ///< For a core.
  PageFault, ///< For a page that is read from a disk.
  Idle,      ///< For something to do.
  Other,     ///< In a system call that no wrapper makes.
};
constexpr unsigned CPUStates = 10;

constexpr unsigned index(CPUState S) { return static_cast<unsigned>(S); }

/// As in the profile.
inline const char *nameOf(CPUState S) {
  static constexpr const char *Names[CPUStates] = {
      "cpu", "lock", "wait", "io", "sleep", "join", "runqueue", "pagefault", "idle", "other"};
  return Names[index(S)];
}

} // namespace __causal

#endif // CAUSAL_CPU_STATE_H
