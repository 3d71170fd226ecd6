//===- causal_mode.h - The table that each mode fills -----------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A process is profiled in one mode (CAUSAL_OPTIONS=mode=...). The layers that all modes
// share call it through this table; wrappers, which lie above the modes, call theirs
// directly, so that their fast paths stay inline. A mode never includes another one.
//
// Nothing here is allocated; a null mode is inert. docs/internals/adding.md has the list of
// what a new mode needs.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_MODE_H
#define CAUSAL_MODE_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

namespace __causal {

struct ThreadBase;

struct Mode {
  /// As in mode=, and in the profile's run record.
  const char *Name;
  /// What an image must have been built with: bits of causal::Feature (Features.h).
  uint32_t Needs;
  /// Of a thread's record: ThreadBase and, derived from it, what the mode keeps.
  size_t ThreadSize;
  /// Whether threads that begin by the thousand are sampled one by one, too.
  bool SamplesEveryThread;
  /// Microseconds of CPU time between two samples, unless sample_period_us= says it.
  uint32_t DefaultPeriodUs = 1000;
  /// By how much periods vary, in percent of their mean to either side.
  uint32_t PeriodSpread = 12;

  /// Begins a run; false, and it has said why, where that cannot be. Init only.
  bool (*start)();
  /// Between start() and finish(). Any thread, sample handler.
  bool (*active)();

  /// Constructs what the mode keeps of a thread to come, made at Place (a callPath(), or 0), in
  /// a slot that others may have had. The holder of the table's lock; not for handlers.
  void (*construct)(ThreadBase &, uintptr_t Place);
  /// The calling thread begins, before its first sample. Not for handlers.
  void (*threadBegins)(ThreadBase &);
  /// It ends: first while it is sampled, then when it no longer is. A slot whose thread never
  /// began goes through neither. Not for handlers.
  void (*threadEnds)(ThreadBase &);
  void (*threadEnded)(ThreadBase &);
  /// The slot is about to be free. The holder of the table's lock; not for handlers.
  void (*release)(ThreadBase &);
  /// The thread's sampler has another period than samplePeriod(). May be null. Own thread.
  void (*periodSet)(ThreadBase &) = nullptr;

  /// An image's line table has come, from Begin to End (LineMapFormat.h). May be null. Not for
  /// handlers.
  void (*imageLoaded)(const void *Begin, const void *End) = nullptr;

  /// A sample stands for CPUTime of the calling thread. Sample handler.
  void (*sample)(ThreadBase &, ucontext_t &, uint64_t CPUTime);

  /// exec is about to replace the program: writes what is known. Should exec fail, the run
  /// goes on. Not for handlers.
  void (*beforeExec)();
  /// The program is about to act for another user, who may not be allowed to open the
  /// profile. Not for handlers.
  void (*holdOpen)();
  /// The program ends. Once per run; not for handlers.
  void (*finish)();
  /// The profile ends and the program goes on; no system call is made from now on. Not for
  /// handlers.
  void (*leave)();
  /// After leave(): the runtime knows that thread, which may be another one, no more. May be
  /// null. Not for handlers.
  void (*forget)(ThreadBase &) = nullptr;

  /// fork: the mode's tables are locked across it, and the child is a run of its own, with
  /// the thread that called (null: not known).
  void (*lockTables)();
  void (*unlockTables)();
  void (*forked)(ThreadBase *);
};

/// The chosen one. Null, and constant, while and where nothing is profiled. Any context.
extern const Mode *TheMode;
inline const Mode *mode() { return TheMode; }
/// Whether a run goes on. Any context.
inline bool isProfiling() { return TheMode && TheMode->active(); }

/// In order of their names in messages; the last is null. init/ lists them.
extern const Mode *const Modes[];
/// The mode of that name; null, and *Nearest is the name that is most like it, if there is
/// none. Pure.
const Mode *findMode(const char *Name, const Mode *const *All, const char **Nearest);

} // namespace __causal

#endif // CAUSAL_MODE_H
