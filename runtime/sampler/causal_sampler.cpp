//===- causal_sampler.cpp - Samples of CPU time ---------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The choice of a back end, and the one signal handler.
//
//===----------------------------------------------------------------------===//
#include "sampler/causal_sampler.h"
#include "base/causal_platform.h"
#include "base/causal_process.h"
#include "base/causal_report.h"
#include "base/causal_rules.h"
#include "base/causal_syscall.h"
#include "mode/causal_mode.h"
#include "sampler/causal_schedstat.h"
#include "sampler/causal_signal_mask.h"
#include "sampler/causal_signal_stack.h"

#include "sanitizer_common/sanitizer_common.h"

#include <errno.h>
#include <linux/futex.h>
#include <ucontext.h>

using namespace __causal;
using namespace __sanitizer;

static SamplerKind Kind;
static uint64_t MeanPeriod;
static struct sigaction ProgramAction, ProgramStandInAction;

SamplerKind __causal::samplerKind() { return Kind; }
uint64_t __causal::samplePeriod() { return MeanPeriod; }
void __causal::setSamplePeriod(uint64_t Period) {
  MeanPeriod = Kind == SamplerKind::Timer ? timerPeriod(Period) : Period;
}

struct sigaction *__causal::programAction(int Signal) {
  if (Kind == SamplerKind::None)
    return nullptr;
  return Signal == samplerSignal() ? &ProgramAction
         : Signal == StandInSignal ? &ProgramStandInAction
                                   : nullptr;
}

const char *__causal::samplerName(SamplerKind K) {
  switch (K) {
  case SamplerKind::PerfSigtrap:
    return "perf-sigtrap";
  case SamplerKind::PerfSignal:
    return "perf-signal";
  case SamplerKind::Timer:
    return "timer";
  case SamplerKind::None:
    break;
  }
  return "none";
}

int __causal::samplerSignal() {
  if (Kind == SamplerKind::None)
    return 0;
  return Kind == SamplerKind::PerfSigtrap ? SIGTRAP : SIGPROF;
}

void __causal::openSamplerSignal() {
  if (uint64_t Set = signalBit(samplerSignal()))
    systemCall(SYS_rt_sigprocmask, SIG_UNBLOCK, word(&Set), 0, sizeof(Set));
}

void __causal::adoptInheritedMask() {
  if (int Signal = samplerSignal())
    setKernelMask(maskForKernel(kernelMask(), Signal));
}

uint64_t __causal::drawPeriod(Random &R) {
  uint32_t Width = static_cast<uint32_t>(MeanPeriod * mode()->PeriodSpread / 50);
  return MeanPeriod - Width / 2 + R.below(Width);
}

uint64_t __causal::drawFirstPeriod(Random &R, uint64_t Mean, uint64_t Least) {
  uint64_t Drawn = R.below(static_cast<uint32_t>(Mean));
  return Drawn < Least ? Least : Drawn;
}

static bool SentOn;

int __causal::numberToThread(int Signal) {
  if (!Signal || Signal != samplerSignal() || !inOwnProcess())
    return Signal;
  __atomic_store_n(&SentOn, true, __ATOMIC_RELAXED);
  return StandInSignal;
}

// A signal of the program's comes when its mask lets it and no handler of ours runs, to whom it
// was for.
static void sendOn(siginfo_t Info) {
  __atomic_store_n(&SentOn, true, __ATOMIC_RELAXED);
  Info.si_signo = StandInSignal;
  bool IsForThread = Info.si_code == SI_TKILL || Info.si_code == SI_QUEUE;
  if (IsForThread || systemCall(SYS_rt_sigqueueinfo, static_cast<uint64_t>(processId()),
                                static_cast<uint64_t>(StandInSignal), word(&Info)))
    sendToSelf(Info);
}

// The same, for the calling thread.
static void sendOnToSelf(siginfo_t Info) {
  __atomic_store_n(&SentOn, true, __ATOMIC_RELAXED);
  Info.si_signo = StandInSignal;
  sendToSelf(Info);
}

// Can be neither ignored nor blocked.
static bool isTrap(int Signal, const siginfo_t &Info) {
  return Signal == SIGTRAP && Info.si_code > 0;
}

