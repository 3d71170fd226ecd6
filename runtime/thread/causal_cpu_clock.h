//===- causal_cpu_clock.h - A thread's CPU time, cheaply ---------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// To ask the kernel for a thread's CPU time is a system call, half a microsecond or more. As
// long as the thread keeps its core its CPU time goes on as the wall clock does, and whether
// it has kept it a restartable sequence tells (rseq(2)): the kernel clears the pointer to it
// when it takes the core away, or delivers a signal, while the thread is elsewhere. For where
// cores are shared (law 11), at each meeting.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CPU_CLOCK_H
#define CAUSAL_CPU_CLOCK_H

#include <stdint.h>

namespace __causal {

class CPUClock {
public:
  /// CPU time of the calling thread, whose clock this is, when it was \p Now by
  /// CLOCK_MONOTONIC, a moment ago. Where the wall clock tells it may be ahead of the kernel's
  /// by what interrupts and the host of a virtual machine had, and step back by that when the
  /// kernel is asked again. Own thread, handlers too.
  uint64_t at(uint64_t Now) { return keepsCore() ? Now + Ahead : ask(); }

  /// The slot is another thread's, or that of a child process. Own thread.
  void restart();

  /// Whether it is known that the calling thread has had its core since the kernel was last
  /// asked; never where there is no rseq, or the kernel clears the pointer too seldom.
  static bool keepsCore();

private:
  uint64_t ask();

  uint64_t Ahead = 0; ///< CPU time less wall time; wraps.
  uint32_t Asked = 0;
};

} // namespace __causal

#endif // CAUSAL_CPU_CLOCK_H
