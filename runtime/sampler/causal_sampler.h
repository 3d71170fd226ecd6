//===- causal_sampler.h - Samples of CPU time -------------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interrupts every thread once per period of its CPU time. In order of preference:
//
//   perf-sigtrap  perf task-clock event that raises SIGTRAP in the thread itself:
//                 synchronous, so it never ends a system call early
//   perf-signal   the same event with SIGPROF, for old kernels and under a debugger
//   timer         timer_create on the thread's CPU clock with SIGPROF, where perf
//                 is refused; no finer than the kernel's tick
//
// Each back end calls the mode's sample() from its signal handler. The first period of a
// thread is random, so that threads shorter than a period get their fair share of
// samples, and every later one varies, so that a periodic program cannot alias. Where
// perf makes it dear to switch threads, those that do so often have longer periods
// (causal_sample_spacing.h). A sample stands for the period that it ended.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_SAMPLER_H
#define CAUSAL_SAMPLER_H

#include "thread/causal_thread.h"

#include <signal.h>

namespace __causal {

enum class SamplerKind : uint8_t { None, PerfSigtrap, PerfSignal, Timer };

/// Chooses a back end and installs its handler. Choice: auto, perf or timer; says
/// at verbosity 1 which it took and why. At start-up and in the child of fork.
SamplerKind initSampler(const char *Choice, uint64_t Period);
SamplerKind samplerKind();
/// As in the profile's run record.
const char *samplerName(SamplerKind K);
/// Whether time in the kernel is sampled, too.
bool samplesKernel();
/// Mean period in nanoseconds, which is a tick of the kernel at least where timers sample.
uint64_t samplePeriod();
/// Another one, before any thread is sampled. Init only.
void setSamplePeriod(uint64_t Period);
/// Nanoseconds of CPU time that the kernel and the handler need for a sample, measured for some
/// ten milliseconds; 0: not known. Init only.
uint64_t sampleCost();

/// Own thread, not in handlers. Returns false when no sampler could be had.
bool startSampling(ThreadBase &T);
void stopSampling(ThreadBase &T);

/// What the sampler has sent to the calling thread and it has not got, since its signal is
/// blocked, is taken back; what is the program's stays. After stopSampling().
void dropPendingSamples();
/// No thread is sampled any more; makes no system call afterwards. Not for handlers.
void quietSamplers();
/// No signal is ours any more: the program has them all back. After quietSamplers(), where the
/// calling thread is the only one.
void forgetSampler();

/// The next period of a thread: the mean, give or take what the mode says.
uint64_t drawPeriod(Random &R);
/// A first period: uniform up to Mean, but at least Least. So a thread that lives for
/// longer is as likely sampled as its part of a period; one that does not is never sampled.
uint64_t drawFirstPeriod(Random &R, uint64_t Mean, uint64_t Least);

/// The signal that the chosen back end needs open in every thread, or 0. The
/// wrappers of the signal functions keep it out of the program's masks.
int samplerSignal();
/// Unblocks that signal in the calling thread. Not for handlers.
void openSamplerSignal();
/// The mask that the process was given, as the kernel is to have it. At start-up.
void adoptInheritedMask();
/// The program's own action for samplerSignal() or the StandInSignal, which handlers of
/// the runtime forward to; null for others.
struct sigaction *programAction(int Signal);
bool isRuntimeHandler(const struct sigaction &Action);
/// The program's actions for those signals, or its alternative stacks, have changed: the stand-in
/// is handled on the stack that they ask for. Any thread.
void updateStandIn();
/// The number under which the program's Signal is sent to one thread: the kernel keeps one
/// signal of a number for a thread, and drops a second one while a sample waits.
int numberToThread(int Signal);

/// Marks the signals of our own events and timers.
constexpr uint64_t SampleCookie = 0xca05a1;

// The back ends.
bool perfAvailable(bool Sigtrap, uint64_t Period, int *Error);
/// Whether something else than the kernel executes the program (Valgrind, emulators): a sample
/// would come while that is at work. At start-up.
bool isExecutedByOthers();
bool startPerf(ThreadBase &T, bool Sigtrap);
void stopPerf(ThreadBase &T);
void quietPerf(const ThreadBase &T);
void varyPerfPeriod(ThreadBase &T);
/// Now and then: how far apart T's samples are to be, by how often it gives its core up.
/// Episode: of time without delays, 0 if there are. True if that has changed. Own thread, in
/// a sample.
/// Affordable: what the event may cost, in percent.
bool spaceSamples(ThreadBase &T, uint64_t Episode, uint64_t Affordable = SampleSpacing::Affordable);
/// The period of a timer that is asked for Period.
uint64_t timerPeriod(uint64_t Period);
bool startTimer(ThreadBase &T);
void stopTimer(ThreadBase &T);
void quietTimer(const ThreadBase &T);

} // namespace __causal

#endif // CAUSAL_SAMPLER_H
