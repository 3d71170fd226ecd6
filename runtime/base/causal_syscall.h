//===- causal_syscall.h - System calls without libc -------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Raw system calls for code that may run in a sample handler or inside the
// program's own calls: no errno, no cancellation point, no interposed function.
// Results are the kernel's: -errno on failure.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_SYSCALL_H
#define CAUSAL_SYSCALL_H

#include <errno.h>
#include <stdint.h>
#include <sys/syscall.h>

namespace __causal {

inline long systemCall(long Number, uint64_t A = 0, uint64_t B = 0, uint64_t C = 0, uint64_t D = 0,
                       uint64_t E = 0, uint64_t F = 0) {
#if defined(__x86_64__)
  long Result;
  register uint64_t R10 asm("r10") = D;
  register uint64_t R8 asm("r8") = E;
  register uint64_t R9 asm("r9") = F;
  asm volatile("syscall"
               : "=a"(Result)
               : "a"(Number), "D"(A), "S"(B), "d"(C), "r"(R10), "r"(R8), "r"(R9)
               : "rcx", "r11", "memory");
  return Result;
#else
#error "the causal profiler's runtime supports x86_64 Linux"
#endif
}

template <typename T> uint64_t word(T *Pointer) { return reinterpret_cast<uint64_t>(Pointer); }

/// Whether the 8 bytes at Address can be read now. Asks for a mask to be set from there, with
/// an impossible `how`: EFAULT if it cannot be read, EINVAL otherwise.
inline bool isReadable(uintptr_t Address) {
  return systemCall(SYS_rt_sigprocmask, ~0ull, Address, 0, 8) == -EINVAL;
}

} // namespace __causal

#endif // CAUSAL_SYSCALL_H
