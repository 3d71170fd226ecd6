//===- causal_interceptors_process.cpp - Ends of the process --------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// exit() ends the profile through atexit; these go past it: the other ways to exit,
// exec in all its forms, and a program that forbids itself system calls. A child of
// vfork, which has its parent's memory, leaves the parent's run alone. And a server that
// gives up being root may not open the profile afterwards.
//
// What a new program inherits (signal mask, ignored signals) is what this one set, not
// what the sampler made of it.
//
//===----------------------------------------------------------------------===//
#include "base/causal_platform.h"
#include "base/causal_process.h"
#include "base/causal_report.h"
#include "base/causal_syscall.h"
#include "causal/causal_run.h"
#include "intercept/causal_interceptors.h"
#include "mode/causal_mode.h"
#include "sampler/causal_lifetime.h"
#include "sampler/causal_sampler.h"
#include "sampler/causal_signal_mask.h"
#include "sampler/causal_signal_stack.h"

#include <errno.h>
#include <spawn.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <unistd.h>

using namespace __causal;

//===-- exit --------------------------------------------------------------===//

CAUSAL_INTERPOSER(void, _exit, (int Status), (Status)) {
  finishProfile();
  real__exit(Status);
  __builtin_unreachable();
}

CAUSAL_INTERPOSER(void, _Exit, (int Status), (Status)) {
  finishProfile();
  real__Exit(Status);
  __builtin_unreachable();
}

CAUSAL_INTERPOSER(void, quick_exit, (int Status), (Status)) {
  finishProfile();
  real_quick_exit(Status);
  __builtin_unreachable();
}

//===-- exec --------------------------------------------------------------===//

namespace {
/// While it lives, signals are to the kernel as the program set them.
class ProgramSignals {
public:
  ProgramSignals() {
    int Sampler = samplerSignal();
    if (!Sampler)
      return;
    ignore(Sampler, Ours);
    ignore(StandInSignal, OurStandIn);
    Before = kernelMask();
    uint64_t Mask = maskForProgram(Before, Sampler);
    siginfo_t Pending;
    bool IsPending = Mask & signalBit(Sampler) && takePending(signalBit(StandInSignal), &Pending);
    setKernelMask(Mask);
    if (!IsPending)
      return;
    Pending.si_signo = Sampler;
    sendToSelf(Pending);
  }
  ~ProgramSignals() {
    if (!samplerSignal())
      return;
    restore(samplerSignal(), Ours);
    restore(StandInSignal, OurStandIn);
    setKernelMask(Before);
  }
  ProgramSignals(const ProgramSignals &) = delete;

private:
  // A sample that is forced upon a thread which ignores it ends the process, so not while
  // there are others.
  static void ignore(int Signal, struct sigaction &Old) {
    struct sigaction Kernel, *Program = programAction(Signal);
    if (Program->sa_handler != SIG_IGN || realSigaction(Signal, nullptr, &Kernel) ||
        !isRuntimeHandler(Kernel) || (inOwnProcess() && livingThreads() > 1))
      return;
    Old = Kernel;
    realSigaction(Signal, Program, nullptr);
  }

  static void restore(int Signal, const struct sigaction &Old) {
    if (isRuntimeHandler(Old))
      realSigaction(Signal, &Old, nullptr);
  }

  struct sigaction Ours = {}, OurStandIn = {};
  uint64_t Before = 0;
};
} // namespace

// Call() makes a program. Stopped: no sample can come to it meanwhile.
template <typename Function> static auto makeProgram(ThreadBase *Stopped, Function Call) {
  if (Stopped) {
    stopSampling(*Stopped);
    dropPendingSamples();
  }
  decltype(Call()) Result;
  int Error;
  {
    ProgramSignals Signals;
    Result = Call();
    Error = errno;
  }
  if (Stopped && isProfiling())
    Stopped->Sampled = startSampling(*Stopped);
  errno = Error;
  return Result;
}

// Call() returns only if it has failed. A sample that were still pending would end the
// new program, which has no handler for it: sampling stops before.
template <typename Function> static auto exec(Function Call) {
  bool Own = inOwnProcess();
  return makeProgram(Own ? currentThread() : nullptr, [&] {
    if (Own && isProfiling())
      mode()->beforeExec();
    return Call();
  });
}

// In a handler that must not be sampled the sampler's signal opens meanwhile.
template <typename Function> static int spawn(Function Call) {
  bool IsShut = inOwnProcess() && kernelMask() & signalBit(samplerSignal());
  return makeProgram(IsShut ? currentThread() : nullptr, Call);
}

long __causal::execBySystemCall(long Number, const long (&Arguments)[6]) {
  return exec([&] {
    auto A = [&](int I) { return static_cast<uint64_t>(Arguments[I]); };
    long Error = systemCall(Number, A(0), A(1), A(2), A(3), A(4), A(5));
    errno = static_cast<int>(-Error);
    return -1l;
  });
}