// In a wait with a mask of its own Context has the one behind it.
static bool isBlocked(const ThreadBase *T, const void *Context) {
  return has(&static_cast<const ucontext_t *>(Context)->uc_sigmask, StandInSignal) &&
         !(T && T->WaitsForSamplerNumber);
}

// Without a system call: the program's handler runs with all signals blocked.
static void forwardInSandbox(int Signal, siginfo_t *Info, void *Context) {
  const struct sigaction &Action = *programAction(Signal);
  if (Action.sa_handler == SIG_IGN && !isTrap(Signal, *Info))
    return;
  if (Action.sa_handler == SIG_DFL || Action.sa_handler == SIG_IGN)
    __builtin_trap();
  Action.sa_flags &SA_SIGINFO ? Action.sa_sigaction(Signal, Info, Context)
                              : Action.sa_handler(Signal);
}

// Hands a signal that is not ours to the program, as the kernel would have: with the
// mask of its own handler, which may leave it by a jump.
static void forward(int Signal, siginfo_t *Info, void *Context) {
  if (isSandboxed())
    return forwardInSandbox(Signal, Info, Context);
  uint64_t Interrupted = firstWord(static_cast<ucontext_t *>(Context)->uc_sigmask);
  bool IsTrap = isTrap(Signal, *Info);
  struct sigaction *Program = programAction(Signal), Action = *Program;
  if (Action.sa_handler == SIG_IGN && !IsTrap)
    return;
  if (Action.sa_handler != SIG_DFL && Action.sa_handler != SIG_IGN) {
    if (Action.sa_flags & static_cast<int>(SA_RESETHAND))
      __builtin_memset(Program, 0, sizeof(*Program));
    uint64_t Mask = maskForKernel(firstWord(Action.sa_mask), samplerSignal()) | Interrupted;
    if (!(Action.sa_flags & SA_NODEFER))
      Mask |= signalBit(StandInSignal);
    if (Action.sa_flags & SA_ONSTACK)
      Mask |= signalBit(samplerSignal());
    setKernelMask(Mask);
    if (Action.sa_flags & SA_SIGINFO)
      return Action.sa_sigaction(Signal, Info, Context);
    return Action.sa_handler(Signal);
  }
  struct sigaction Default;
  __builtin_memset(&Default, 0, sizeof(Default));
  realSigaction(Signal, &Default, nullptr);
  systemCall(SYS_tgkill, static_cast<uint64_t>(processId()), static_cast<uint64_t>(threadId()),
             static_cast<uint64_t>(Signal));
}

static constexpr int TrapPerf = 6; // TRAP_PERF; glibc 2.36 has no name for it.

// siginfo's si_perf_data, likewise unnamed: after si_addr.
static uint64_t perfData(const siginfo_t &Info) {
  uint64_t Data;
  __builtin_memcpy(&Data, reinterpret_cast<const char *>(&Info) + 24, sizeof(Data));
  return Data;
}

static bool isOfEvent(int Signal, const siginfo_t &Info) {
  return Signal == SIGPROF && Info.si_code == POLL_IN;
}

// Timers have longer periods where the others' are perf's.
static uint64_t periodsIn(uint64_t CPUTime) {
  uint64_t Period = samplePeriod(), Count = (CPUTime + Period / 2) / Period;
  return Count ? Count : 1;
}

// A sample's weight in the thread's periods; 0 when the signal is not one of ours.
static unsigned sampleWeight(const ThreadBase *T, int Signal, const siginfo_t &Info) {
  if (Info.si_code == TrapPerf && Signal == SIGTRAP)
    return perfData(Info) == SampleCookie;
  if (Info.si_code == SI_TIMER)
    return Info.si_value.sival_ptr == reinterpret_cast<void *>(SampleCookie)
               ? 1 + static_cast<unsigned>(Info.si_overrun)
               : 0;
  return T && T->PerfFd && isOfEvent(Signal, Info) && Info.si_fd == T->PerfFd;
}

// Calls that a signal breaks off unless it restarts them, whoever waits in them.
static bool canBeBrokenOff(const greg_t *Registers) {
  static constexpr uint16_t Calls[] = {SYS_read,   SYS_readv,   SYS_recvfrom, SYS_recvmsg,
                                       SYS_write,  SYS_writev,  SYS_sendto,   SYS_sendmsg,
                                       SYS_accept, SYS_accept4, SYS_connect,  SYS_wait4,
                                       SYS_waitid, SYS_flock,   SYS_openat,   SYS_futex};
  auto Number = Registers[REG_RAX], Operation = Registers[REG_RSI] & FUTEX_CMD_MASK;
  for (uint16_t Call : Calls)
    if (Number == Call) // A lock of the kernel's own is waited for as if nothing had come.
      return Call != SYS_futex || Operation == FUTEX_WAIT || Operation == FUTEX_WAIT_BITSET;
  return false;
}

