//===- causal_cpu_wait.h - Calls that wait, in mode=cpu ---------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What wrappers put around the real call where it may wait, and before what may end such a
// wait. In other modes both are one load and one test.
//
// Context: any thread, registered or not; not the sample handler. errno is left alone. The
// thread may be cancelled in Call, or leave it by a jump: nothing is to be undone then.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CPU_WAIT_H
#define CAUSAL_CPU_WAIT_H

#include "cpu/causal_cpu_thread.h"

#include <errno.h>
#include <time.h>

namespace __causal {

/// An object in the form that waits know it by.
inline uintptr_t waitObject(const volatile void *Object) {
  return reinterpret_cast<uintptr_t>(Object);
}
inline uintptr_t waitObject(uintptr_t Object) { return Object; }

/// The shortest wait that is settled at once, and the shortest time off the core that the
/// kernel is asked about.
constexpr uint64_t BriefWaitNs = 20000;

/// The two halves of a wait, of the calling thread T. Outer keeps the wait that this one came
/// in the midst of, in a signal handler.
void beginWait(CPUThread &T, WaitSite &S, uintptr_t Object, const void *Function,
               const UnwindRegisters &Here, OpenWait &Outer);
void endWait(CPUThread &T, const OpenWait &Outer);

template <typename Function>
__attribute__((noinline)) auto waitInCPUMode(CPUThread &T, WaitSite &S, uintptr_t Object,
                                             const void *Callee, const Function &Call) {
  if (T.InRuntime)
    return Call();
  OpenWait Outer;
  beginWait(T, S, Object, Callee, ownRegisters(), Outer);
  auto Result = Call();
  endWait(T, Outer);
  return Result;
}

/// Try(), which does not wait, in mode=cpu only: what is free is to cost nothing there.
template <typename TryFunction, typename Function>
inline int tryFirst(const TryFunction &Try, const Function &Wait) {
  return cpuThread() && Try() == 0 ? 0 : Wait();
}

/// A snapshot is written if one is due. The time until which a wait is to last before it looks
/// for one, for the Round-th time; in CLOCK_MONOTONIC.
timespec nextLook(unsigned Round);
void lookForSnapshot();
/// Wait(Until), which returns ETIMEDOUT then, until it returns something else.
template <typename Function> int lookingUp(const Function &Wait) {
  for (unsigned Round = 0;; ++Round) {
    timespec Until = nextLook(Round);
    if (int Result = Wait(&Until); Result != ETIMEDOUT)
      return Result;
    lookForSnapshot();
  }
}

/// The thread is about to do what may end a wait for Object; All: of all who wait.
__attribute__((preserve_most, noinline)) void wakeInCPUMode(CPUThread &T, uintptr_t Object,
                                                            const void *From, bool All);
__attribute__((always_inline)) inline void waking(uintptr_t Object, bool All = false) {
  CPUThread *T = cpuThread();
  if (__builtin_expect(T != nullptr, 0))
    wakeInCPUMode(*T, Object, __builtin_return_address(0), All);
}
__attribute__((always_inline)) inline void waking(const volatile void *Object, bool All = false) {
  waking(reinterpret_cast<uintptr_t>(Object), All);
}

} // namespace __causal

#endif // CAUSAL_CPU_WAIT_H
