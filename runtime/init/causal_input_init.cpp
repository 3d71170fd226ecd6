//===- causal_input_init.cpp - Start and end of the input runtime ---------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As causal_init.cpp, for the runtime that -fcausal-profile=input links: it has no sampler
// and wraps other functions. Whatever is in the way, the program runs without a profile: code
// that finds no record of its thread does nothing.
//
//===----------------------------------------------------------------------===//
#include "base/causal_flags.h"
#include "base/causal_platform.h"
#include "base/causal_process.h"
#include "base/causal_report.h"
#include "base/causal_runtime_lock.h"
#include "init/causal_start.h"
#include "input/causal_input_access.h"
#include "input/causal_input_activations.h"
#include "input/causal_input_entry.h"
#include "input/causal_input_profile.h"
#include "input/causal_input_routines.h"
#include "input/causal_input_shadow.h"
#include "intercept/models/causal_models.h"
#include "sampler/causal_sampler.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/auxv.h>

using namespace __causal;
using namespace __sanitizer;

static bool Active;
Metric __causal::TheMetric;

// What the run record says of the sampler: there is none.
SamplerKind __causal::samplerKind() { return SamplerKind::None; }
const char *__causal::samplerName(SamplerKind) { return "none"; }
bool __causal::samplesKernel() { return true; }
uint64_t __causal::samplePeriod() { return 0; }

static uint64_t newRunId() {
  uint64_t Time = realTime() ^ static_cast<uint64_t>(processId()) << 44;
  return (Time ^ Time >> 31) * 0x9E3779B97F4A7C15ull;
}

static uint64_t MaskBeforeFork;
static void beforeFork() {
  uint64_t Mask = SignalsBlocked::block();
  lockInputThreads();
  lockInputProfile();
  lockRoutines();
  MessageMutex.Lock();
  MaskBeforeFork = Mask;
}
static void unlockAll() {
  MessageMutex.Unlock();
  unlockRoutines();
  unlockInputProfile();
  unlockInputThreads();
}
static void afterForkInParent() {
  uint64_t Mask = MaskBeforeFork;
  unlockAll();
  SignalsBlocked::restore(Mask);
}
// A run of its own, with the thread that it has and its pending activations.
static void afterForkInChild() {
  unlockAll();
  ownProcess();
  closeInheritedDescriptors();
  forgetOtherInputThreads();
  if (InputThread *T = Self) {
    restartPoints(*T);
    T->Lost = 0;
  }
  beginInputRun(newRunId());
  SignalsBlocked::restore(MaskBeforeFork);
}

static void finishProfile() {
  if (!Active || !inOwnProcess())
    return;
  endInputRun();
  stopInputThreads();
}
void __causal::finishInputProcess() { finishProfile(); }
void __causal::writeInputBeforeExec() {
  if (Active && inOwnProcess())
    writeOwnInput();
}

static void init(int, char **, char **InitialEnvironment) {
  readOptions(InitialEnvironment);
  resolveKernelModels();
  resolveProcessModels();
  if (!flags().enabled)
    return;
  if (getauxval(AT_SECURE)) {
    CAUSAL_REPORT("causal: the program has privileges that its user lacks: it is not "
                  "profiled. Run it as a user who has them\n");
    return;
  }
  if (!textEquals(flags().mode, "input") && !textEquals(flags().mode, "causal"))
    CAUSAL_REPORT("causal: the program is built for mode=input alone, which is what is measured. "
                  "For mode=%s build and link it with -fcausal-profile\n",
                  flags().mode);
  if (textEquals(flags().metric, "rms"))
    TheMetric = Metric::Rms;
  else if (textEquals(flags().metric, "external"))
    TheMetric = Metric::External;
  initInputAccess();
  constexpr uint32_t LastStamp = ~0u - 1;
  uint32_t Limit = flags().stamp_limit ? static_cast<uint32_t>(flags().stamp_limit) : LastStamp;
  if (!checkAddressSpace() || !initInputThreads(Limit))
    return;
  beginInputRun(newRunId());
  pthread_atfork(beforeFork, afterForkInParent, afterForkInChild);
  atexit(finishProfile);
  at_quick_exit(finishProfile);
  Active = true;
  beginInputThread();
}

CAUSAL_INPUT_INTERFACE void
#if CAUSAL_INPUT_CELL == 8
__causal_input_cell_size_mismatch_check_v1_8() {
}
#else
__causal_input_cell_size_mismatch_check_v1_4() {
}
#endif

__attribute__((section(".preinit_array"), used)) static void (*const Preinit)(int, char **,
                                                                              char **) = init;