// Where a signal of the program's has ended a call and a sample was due at once, the kernel
// looks at the flags of the sampler's handler: the call would begin again, and the program,
// whose handler does not restart it, never know.
static void breakOffRestarted(ucontext_t &Context) {
  greg_t *Registers = Context.uc_mcontext.gregs;
  constexpr greg_t Size = 2; // Of the instruction, which leaves its end in RCX.
  if (Registers[REG_RCX] != Registers[REG_RIP] + Size || !canBeBrokenOff(Registers))
    return;
  uint64_t Came = pendingSignals() & ~firstWord(Context.uc_sigmask);
  for (int Signal = 1; Came >> (Signal - 1); ++Signal) {
    struct sigaction Action;
    if (!(Came & signalBit(Signal)) || realSigaction(Signal, nullptr, &Action) ||
        Action.sa_handler == SIG_DFL || Action.sa_handler == SIG_IGN ||
        Action.sa_flags & static_cast<int>(SA_RESTART))
      continue;
    Registers[REG_RAX] = -EINTR;
    Registers[REG_RIP] += Size;
    return;
  }
}

// We may run on an alternative stack where the program's handler would not: the stand-in's action
// is as the program's.
static bool isForOtherStack(int Signal) {
  const struct sigaction *Action = programAction(Signal);
  return Action->sa_handler != SIG_DFL && Action->sa_handler != SIG_IGN && isOnSignalStack();
}

static void handler(int Signal, siginfo_t *Info, void *Context) {
  ThreadBase *T = currentThread();
  unsigned Weight = sampleWeight(T, Signal, *Info);
  if (!Weight) {
    // An event that has just been closed; the program may have such of its own.
    if (isOfEvent(Signal, *Info) && (!T || (T->ClosedPerfFd && Info->si_fd == T->ClosedPerfFd)))
      return;
    if (isSandboxed())
      return forward(Signal, Info, Context);
    if (isBlocked(T, Context) && !isTrap(Signal, *Info))
      return sendOn(*Info);
    if (!isBlocked(T, Context) && isForOtherStack(Signal))
      return sendOnToSelf(*Info);
    return forward(Signal, Info, Context);
  }
  if (!T)
    return;
  HandlerScope InHandler;
  int SavedErrno = errno;
  uint64_t CPUTime = T->Period * Weight;
  T->SampleWeight = static_cast<uint32_t>(periodsIn(CPUTime)) * T->OneIn;
  // First, since what follows may take longer than a short first period.
  if (T->PerfFd)
    varyPerfPeriod(*T);
  mode()->sample(*T, *static_cast<ucontext_t *>(Context), CPUTime);
  breakOffRestarted(*static_cast<ucontext_t *>(Context));
  errno = SavedErrno;
}

// Hardly anybody else sends it.
static void standInHandler(int, siginfo_t *Info, void *Context) {
  if (__atomic_load_n(&SentOn, __ATOMIC_RELAXED))
    Info->si_signo = samplerSignal();
  forward(Info->si_signo, Info, Context);
}

bool __causal::isRuntimeHandler(const struct sigaction &Action) {
  return Action.sa_flags & SA_SIGINFO &&
         (Action.sa_sigaction == handler || Action.sa_sigaction == standInHandler);
}

// Sent again under its own number, the program's signal would be lost if a sample has come
// since.
void __causal::dropPendingSamples() {
  siginfo_t Info;
  while (samplerSignal() && takePending(signalBit(samplerSignal()), &Info))
    if (!sampleWeight(currentThread(), samplerSignal(), Info))
      sendOn(Info);
}

