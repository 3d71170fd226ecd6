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
#include "base/causal_report.h"
#include "base/causal_runtime_lock.h"
#include "init/causal_init.h"
#include "input/causal_input_access.h"
#include "input/causal_input_activations.h"
#include "input/causal_input_entry.h"
#include "input/causal_input_profile.h"
#include "input/causal_input_routines.h"
#include "input/causal_input_shadow.h"
#include "intercept/models/causal_models.h"
#include "profile/causal_profile_writer.h"
#include "sampler/causal_sampler.h"

#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_flags.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

using namespace __causal;
using namespace __sanitizer;

extern "C" void __sanitizer_set_report_fd(void *Fd);

[[clang::require_constant_initialization]] static Flags TheFlags;
static const char *Options = "";
static char **Environment;
static int OwnerProcess;
static bool Active;
Metric __causal::TheMetric;

const Flags &__causal::flags() { return TheFlags; }
const char *__causal::optionsText() { return Options; }
bool __causal::inOwnProcess() { return processId() == OwnerProcess; }

const char *__causal::environmentValue(const char *Name) {
  uptr Length = internal_strlen(Name);
  if (!getauxval(AT_SECURE))
    for (char **Entry = Environment; Entry && *Entry; ++Entry)
      if (internal_strncmp(*Entry, Name, Length) == 0 && (*Entry)[Length] == '=')
        return *Entry + Length + 1;
  return "";
}

// What the run record says of the sampler: there is none.
SamplerKind __causal::samplerKind() { return SamplerKind::None; }
const char *__causal::samplerName(SamplerKind) { return "none"; }
bool __causal::samplesKernel() { return true; }
uint64_t __causal::samplePeriod() { return 0; }

static void reportLine(void *, const char *Line) { CAUSAL_REPORT("causal: %s\n", Line); }
static void printLine(void *, const char *Line) {
  MessageScope Scope;
  if (Scope.hasRoom())
    Printf("%s\n", Line);
}

static int MessageFd = -1;

static void openMessages() {
  char Path[PATH_MAX + 16] = "/dev/null";
  if (*TheFlags.log_path)
    internal_snprintf(Path, sizeof(Path), "%s.%d", TheFlags.log_path, processId());
  else if (systemCall(SYS_fcntl, STDERR_FILENO, F_GETFD) >= 0)
    return;
  long Fd = systemCall(SYS_open, word(Path), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (Fd >= 0)
    MessageFd = moveDescriptorUp(static_cast<int>(Fd));
  if (MessageFd >= 0)
    __sanitizer_set_report_fd(reinterpret_cast<void *>(uptr(MessageFd)));
}

static void initMessages() {
  SanitizerToolName = "CausalProfiler";
  SetCommonFlagsDefaults();
  CommonFlags Common;
  Common.CopyFrom(*common_flags());
  Common.verbosity = TheFlags.verbosity;
  OverrideCommonFlags(Common);
  SetVerbosity(TheFlags.verbosity);
  openMessages();
}

static void readOptions() {
  Options = environmentValue("CAUSAL_OPTIONS");
  parseFlags(TheFlags, Options, {});
  initMessages();
  if (!*Options)
    return;
  TheFlags.StorageUsed = 0;
  parseFlags(TheFlags, Options, {reportLine, nullptr});
  if (TheFlags.help)
    describeFlags(TheFlags, {printLine, nullptr});
}

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
  OwnerProcess = processId();
  for (int Fd = 0; (Fd = nextOwnDescriptor(Fd)) >= 0; ++Fd)
    if (Fd != profileDirectory() && Fd != MessageFd)
      closeOwnDescriptor(Fd);
  forgetOtherInputThreads();
  if (InputThread *T = Self) {
    restartPoints(*T);
    T->Lost = 0;
  }
  beginInputRun(newRunId());
  SignalsBlocked::restore(MaskBeforeFork);
}

void __causal::finishProfile() {
  if (!Active || !inOwnProcess())
    return;
  endInputRun();
  stopInputThreads();
}
static void finishAtExit() { finishProfile(); }
void __causal::finishInputProcess() { finishProfile(); }
void __causal::writeInputBeforeExec() {
  if (Active && inOwnProcess())
    writeOwnInput();
}

static void init(int, char **, char **InitialEnvironment) {
  Environment = InitialEnvironment;
  OwnerProcess = processId();
  readOptions();
  resolveKernelModels();
  resolveProcessModels();
  if (!TheFlags.enabled)
    return;
  if (getauxval(AT_SECURE)) {
    CAUSAL_REPORT("causal: the program has privileges that its user lacks: it is not "
                  "profiled. Run it as a user who has them\n");
    return;
  }
  if (internal_strcmp(TheFlags.metric, "rms") == 0)
    TheMetric = Metric::Rms;
  else if (internal_strcmp(TheFlags.metric, "external") == 0)
    TheMetric = Metric::External;
  initInputAccess();
  constexpr uint32_t LastStamp = ~0u - 1;
  uint32_t Limit = TheFlags.stamp_limit ? static_cast<uint32_t>(TheFlags.stamp_limit) : LastStamp;
  if (!checkAddressSpace() || !initInputThreads(Limit))
    return;
  beginInputRun(newRunId());
  pthread_atfork(beforeFork, afterForkInParent, afterForkInChild);
  atexit(finishAtExit);
  at_quick_exit(finishAtExit);
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
