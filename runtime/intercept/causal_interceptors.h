//===- causal_interceptors.h - How to interpose a libc function --*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One implementation serves calls that the pass retargeted (__causal_NAME), calls
// from code that was not compiled by us (NAME, interposed) and static programs
// (__wrap_NAME, through the linker's --wrap).
//
// To add one:
//   1. name it in include/causal/RuntimeABI.def, if the pass is to retarget it
//   2. CAUSAL_INTERCEPTOR(Return, Name, (Params), (Args)) { ... } in the file of its
//      family, calling real_Name for the function itself
//   3. name it in exports.txt, unless a pattern there covers it
//
// The definition is strong (but see CAUSAL_WEAK_INTERPOSER): a sanitizer's own interceptor is weak (LLVM 17 and
// later) and is reached as ___interceptor_NAME. Resolution is lazy, since IFUNC
// resolvers and preloaded libraries call before any initialisation.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_INTERCEPTORS_H
#define CAUSAL_INTERCEPTORS_H

#include "base/causal_interface.h"
#include "cpu/causal_cpu_wait.h"

#include <dlfcn.h>
#include <signal.h>

/// How libc's own is found.
#define CAUSAL_FIND(Name) dlsym(RTLD_NEXT, Name)

using CausalResolver = __attribute__((preserve_most)) void *();

#ifdef CAUSAL_STATIC
#define CAUSAL_REAL(Return, Name, Params, Args)                                                    \
  extern "C" Return __real_##Name Params;                                                          \
  static inline Return real_##Name Params { return __real_##Name Args; }                           \
  [[maybe_unused]] static inline const void *callee_##Name() {                                     \
    return reinterpret_cast<const void *>(__real_##Name);                                          \
  }                                                                                                \
  [[maybe_unused]] static inline bool isSanitizers_##Name() { return false; }
#define CAUSAL_INTERPOSED_SYMBOL(Name) "__wrap_" #Name
#define CAUSAL_RESOLVE_EARLY(Name)
#else
#define CAUSAL_REAL(Return, Name, Params, Args)                                                    \
  extern "C" __attribute__((weak)) Return ___interceptor_##Name Params;                            \
  static void *Real_##Name;                                                                        \
  static __attribute__((preserve_most, noinline, cold)) void *resolve_##Name() {                   \
    void *Function = &___interceptor_##Name ? reinterpret_cast<void *>(&___interceptor_##Name)     \
                                            : CAUSAL_FIND(#Name);                                  \
    __atomic_store_n(&Real_##Name, Function, __ATOMIC_RELAXED);                                    \
    return Function;                                                                               \
  }                                                                                                \
  __attribute__((section("causal_resolve"), used)) static CausalResolver *const Resolve_##Name =   \
      resolve_##Name;                                                                              \
  static inline Return real_##Name Params {                                                        \
    void *Function = __atomic_load_n(&Real_##Name, __ATOMIC_RELAXED);                              \
    if (__builtin_expect(!Function, 0))                                                            \
      Function = resolve_##Name();                                                                 \
    return reinterpret_cast<Return(*) Params>(Function) Args;                                      \
  }                                                                                                \
  [[maybe_unused]] static inline const void *callee_##Name() {                                     \
    const void *Function = __atomic_load_n(&Real_##Name, __ATOMIC_RELAXED);                        \
    return Function ? Function : resolve_##Name();                                                 \
  }                                                                                                \
  [[maybe_unused]] static inline bool isSanitizers_##Name() { return &___interceptor_##Name; }
#define CAUSAL_INTERPOSED_SYMBOL(Name) #Name
#define CAUSAL_RESOLVE_EARLY(Name)                                                                 \
  namespace __causal {                                                                             \
  void resolveEarly_##Name() { resolve_##Name(); }                                                 \
  }
#endif

/// Interposes Name, without a __causal_ entry point. The definition gets its name by
/// an asm label: libc's headers declare some of these functions noexcept.
#define CAUSAL_INTERPOSER(Return, Name, Params, Args)                                              \
  CAUSAL_REAL(Return, Name, Params, Args)                                                          \
  CAUSAL_INTERFACE Return interposed_##Name Params __asm__(CAUSAL_INTERPOSED_SYMBOL(Name));        \
  CAUSAL_INTERFACE Return interposed_##Name Params

/// Interposes Name weakly, and not by retargeting: a program may have a function of
/// its own under a name like read or send. Handlers and children of fork may call
/// these, where dlsym could hang: resolveInterposed() looks them up early.
#define CAUSAL_WEAK_INTERPOSER(Return, Name, Params, Args)                                         \
  CAUSAL_REAL(Return, Name, Params, Args)                                                          \
  CAUSAL_RESOLVE_EARLY(Name)                                                                       \
  CAUSAL_INTERFACE __attribute__((weak)) Return interposed_##Name Params __asm__(                  \
      CAUSAL_INTERPOSED_SYMBOL(Name));                                                             \
  CAUSAL_INTERFACE __attribute__((weak)) Return interposed_##Name Params

