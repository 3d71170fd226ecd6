//===- Simulator.h - Simulation of a profiled program -----------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs threads of simulated work on a simulated machine, with the runtime's own
// delay and experiment code (causal_delay.h, causal_experiment.h) around their
// synchronisation, exactly as causal_sync.h and the sample handler call it. A
// program is an ordinary function; its threads are stackful coroutines. Everything
// follows from the seed.
//
//   Simulator S(Options);
//   S.run(Seconds, [&] { while (S.running()) { S.work(LineA, 300_us); S.progress(); } });
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_TEST_SIMULATOR_H
#define CAUSAL_TEST_SIMULATOR_H

#include "SimulatedMachine.h"
#include "causal/experiment/causal_experiment.h"
#include "causal/experiment/causal_settling.h"
#include "causal/law/causal_accrual_table.h"
#include "causal/law/causal_credit_table.h"
#include "causal/law/causal_recent_hits.h"

#include <deque>
#include <vector>

namespace __causal {

struct SimulatorOptions {
  uint64_t Seed = 1;
  uint64_t Period = 1_ms; ///< 0: nothing is sampled.
  /// CPU time that a sample costs the thread.
  uint64_t SampleCost = 0;
  /// And to pay, besides the pause.
  uint64_t PayCost = 0;
  /// Experiments are made on this line only; 0: on lines of recent samples.
  uint32_t FixedLine = 0;
  /// A woken thread is not credited, as behind a primitive that is not wrapped.
  bool Credit = true;
  /// Mutexes are meetings; else they are as where a thread takes too many of them.
  bool LocksMeet = true;
  /// Loops that spin are known for what they are; else they look like work.
  bool SpinLoopsSeen = true;
  /// How often threads that spin on shared cores look for what accrues. Real ones do in every
  /// round, which takes too long to simulate; it is to be little beside the work between two
  /// meetings.
  uint64_t SpinInterval = 5_us;
  /// So many threads of other programs compute all the time.
  unsigned OtherPrograms = 0;
  MachineOptions Machine;
  ExperimentConfig Experiments;
  /// predict(): experiments last for so many pieces of work if that is longer, so that queues
  /// have filled or run empty, and threads have had their turns, in the first of them.
  uint64_t StepsToSettle = 0;
  /// timePerVisit() is from then on.
  uint64_t WarmUp = 0;
};

class Simulator : SimulatedMachine {
public:
  explicit Simulator(const SimulatorOptions &Options);
  ~Simulator();

  using Function = std::function<void()>;
  struct Thread;
  using Waiters = std::deque<Thread *>;
  /// What an address is to the runtime: given at the first use, so that nothing
  /// depends on where things lie.
  struct Identity {
    uintptr_t Value = 0;
  };
  struct Mutex {
    Thread *Owner = nullptr;
    bool OwnerPauses = false;    ///< Before it gives the mutex back.
    Waiters Waiting, Outlasting; ///< The latter are awake, until that pause ends.
    Identity Id;
  };
  struct Condition {
    Waiters Waiting;
    Identity Id;
  };
  struct Barrier {
    unsigned Count;
    Waiters Arrived;
    Identity Id;
  };
  struct Semaphore {
    unsigned Count;
    Waiters Waiting;
    Identity Id;
  };
  /// By glibc's protocol, which prefers readers: whoever ends a phase hands the lock over.
  struct SharedMutex {
    unsigned Readers = 0; ///< That have it or wait for a phase of theirs.
    bool Writer = false;  ///< One has it or waits for a phase of its own.
    bool WritePhase = false;
    Waiters WaitingReaders, WaitingWriter, OtherWriters;
    Identity Id;
  };
  /// What threads spin on.
  struct Flag {
    uint64_t Value = 0;
    Identity Id;
  };

  /// Runs Main until it returns; running() turns false after Length.
  void run(uint64_t Length, Function Main);
  bool running() const { return now() < End; }
  using SimulatedMachine::now;

  // What a simulated thread may do.
  void work(uint32_t Line, uint64_t CPUTime);
  void sleep(uint64_t Time);             ///< A wait for the outside world.
  void callKernel(const Function &Work); ///< A call that might be one, but does Work.
  /// What comes is told apart from what else is done behind the last meeting.
  void beginPart(uintptr_t Part);
  void progress() {
    ++Visits;
    LastVisit = now();
    if (LastVisit < Options.WarmUp)
      WarmedUpBy = {Visits, LastVisit};
  }
  int spawn(Function F);
  void join(int Thread);
  void lock(Mutex &M);
  void unlock(Mutex &M);
  void wait(Condition &C, Mutex &M);
  void signal(Condition &C);
  void broadcast(Condition &C);
  void wait(Barrier &B);
  void wait(Semaphore &S);
  void post(Semaphore &S);
  void lockShared(SharedMutex &M);
  void lock(SharedMutex &M);
  void unlockShared(SharedMutex &M);
  void unlock(SharedMutex &M);
  void set(Flag &F, uint64_t Value);
  /// Before an atomic update that releases.
  void beforeUpdate();
  void spinUntil(Flag &F, uint64_t Value, uint32_t Line);

