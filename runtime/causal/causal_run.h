//===- causal_run.h - A run of the program under the profiler ---*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one object of global state: the experiment scheduler and what it needs of
// the rest of the runtime (it is the scheduler's Host). Zeroed, it is valid and
// inert; start() makes it live.
//
// Context: unless said otherwise, any thread and the sample handler.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_RUN_H
#define CAUSAL_RUN_H

#include "causal/causal_records.h"
#include "causal/experiment/causal_experiment.h"
#include "causal/experiment/causal_recent_lines.h"
#include "causal/law/causal_accrual_table.h"
#include "causal/law/causal_credit_table.h"
#include "causal/law/causal_recent_hits.h"
#include "code/causal_images.h"
#include "code/causal_source_lines.h"
#include "code/causal_target_spec.h"

namespace __causal {

struct CausalThread;

class Run {
public:
  ExperimentScheduler Scheduler;
  AccrualTable Accruing;
  CreditTable Credits;
  RecentHits Hits;

  /// Law 10: the books of the core that runs the calling thread, whose state is T;
  /// null unless the program's threads share cores. Also for handlers.
  CoreDelay *sharedCore(CausalThread &T);
  /// Laws 1 and 10: the calling thread T owes Delay less than all others from now on, for a
  /// sample whose handler began at Began.
  void charge(CausalThread &T, uint64_t Delay, uint64_t Began);

  /// Law 11: whether delay may accrue to anybody now. A baseline keeps the same books, so
  /// that what they cost cancels.
  bool isExperimenting() const { return Scheduler.target().Line != 0; }
  /// What has accrued to other threads becomes due, as the calling thread T sees it.
  void chargeAccrued(CausalThread &T, uint64_t Now);
  /// Nothing accrues to the calling thread T from now on, or it goes on. The former returns
  /// Now, for the latter, with the thread's CPU time if it has asked the kernel for that.
  AccrualTime suspendAccrual(CausalThread &T, uint64_t Now);
  void resumeAccrual(CausalThread &T, AccrualTime Now);

  /// A thread has waited for a lock, asleep if it took longer than Briefly, in an experiment.
  void noteLockWait(uint64_t Time) {
    constexpr uint64_t Briefly = 1000;
    if (Time < Briefly)
      return;
    __atomic_fetch_add(&WaitsForLocks.Count, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&WaitsForLocks.Time, Time, __ATOMIC_RELAXED);
  }

  /// Begins a run. Not for handlers.
  void start();
  /// The child of fork is a run of its own, with its own counts.
  void restartAfterFork();
  /// exec is about to replace the program: writes what a snapshot says. Should exec
  /// fail, the run goes on. Not for handlers.
  void beforeExec();
  /// The program is about to act for another user, who may not be allowed to open the
  /// profile. Not for handlers.
  void beforeAnotherUser();
  /// The program ends: what end_to_end=1 has measured, and stop(). Once per run; not for
  /// handlers.
  void end();
  /// Last snapshot, and what to say about an empty profile. Once per run; not for
  /// handlers.
  void stop();

  bool active() const { return __atomic_load_n(&Active, __ATOMIC_RELAXED); }

  /// Null when the runtime is disabled.
  SourceLines *lines() { return Lines; }
  TargetKind targetKind() const { return Lines ? Lines->kind() : TargetKind::Line; }

  /// What experiments may be on.
  RecentLines Recent;

  /// SourceLines::intern(), and whether fixed_line= or plant_line= mean this one.
  uint32_t internLine(const linemap::Frame &F);
  bool isPlanted(uint32_t Line) const {
    return Line == __atomic_load_n(&PlantedLine, __ATOMIC_RELAXED);
  }

  /// The program has worked for CPUTime.
  void noteWork(uint64_t CPUTime) { __atomic_fetch_add(&Worked, CPUTime, __ATOMIC_RELAXED); }

  /// A sample stands for CPUTime, whether it counts for anything or not.
  void noteSampled(uint64_t CPUTime) { __atomic_fetch_add(&Sampled, CPUTime, __ATOMIC_RELAXED); }

  // The scheduler's Host. Called by the holder of its lock.
  bool canExperiment();
  uint32_t pickLine(Random &R);
  uint64_t lineSamples(uint32_t Line);
  uint64_t work() { return __atomic_load_n(&Worked, __ATOMIC_RELAXED); }
  uint64_t sampledTime() { return __atomic_load_n(&Sampled, __ATOMIC_RELAXED); }
  uint64_t unsettled();
  uint64_t unpaidForOwn();
  void beginPoints(uint64_t EffectiveTime);
  void pollPoints(uint64_t EffectiveTime, ExperimentPart Part);
  uint64_t endPoints(uint64_t EffectiveTime);
  bool settlesLate(uint32_t Line, uint32_t Speedup);
  void finish(const ExperimentResult &Result);

private:
  bool isLongAgo(uint64_t Time, uint64_t Now, uint64_t Period) const;
  bool isIdle(const CausalThread &T, uint64_t Now) const;
  /// In units of 1/Contention::One.
  uint32_t idleCores(uint64_t Now) const;
  void noteCrowding();
  void writeSnapshot(bool Final);
  bool stoppedByControl();
  void explainEmptyProfile(); ///< Says why there is no experiment, if there is none.
  bool didNextToNothing() const;
  uint64_t samples() const; ///< Of all threads that there are slots of.

  /// Whoever has less did not work long enough for anything to be told of it.
  static constexpr uint64_t FewSamples = 20;
  static constexpr unsigned MaxCores = 1024;
  struct alignas(64) {
    CoreDelay Delay;
  } Cores[MaxCores];
  SourceLines *Lines = nullptr;
  uint32_t FixedLine = 0, PlantedLine = 0;
  TargetSpec Fixed, Planted; ///< What fixed_line= and plant_line= say.
  uint64_t FirstVisit = 0;   ///< When the scheduler saw it; 0 before.
  LockWaits WaitsForLocks;   ///< Since an experiment began.
  uint64_t Worked = 0, Sampled = 0, CPUTimeBefore = 0;
  uint64_t Snapshots = 0;
  uint64_t NextSnapshot = 0;
  uint64_t NextControl = 0, NextCrowd = 0;
  bool Active = false;
  bool Stopping = false; ///< The last snapshot is being written.
  bool Stopped = false;
  bool InForkedChild = false;
};

extern Run TheRun;
inline Run &run() { return TheRun; }

} // namespace __causal

#endif // CAUSAL_RUN_H