static void installHandler(int Signal, void (*Handler)(int, siginfo_t *, void *)) {
  struct sigaction Action, Old;
  __builtin_memset(&Action, 0, sizeof(Action));
  Action.sa_sigaction = Handler;
  Action.sa_flags = SA_SIGINFO | SA_RESTART | (Signal == samplerSignal() ? SA_ONSTACK : 0);
  __builtin_memset(&Action.sa_mask, 0xff, sizeof(Action.sa_mask));
  realSigaction(Signal, &Action, &Old);
  if (!isRuntimeHandler(Old))
    *programAction(Signal) = Old;
}

void __causal::updateStandIn() {
  struct sigaction Action;
  if (!samplerSignal() || realSigaction(StandInSignal, nullptr, &Action) ||
      !isRuntimeHandler(Action))
    return;
  bool Handles = ProgramAction.sa_handler != SIG_DFL && ProgramAction.sa_handler != SIG_IGN;
  int OnStack = (Handles ? ProgramAction : ProgramStandInAction).sa_flags & SA_ONSTACK;
  Action.sa_flags = (Action.sa_flags & ~SA_ONSTACK) | (programHasSignalStacks() ? OnStack : 0);
  realSigaction(StandInSignal, &Action, nullptr);
}

SamplerKind __causal::initSampler(const char *Choice, uint64_t Period) {
  MeanPeriod = Period;
  Kind = SamplerKind::None;
  int Error = 0;
  bool WantPerf = internal_strcmp(Choice, "timer") != 0;
  if (WantPerf && isExecutedByOthers()) {
    CAUSAL_REPORT("causal: something else than the kernel executes the program (Valgrind, an "
                  "emulator, a binary instrumenter): it is not profiled. Run it without that; "
                  "sampler=timer profiles it nevertheless\n");
    return Kind;
  }
  if (WantPerf && !isTraced() && perfAvailable(/*Sigtrap=*/true, Period, &Error))
    Kind = SamplerKind::PerfSigtrap;
  else if (WantPerf && perfAvailable(/*Sigtrap=*/false, Period, &Error))
    Kind = SamplerKind::PerfSignal;
  else if (internal_strcmp(Choice, "perf") != 0)
    Kind = SamplerKind::Timer;
  if (Kind == SamplerKind::Timer)
    MeanPeriod = timerPeriod(Period);

  if (Kind == SamplerKind::None)
    CAUSAL_REPORT("causal: perf_event_open failed (errno %d) and sampler=perf allows "
                  "nothing "
                  "else: no profile. Use sampler=auto, or lower "
                  "/proc/sys/kernel/perf_event_paranoid to 2\n",
                  Error);
  else if (Kind == SamplerKind::Timer && WantPerf)
    CAUSAL_VREPORT(1,
                   "causal: sampler timer, period %llu us: perf_event_open failed with errno %d "
                   "(container without "
                   "CAP_PERFMON, seccomp, or perf_event_paranoid above 2)\n",
                   static_cast<unsigned long long>(MeanPeriod / 1000), Error);
  else
    CAUSAL_VREPORT(1, "causal: sampler %s%s, period %llu us\n", samplerName(Kind),
                   Kind == SamplerKind::PerfSignal ? " (debugger attached, or a kernel before 5.18)"
                                                   : "",
                   static_cast<unsigned long long>(MeanPeriod / 1000));
  if (Kind != SamplerKind::None) {
    installHandler(samplerSignal(), handler);
    installHandler(StandInSignal, standInHandler);
  }
  return Kind;
}

bool __causal::startSampling(ThreadBase &T) {
  if (!openSignalStack(T))
    return false;
  T.Spacing.restart();
  switch (Kind) {
  case SamplerKind::PerfSigtrap:
  case SamplerKind::PerfSignal:
    // Descriptors may have run out: the timer needs none.
    return startPerf(T, Kind == SamplerKind::PerfSigtrap) || startTimer(T);
  case SamplerKind::Timer:
    return startTimer(T);
  case SamplerKind::None:
    break;
  }
  return false;
}

void __causal::forgetSampler() { Kind = SamplerKind::None; }

void __causal::quietSamplers() {
  forEachSlot([](const ThreadBase &T) {
    if (__atomic_load_n(&T.Alive, __ATOMIC_ACQUIRE)) {
      quietPerf(T);
      quietTimer(T);
    }
  });
}

void __causal::stopSampling(ThreadBase &T) {
  if (!isProfiling())
    return; // The kernel takes everything back when the thread ends.
  stopPerf(T);
  stopTimer(T);
  closeSignalStack(T);
  closeSchedstat(T);
}
