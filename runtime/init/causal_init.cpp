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
#include "init/causal_init.h"
#include "base/causal_flags.h"
#include "base/causal_platform.h"
#include "base/causal_report.h"
#include "base/causal_runtime_lock.h"
#include "base/causal_syscall.h"
#include "causal/causal_run.h"
#include "causal/experiment/causal_progress.h"
#include "code/causal_images.h"
#include "code/causal_stack_walk.h"
#include "intercept/causal_interceptors.h"
#include "profile/causal_profile_writer.h"
#include "sampler/causal_sampler.h"
#include "sampler/causal_signal_stack.h"
#include "thread/causal_thread.h"

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

const Flags &__causal::flags() { return TheFlags; }
const char *__causal::optionsText() { return Options; }

static void reportLine(void *, const char *Line) { CAUSAL_REPORT("causal: %s\n", Line); }
static void printLine(void *, const char *Line) {
  MessageScope Scope;
  if (Scope.hasRoom())
    Printf("%s\n", Line);
}

// libc's getenv may not be ready at start-up, and a program that runs with privileges
// of its own trusts nobody's environment.
const char *__causal::environmentValue(const char *Name) {
  uptr Length = internal_strlen(Name);
  if (!getauxval(AT_SECURE))
    for (char **Entry = Environment; Entry && *Entry; ++Entry)
      if (internal_strncmp(*Entry, Name, Length) == 0 && (*Entry)[Length] == '=')
        return *Entry + Length + 1;
  return "";
}

// Where messages go, if not to stderr. (libsanitizer's own way ends the program if it
// cannot open the file.) Without a stderr they go nowhere: the program may open a file
// of its own under that number.
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
  else if (*TheFlags.log_path)
    CAUSAL_REPORT("causal: cannot open %s (errno %d): messages go to stderr. Set "
                  "log_path= in CAUSAL_OPTIONS to a path that can be written\n",
                  Path, Fd < 0 ? static_cast<int>(-Fd) : EMFILE);
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

// fork: the locks are held, so that the child finds the tables whole; the child is a
// run of its own and samples only the thread that it has.
static uint64_t MaskBeforeFork;
static void lockTables() {
  lockThreads();
  lockProgressPoints();
  lockImages();
  MessageMutex.Lock();
}
static void unlockTables() {
  MessageMutex.Unlock();
  unlockImages();
  unlockProgressPoints();
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
  forgetOtherThreads();
  OwnOpening::forgetOthers();
  unlockTables();
  OwnerProcess = processId();
  Thread *T = currentThread();
  // The parent's events and profile: nothing is done to them but to let them go.
  for (int Fd = 0; (Fd = nextOwnDescriptor(Fd)) >= 0; ++Fd)
    if (Fd != profileDirectory() && Fd != MessageFd)
      closeOwnDescriptor(Fd);
  if (MessageFd >= 0)
    __sanitizer_set_report_fd(reinterpret_cast<void *>(uptr(MessageFd)));
  if (T)
    stopSampling(*T);
  run().restartAfterFork();
  if (T && run().active()) {
    T->OneIn = 1;
    T->Sampled = startSampling(*T);
  }
  SignalsBlocked::restore(MaskBeforeFork);
}

static uint64_t chosenPeriod() {
  constexpr uint64_t Default = 1000;
  return 1000 *
         (TheFlags.sample_period_us ? static_cast<uint64_t>(TheFlags.sample_period_us) : Default);
}

static void init(int, char **Arguments, char **InitialEnvironment) {
  Environment = InitialEnvironment;
  Options = environmentValue("CAUSAL_OPTIONS");
  parseFlags(TheFlags, Options, {});
  initMessages();
  if (*Options) {
    // Again, now that messages go where log_path says, with the same values.
    TheFlags.StorageUsed = 0;
    parseFlags(TheFlags, Options, {reportLine, nullptr});
    if (TheFlags.help) {
      printLine(nullptr, "Available flags for CausalProfiler:");
      describeFlags(TheFlags, {printLine, nullptr});
    }
  }
  OwnerProcess = processId();
  resolveInterposed();
  if (!TheFlags.enabled)
    return;
  if (getauxval(AT_SECURE)) {
    // A profile would be written with rights that whoever started it lacks.
    CAUSAL_REPORT("causal: the program has privileges that its user lacks: it is not "
                  "profiled. Run it as a user who has them\n");
    return;
  }
  Thread *Main = allocateThread(nullptr, 0);
  if (!Main || initSampler(TheFlags.sampler, chosenPeriod()) == SamplerKind::None)
    return resolveAll();
  adoptInheritedMask();
  initStackWalk();
  initThreads();
  lockOrdinaryMutexes();
  run().start();
  if (!run().active())
    return;
  pthread_atfork(beforeFork, afterForkInParent, afterForkInChild);
  // Twice: of two threads that call exit() at once the second waits for the first.
  atexit(finishProfile);
  atexit(finishProfile);
  beginThread(Main, reinterpret_cast<uintptr_t>(Arguments));
}

bool __causal::inOwnProcess() { return isSandboxed() || processId() == OwnerProcess; }

void __causal::finishProfile() {
  if (inOwnProcess())
    run().end();
}

void __causal::leaveBeforeSandbox() {
  if (!inOwnProcess() || !run().active())
    return;
  CAUSAL_REPORT("causal: the program restricts its system calls: the profile ends "
                "here\n");
  run().stop();
  GlobalDelay &G = run().Scheduler.Delays;
  __atomic_store_n(&G.Floor, G.total(), __ATOMIC_RELAXED); // Nobody owes.
  quietSamplers();
  if (Thread *T = currentThread())
    closeSignalStack(*T);
  if (livingThreads() == 1)
    handBackSignals();
  forgetAllThreads();
  noteSandbox(); // What follows makes no system call.
}

CAUSAL_INTERFACE void __causal_version_mismatch_check_v1() {}

extern "C" __attribute__((visibility("hidden"))) char __executable_start[], _end[];

// The libraries that a program is linked with come before it, and stay with it.
static bool executableHasCome(const void *Begin) {
  static bool HasCome;
  auto Address = static_cast<const char *>(Begin);
  bool Before = HasCome;
  HasCome |= Address >= __executable_start && Address < _end;
  return Before;
}

CAUSAL_INTERFACE void __causal_register_image(const void *Begin, const void *End) {
  registerImage(static_cast<const linemap::FunctionRecord *>(Begin),
                static_cast<const linemap::FunctionRecord *>(End),
                /*StaysLoaded=*/!executableHasCome(Begin));
}

CAUSAL_INTERFACE void __causal_unregister_image(const void *Begin) {
  unregisterImage(static_cast<const linemap::FunctionRecord *>(Begin));
}

__attribute__((section(".preinit_array"), used)) static void (*const Preinit)(int, char **,
                                                                              char **) = init;
