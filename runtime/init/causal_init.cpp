//===- causal_init.cpp - Start and end of the runtime ---------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Order of start, from .preinit_array, before any constructor of the program: flags,
// messages, lookups for the unwinder, sampler, run, main thread. Nothing here grows
// with the size of the program. A runtime that is disabled stops after the flags
// and leaves every wrapper passing straight through.
//
//===----------------------------------------------------------------------===//
#include "base/causal_flags.h"
#include "base/causal_interface.h"
#include "base/causal_platform.h"
#include "base/causal_process.h"
#include "base/causal_report.h"
#include "base/causal_runtime_lock.h"
#include "causal/Features.h"
#include "causal/causal_causal_mode.h"
#include "code/causal_images.h"
#include "code/causal_stack_walk.h"
#include "continuous/causal_continuous_mode.h"
#include "cpu/causal_cpu_mode.h"
#include "init/causal_start.h"
#include "intercept/causal_interceptors.h"
#include "mode/causal_mode.h"
#include "sampler/causal_lifetime.h"
#include "sampler/causal_sampler.h"
#include "sampler/causal_schedstat.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/auxv.h>

using namespace __causal;
using namespace __sanitizer;

const Mode *const __causal::Modes[] = {&CausalMode, &CPUMode, &ContinuousMode, nullptr};

// fork: the locks are held, so that the child finds the tables whole; the child is a
// run of its own and samples only the thread that it has.
static uint64_t MaskBeforeFork;
static void lockTables() {
  lockThreads();
  mode()->lockTables();
  lockImages();
  MessageMutex.Lock();
}
static void unlockTables() {
  MessageMutex.Unlock();
  unlockImages();
  mode()->unlockTables();
  unlockThreads();
}
static void beforeFork() {
  if (isSandboxed())
    return;
  OwnOpening::waitForOthers();
  uint64_t Mask = SignalsBlocked::block();
  lockTables();
  MaskBeforeFork = Mask;
}
static void afterForkInParent() {
  if (isSandboxed())
    return;
  uint64_t Mask = MaskBeforeFork;
  unlockTables();
  SignalsBlocked::restore(Mask);
}
static void afterForkInChild() {
  if (isSandboxed())
    return;
  ThreadBase *T = currentThread();
  forgetOtherThreads();
  OwnOpening::forgetOthers();
  unlockTables();
  ownProcess();
  closeInheritedDescriptors();
  if (T)
    stopSampling(*T);
  forgetSchedstats();
  restartLifetimes();
  mode()->forked(T);
  if (T && isProfiling()) {
    T->OneIn = 1;
    T->Sampled = startSampling(*T);
  }
  SignalsBlocked::restore(MaskBeforeFork);
}

static uint64_t chosenPeriod() {
  uint64_t Default = mode()->DefaultPeriodUs;
  return 1000 *
         (flags().sample_period_us ? static_cast<uint64_t>(flags().sample_period_us) : Default);
}

// Sets TheMode, unless there is none of that name.
static void chooseMode() {
  const char *Nearest = "";
  TheMode = findMode(flags().mode, Modes, &Nearest);
  if (!TheMode && textEquals(flags().mode, "input"))
    CAUSAL_REPORT("causal: mode=input needs instrumented memory accesses: the program is not "
                  "profiled. Build and link it with -fcausal-profile=input\n");
  else if (!TheMode)
    CAUSAL_REPORT("causal: there is no mode=%s: the program is not profiled. Did you mean "
                  "mode=%s?\n",
                  flags().mode, Nearest);
}

static void init(int, char **Arguments, char **InitialEnvironment) {
  readOptions(InitialEnvironment);
  resolveInterposed();
  if (!flags().enabled)
    return;
  if (getauxval(AT_SECURE)) {
    // A profile would be written with rights that whoever started it lacks.
    CAUSAL_REPORT("causal: the program has privileges that its user lacks: it is not "
                  "profiled. Run it as a user who has them\n");
    return;
  }
  chooseMode();
  if (!TheMode)
    return resolveAll();
  ThreadBase *Main = allocateThread(nullptr, 0);
  if (!Main || initSampler(flags().sampler, chosenPeriod()) == SamplerKind::None)
    return resolveAll();
  adoptInheritedMask();
  initStackWalk();
  initThreads();
  initLifetimes();
  lockOrdinaryMutexes();
  if (!mode()->start())
    return;
  pthread_atfork(beforeFork, afterForkInParent, afterForkInChild);
  // Twice: of two threads that call exit() at once the second waits for the first.
  atexit(finishProfile);
  atexit(finishProfile);
  beginThread(Main, reinterpret_cast<uintptr_t>(Arguments));
}

CAUSAL_INTERFACE void __causal_version_mismatch_check_v2() {}

extern "C" __attribute__((visibility("hidden"))) char __executable_start[], _end[];

// The libraries that a program is linked with come before it, and stay with it.
static bool executableHasCome(const void *Begin) {
  static bool HasCome;
  auto Address = static_cast<const char *>(Begin);
  bool Before = HasCome;
  HasCome |= Address >= __executable_start && Address < _end;
  return Before;
}

CAUSAL_INTERFACE void __causal_register_image(const void *Begin, const void *End,
                                              uint32_t Features) {
  registerImage(static_cast<const linemap::FunctionRecord *>(Begin),
                static_cast<const linemap::FunctionRecord *>(End),
                /*StaysLoaded=*/!executableHasCome(Begin));
  if (isProfiling() && mode()->imageLoaded)
    mode()->imageLoaded(Begin, End);
  if (isProfiling() && mode()->Needs & ~Features)
    CAUSAL_REPORT("causal: a part of the program was built without what mode=%s needs, and is "
                  "missing in the profile. Build it with %s\n",
                  mode()->Name,
                  mode()->Needs & ::causal::FeatureMemory ? "-fcausal-profile=input"
                                                          : "-fcausal-profile");
}

CAUSAL_INTERFACE void __causal_unregister_image(const void *Begin) {
  unregisterImage(static_cast<const linemap::FunctionRecord *>(Begin));
}

__attribute__((section(".preinit_array"), used)) static void (*const Preinit)(int, char **,
                                                                              char **) = init;