  struct Result {
    ExperimentResult Experiment;
    VisitSpan Span, Late;
  };
  const std::vector<Result> &results() const { return Results; }
  uint64_t visits() const { return Visits; }
  /// Pieces of work done.
  uint64_t steps() const { return Steps; }
  /// Wall time per visit, after the last one of the warm-up.
  double timePerVisit() const {
    return static_cast<double>(LastVisit - WarmedUpBy.Time) /
           static_cast<double>(Visits - WarmedUpBy.Visits);
  }
  uint64_t samples(uint32_t Line) const { return Line < Samples.size() ? Samples[Line] : 0; }
  /// CPU time and time spent waiting for a core, of all threads.
  uint64_t ran() const { return Ran; }
  uint64_t waited() const { return Waited; }

  /// Program speedup in percent at virtual speedup Speedup of Line, from periods
  /// pooled over the experiments, less those that are Without modulo Groups; NaN
  /// without data.
  double predicted(uint32_t Line, uint32_t Speedup, unsigned Without = 1,
                   unsigned Groups = 1) const;

  // The scheduler's Host.
  bool canExperiment() const { return true; }
  uint32_t pickLine(Random &R);
  uint64_t lineSamples(uint32_t Line) { return samples(Line); }
  uint64_t work() { return Ran; }
  uint64_t sampledTime() { return Ran; }
  uint64_t unsettled();
  uint64_t unpaidForOwn();
  void beginPoints(uint64_t EffectiveTime);
  void pollPoints(uint64_t EffectiveTime, ExperimentPart Part) {
    Spans.poll(EffectiveTime, Visits, Part);
  }
  uint64_t endPoints(uint64_t EffectiveTime) {
    pollPoints(EffectiveTime, ExperimentPart::Late);
    noteCrowd();
    return Visits - StartVisits;
  }
  bool settlesLate(uint32_t Line, uint32_t Speedup) {
    bool Late = Settling.add(Line, Speedup, Spans);
    if (Late)
      Settling = {};
    return Late;
  }
  void finish(const ExperimentResult &E) { Results.push_back({E, Spans.whole(), Spans.late()}); }

private:
  struct Sleeper;

  Thread &self() const;
  uint64_t tolerance() const { return Scheduler.Delays.tolerance(); }
  CoreDelay *core(const Thread &T);
  bool isLongAgo(uint64_t Time) const;
  bool isIdle(const Thread &T) const;
  void threadMain(Thread &T, const Function &F);
  void takeSample(uint32_t Line);
  void burn(uint64_t CPUTime);
  bool pay(uint64_t Tolerance);
  bool payOwed(uint64_t Tolerance);
  void payIfDue();
  uintptr_t idOf(Identity &I);
  void beforeUnlock(Identity &Lock);
  void beforeUnlock(Mutex &M);
  void payForLock();
  void goOn();
  void suspendAccrual();
  void idleFollow(uint64_t Grown);
  uint32_t idleCores() const;
  void beforeWake(Identity &Object);
  /// Since: when it came to wait, if hits from before are to be told from later ones.
  void afterBlock(Identity &Object, uint64_t Since = 0);
  void meet(uintptr_t Context);
  void noteCrowd();
  void chargeOthers();
  void waitIn(Waiters &W);
  void wakeFirst(Waiters &W);
  void wakeAll(Waiters &W);
  void acquire(Mutex &M);
  void release(Mutex &M);
  void tick() override;
  void interruptSpinning(Thread &T);
  void stopSpinning(Thread &T);
  void spinnerPaid(Thread &T);
  void spinnersPaid();
  void spinnersLook();
  void lookSoon();

  SimulatorOptions Options;
  ExperimentScheduler Scheduler;
  CreditTable Credits;
  RecentHits Hits;
  AccrualTable Accruing;
  RoleTable Roles;
  CoreDelay Cores[64];
  uint64_t End = 0, Visits = 0, StartVisits = 0, LastVisit = 0, Steps = 0;
  struct {
    uint64_t Visits, Time;
  } WarmedUpBy = {};
  uint64_t Ran = 0, Waited = 0;
  VisitSpans Spans = {};
  SettlingTest Settling = {};
  std::vector<uint64_t> Samples;
  uint32_t Recent[64] = {};
  uint32_t RecentCount = 0;
  std::vector<Result> Results;
  std::vector<std::unique_ptr<Thread>> Threads;
  std::vector<Thread *> Live;
  std::vector<Thread *> Spinning;
  uintptr_t Identities = 0;
  std::vector<std::unique_ptr<Task>> Others;
};

} // namespace __causal

#endif // CAUSAL_TEST_SIMULATOR_H