/// Interposes Name and defines __causal_Name for retargeted calls.
#define CAUSAL_INTERCEPTOR(Return, Name, Params, Args)                                             \
  CAUSAL_REAL(Return, Name, Params, Args)                                                          \
  CAUSAL_INTERFACE Return interposed_##Name Params __asm__(CAUSAL_INTERPOSED_SYMBOL(Name));        \
  CAUSAL_INTERFACE Return __causal_##Name Params                                                   \
      __attribute__((alias(CAUSAL_INTERPOSED_SYMBOL(Name))));                                      \
  CAUSAL_INTERFACE Return interposed_##Name Params

/// Before Kind(Return, Name, Params, Args), one of the above, of a function that may wait:
/// blocking_Name() is real_Name() as a wait in this CPUState for Object, which mode=cpu sees.
/// In other modes it costs one look.
#define CAUSAL_WAITS(State, Object, Kind, Return, Name, Params, Args)                              \
  static inline Return real_##Name Params;                                                         \
  static inline const void *callee_##Name();                                                       \
  [[maybe_unused]] static inline bool isSanitizers_##Name();                                       \
  static ::__causal::WaitSite Site_##Name = {#Name, ::__causal::CPUState::State,                   \
                                             ::__causal::WaitSite::Unknown};                       \
  __attribute__((noinline)) static Return wait_##Name Params {                                     \
    return ::__causal::waitInCPUMode(*::__causal::cpuThread(), Site_##Name,                        \
                                     ::__causal::waitObject(Object), callee_##Name(),              \
                                     [&] { return real_##Name Args; });                            \
  }                                                                                                \
  static inline Return blocking_##Name Params {                                                    \
    return __builtin_expect(!::__causal::cpuThread(), 1) ? real_##Name Args : wait_##Name Args;    \
  }                                                                                                \
  Kind(Return, Name, Params, Args)

namespace __causal {
/// The program's signals are to the kernel as it set them, for good. By the only thread, once the
/// samplers are quiet.
void handBackSignals();
/// The calling thread is about to be forbidden system calls (seccomp): the profile
/// ends, and from then on the runtime makes none. Not for handlers.
void leaveBeforeSandbox();
/// From now on ordinary mutexes are locked without a call of glibc, if it is glibc that
/// would be called. At start-up.
void lockOrdinaryMutexes();
/// The system calls execve and execveat, as the functions of that name.
long execBySystemCall(long Number, const long (&Arguments)[6]);
/// The system call sigaltstack, as the function of that name.
long stackBySystemCall(long New, long Old);
/// Finds libc's functions behind the weak interposers. At start-up.
void resolveInterposed();
/// Finds all of them: a checker for races takes what is found later for one. At start-up.
void resolveAll();
} // namespace __causal

#endif // CAUSAL_INTERCEPTORS_H