CAUSAL_WEAK_INTERPOSER(int, execve,
                       (const char *Path, char *const *Arguments, char *const *Environment),
                       (Path, Arguments, Environment)) {
  return exec([=] { return real_execve(Path, Arguments, Environment); });
}
CAUSAL_WEAK_INTERPOSER(int, execv, (const char *Path, char *const *Arguments), (Path, Arguments)) {
  return exec([=] { return real_execv(Path, Arguments); });
}
CAUSAL_WEAK_INTERPOSER(int, execvp, (const char *File, char *const *Arguments), (File, Arguments)) {
  return exec([=] { return real_execvp(File, Arguments); });
}
CAUSAL_WEAK_INTERPOSER(int, execvpe,
                       (const char *File, char *const *Arguments, char *const *Environment),
                       (File, Arguments, Environment)) {
  return exec([=] { return real_execvpe(File, Arguments, Environment); });
}
CAUSAL_WEAK_INTERPOSER(int, fexecve, (int Fd, char *const *Arguments, char *const *Environment),
                       (Fd, Arguments, Environment)) {
  return exec([=] { return real_fexecve(Fd, Arguments, Environment); });
}
CAUSAL_WEAK_INTERPOSER(int, execveat,
                       (int Directory, const char *Path, char *const *Arguments,
                        char *const *Environment, int Flags),
                       (Directory, Path, Arguments, Environment, Flags)) {
  return exec([=] { return real_execveat(Directory, Path, Arguments, Environment, Flags); });
}

// Makes Array, on the stack since a child of vfork may be here, of the arguments of
// execl() after First; leaves List behind the null pointer that ends them.
#define CAUSAL_GATHER_ARGUMENTS(Array, First, List)                                                \
  unsigned long Count = 0;                                                                         \
  va_start(List, First);                                                                           \
  for (const char *A = First; A; A = va_arg(List, const char *))                                   \
    ++Count;                                                                                       \
  va_end(List);                                                                                    \
  char **Array = static_cast<char **>(__builtin_alloca(sizeof(char *) * (Count + 1)));             \
  Array[0] = const_cast<char *>(First);                                                            \
  va_start(List, First);                                                                           \
  for (unsigned long I = 1; I <= Count; ++I)                                                       \
  Array[I] = va_arg(List, char *)

// The real ones are not called.
#pragma clang diagnostic ignored "-Wunused-function"

CAUSAL_WEAK_INTERPOSER(int, execl, (const char *Path, const char *Argument, ...),
                       (Path, Argument)) {
  va_list List;
  CAUSAL_GATHER_ARGUMENTS(Arguments, Argument, List);
  va_end(List);
  return exec([=] { return real_execv(Path, Arguments); });
}
CAUSAL_WEAK_INTERPOSER(int, execlp, (const char *File, const char *Argument, ...),
                       (File, Argument)) {
  va_list List;
  CAUSAL_GATHER_ARGUMENTS(Arguments, Argument, List);
  va_end(List);
  return exec([=] { return real_execvp(File, Arguments); });
}
CAUSAL_WEAK_INTERPOSER(int, execle, (const char *Path, const char *Argument, ...),
                       (Path, Argument)) {
  va_list List;
  CAUSAL_GATHER_ARGUMENTS(Arguments, Argument, List);
  char **Environment = va_arg(List, char **);
  va_end(List);
  return exec([=] { return real_execve(Path, Arguments, Environment); });
}

CAUSAL_WEAK_INTERPOSER(int, posix_spawn,
                       (pid_t * Child, const char *Path, const posix_spawn_file_actions_t *Actions,
                        const posix_spawnattr_t *Attributes, char *const *Arguments,
                        char *const *Environment),
                       (Child, Path, Actions, Attributes, Arguments, Environment)) {
  return spawn(
      [=] { return real_posix_spawn(Child, Path, Actions, Attributes, Arguments, Environment); });
}
CAUSAL_WEAK_INTERPOSER(int, posix_spawnp,
                       (pid_t * Child, const char *File, const posix_spawn_file_actions_t *Actions,
                        const posix_spawnattr_t *Attributes, char *const *Arguments,
                        char *const *Environment),
                       (Child, File, Actions, Attributes, Arguments, Environment)) {
  return spawn(
      [=] { return real_posix_spawnp(Child, File, Actions, Attributes, Arguments, Environment); });
}

//===-- other users -------------------------------------------------------===//

static void beforeAnotherUser() {
  if (isProfiling() && inOwnProcess())
    mode()->holdOpen();
}

CAUSAL_WEAK_INTERPOSER(int, setuid, (uid_t User), (User)) {
  beforeAnotherUser();
  return real_setuid(User);
}
CAUSAL_WEAK_INTERPOSER(int, seteuid, (uid_t User), (User)) {
  beforeAnotherUser();
  return real_seteuid(User);
}
CAUSAL_WEAK_INTERPOSER(int, setreuid, (uid_t Real, uid_t Effective), (Real, Effective)) {
  beforeAnotherUser();
  return real_setreuid(Real, Effective);
}
CAUSAL_WEAK_INTERPOSER(int, setresuid, (uid_t Real, uid_t Effective, uid_t Saved),
                       (Real, Effective, Saved)) {
  beforeAnotherUser();
  return real_setresuid(Real, Effective, Saved);
}

//===-- seccomp -----------------------------------------------------------===//

void __causal::leaveBeforeSandbox() {
  if (!isProfiling() || !inOwnProcess())
    return;
  CAUSAL_REPORT("causal: the program restricts its system calls: the profile ends "
                "here\n");
  mode()->leave();
  quietSamplers();
  if (ThreadBase *T = currentThread())
    closeSignalStack(*T);
  if (livingThreads() == 1)
    handBackSignals();
  forgetAllThreads();
  noteSandbox(); // What follows makes no system call.
}

// prctl() is variadic, and all of its arguments are words.
CAUSAL_WEAK_INTERPOSER(int, prctl,
                       (int Option, unsigned long A, unsigned long B, unsigned long C,
                        unsigned long D),
                       (Option, A, B, C, D)) {
  if (Option == PR_SET_SECCOMP)
    leaveBeforeSandbox();
  return real_prctl(Option, A, B, C, D);
}
