//===- causal_experiment.h - Schedules virtual speedups ---------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The experiments of paper section 3.2 as a state machine:
//
//   cooling ──line and speedup drawn──▶ running ──length over──▶ settling
//      ▲                                                            │
//      └────── every debt paid (or given up on): end is stamped ◀───┘
//
// It has no thread of its own: whoever takes a sample calls tick(), which does
// nothing most of the time. Pure code: the clock is an argument, everything else
// comes through the Host, so that the tests run it in simulated time.
//
// Context: tick() in any thread and in the sample handler; it never blocks (a busy
// lock means another thread is at it) and allocates nothing.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_EXPERIMENT_H
#define CAUSAL_EXPERIMENT_H

#include "base/causal_random.h"
#include "causal/experiment/causal_idle_time.h"
#include "causal/law/causal_delay.h"

namespace __causal {

/// Times in nanoseconds, shares and speedups in percent.
struct ExperimentConfig {
  uint64_t Length = 100000000;
  uint64_t MaxLength = 8000000000;
  uint64_t CoolOff = 10000000;
  uint64_t WarmUp = 0;
  /// How long the end waits for threads that have not paid, beyond what they owe.
  uint64_t SettleLimit = 10000000;
  /// A debt this small counts as paid.
  uint64_t Tolerance = 20000;
  /// Times in which nobody is at work are noticed if they are as long.
  uint64_t IdleGap = 20000000;
  uint32_t MinVisits = 5;
  uint32_t SpeedupStep = 5;
  uint32_t MaxSpeedup = 100;
  uint32_t BaselinePercent = 30;
  int32_t FixedSpeedup = -1;
  /// A line keeps its turn for a block of three: the baseline, a large and a small
  /// speedup, in random order, so that what is compared lies close together and
  /// drift of the machine cancels. Otherwise every experiment is drawn by itself
  /// (paper 3.2), a baseline with BaselinePercent.
  bool Paired = false;
  /// One experiment, which lasts as long as the run: from configure() to endRun().
  bool WholeRun = false;
  /// Of the wall time, in millionths, what experiments may delay the program by: between
  /// blocks it rests for as long as that takes. 0: no limit.
  uint32_t DelayBudget = 0;
};

/// The line under experiment and its virtual speedup, as one atomic word.
struct Target {
  uint32_t Line = 0; ///< 0: none.
  uint32_t Speedup = 0;
};

struct ExperimentResult {
  uint64_t Index, Start, Wall;
  /// The wall time that virtual speedups stand for: the effective duration is
  /// Wall - Delay (laws 7 and 9).
  uint64_t Delay;
  /// What every thread was to pause for. Delay is more where cores are contended.
  uint64_t Pause;
  /// The largest debt left when waiting for it was given up.
  uint64_t Unsettled;
  uint64_t Samples;
  /// CPU time of the program's threads: without pauses and recognised spinning.
  uint64_t Work;
  /// How long they waited for cores, all together, as far as samples have seen it.
  uint64_t Waited;
  /// Wall time in which nobody was at work.
  uint64_t Idle;
  uint32_t Line, Speedup;
  /// Waiting for a core per time on one, and threads at work per core, at its end; in
  /// units of 1/Contention::One.
  uint32_t CoreWait, ThreadsPerCore;
  /// By law 12.
  bool Dilated;
  /// Law 13: of the CPU time of threads that waited for cores, what they spun through; in
  /// units of 1/Contention::One.
  uint32_t Spun;
};

/// The program gets used to the new speeds in the first fifth of an experiment. The next
/// two and the last two fifths are told apart, since it may take longer: queues fill or
/// run empty.
enum class ExperimentPart : uint8_t { LeadIn, Early, Late };

/// Host is to have
///   bool canExperiment();               // there is something to measure by
///   uint32_t pickLine(Random &);        // of a recent sample; 0: there is none
///   uint64_t lineSamples(uint32_t);     // samples in that line so far
///   uint64_t work();                    // CPU time that threads have worked so far
///   uint64_t sampledTime();             // all that samples stood for so far
///   uint64_t unsettled();               // the largest debt of a thread that runs now
///   uint64_t unpaidForOwn();            // what threads owe by law 12, as wall time
///   void beginPoints(uint64_t T);       // T: effective time
///   void pollPoints(uint64_t T, ExperimentPart); // called often while one runs
///   uint64_t endPoints(uint64_t T);     // visits of the point visited least
///   bool settlesLate(uint32_t Line, uint32_t Speedup); // the program has not got used to
///                                       // speedups in time, by experiments as long
///   void finish(const ExperimentResult &);
class ExperimentScheduler {
public:
  GlobalDelay Delays;

  void configure(const ExperimentConfig &C, uint64_t Now, uint64_t Seed) {
    Config = C;
    Idle.begin(Now, 0, C.IdleGap);
    UndelayedIdleBefore = 0;
    Length = ShortestLength = C.Length;
    Rng.seed(Seed);
    Begin = Now;
    C.WholeRun ? beginUndelayed(Now) : endUndelayed(Now);
    if (C.WholeRun) { // There is no block to pair in, and nothing before it.
      Config.Paired = false;
      Config.WarmUp = 0;
    }
    SpendingSince = Now + Config.WarmUp;
    setNextTick(SpendingSince);
    Enabled = true;
  }

  Target target() const {
    uint64_t Word = __atomic_load_n(&Current, __ATOMIC_RELAXED);
    return {static_cast<uint32_t>(Word >> 8), static_cast<uint32_t>(Word & 0xff)};
  }

  /// True while no delay is inserted, and nobody pauses for one any more, though there might
  /// be: such samples describe the program as it is where it is experimented on.
  bool undelayed() const { return __atomic_load_n(&Undelayed, __ATOMIC_RELAXED); }

  /// Such time since configure(). For the lock holder or at exit.
  uint64_t undelayedWall(uint64_t Now) const {
    return UndelayedBefore + (undelayed() ? Now - UndelayedSince : 0);
  }

  /// Time in which nobody was at work since configure(), and that part of it in
  /// undelayedWall(). SampledTime: the Host's. For the lock holder or at exit.
  uint64_t idle(uint64_t Now, uint64_t SampledTime) const {
    return Idle.total() + Idle.inWindow(Now, SampledTime);
  }
  uint64_t undelayedIdle(uint64_t Now, uint64_t SampledTime) const {
    return UndelayedIdleBefore + (undelayed() ? Idle.inWindow(Now, SampledTime) : 0);
  }

  uint64_t finished() const { return Index; }
  uint64_t begin() const { return Begin; }

  template <typename Host> void tick(uint64_t Now, Host &H) {
    if (Now < __atomic_load_n(&NextTick, __ATOMIC_RELAXED) || !tryLock())
      return;
    if (Enabled && Now >= NextTick) {
      uint64_t Found = Idle.note(Now, H.sampledTime());
      UndelayedIdleBefore += undelayed() ? Found : 0;
      step(Now, H);
    }
    unlock();
  }

  /// No further experiment; hits stop at once. A running one is dropped, since
  /// nobody can be made to settle any more. Returns false if the lock is busy.
  bool stop() {
    if (!tryLock())
      return false;
    Enabled = false;
    setTarget({});
    Delays.endDilation(0, 0);
    Delays.setExperiment(0);
    Delays.nextEpoch();
    unlock();
    return true;
  }

  /// The end of a WholeRun, for the holder of the lock: hits stop, so that what is owed can
  /// be paid.
  void stopHits() {
    setTarget({});
    Delays.nextEpoch();
  }
  /// And when it has been: what the run was as an experiment, if its line has been seen.
  template <typename Host> void endRun(uint64_t Now, Host &H) {
    if (Config.WholeRun && Phase == State::Running && Selected.Line)
      end(Now, 0, H);
    Enabled = false;
  }

  /// In the child of fork: the thread that held the lock may not be there.
  void resetAfterFork() {
    GlobalDelay Kept = Delays;
    *this = ExperimentScheduler();
    Delays = Kept;
    Delays.Floor = Kept.Total;
    Delays.endDilation(0, 0);
    Delays.setExperiment(0);
    Delays.nextEpoch();
  }

  bool tryLock() { return !__atomic_exchange_n(&Lock, true, __ATOMIC_ACQUIRE); }
  void unlock() { __atomic_store_n(&Lock, false, __ATOMIC_RELEASE); }

private:
  enum class State : uint8_t { Cooling, Running, Settling };

  template <typename Host> void step(uint64_t Now, Host &H) {
    switch (Phase) {
    case State::Cooling:
      return start(Now, H);
    case State::Running:
      H.pollPoints(effective(Now) + (Delays.dilation() ? H.unpaidForOwn() : 0), part(Now));
      if (Config.WholeRun && !Selected.Line && (Selected.Line = H.pickLine(Rng)))
        aimAtSelected();
      if (Now < Deadline)
        return setNextTick(min(Deadline, Now + PollInterval));
      // What is left to pay of a dilation is known, so nobody needs to pay it.
      if (Delays.dilation())
        Delays.endDilation(Now, H.unpaidForOwn());
      // What they have asked for is still to be executed.
      stopHits();
      Phase = State::Settling;
      Deadline = Now + Delays.contention().stretch(Config.SettleLimit + H.unsettled());
      [[fallthrough]];
    case State::Settling:
      H.pollPoints(effective(Now), part(Now));
      uint64_t Debt = H.unsettled();
      if (Debt > Config.Tolerance && Now < Deadline)
        return setNextTick(Now + SettleInterval);
      return end(Now, Debt > Config.Tolerance ? Debt : 0, H);
    }
  }

  void beginUndelayed(uint64_t Now) {
    if (undelayed())
      return;
    UndelayedSince = Now;
    __atomic_store_n(&Undelayed, true, __ATOMIC_RELAXED);
  }
  void endUndelayed(uint64_t Now) {
    UndelayedBefore = undelayedWall(Now);
    __atomic_store_n(&Undelayed, false, __ATOMIC_RELAXED);
  }

  template <typename Host> void start(uint64_t Now, Host &H) {
    // Without experiments there is nothing to compare the program with, and it may be
    // another one: before its first unit of work, say.
    if (!BlockLeft && !Config.WholeRun && !H.canExperiment()) {
      endUndelayed(Now);
      return setNextTick(Now + RetryInterval);
    }
    beginUndelayed(Now); // The last pauses have ended while it cooled off.
    if (!BlockLeft) {
      Selected.Line = H.pickLine(Rng);
      if (!Selected.Line && !Config.WholeRun)
        return setNextTick(Now + RetryInterval);
      if (Config.Paired)
        drawBlock();
    }
    Selected.Speedup = drawSpeedup();
    __atomic_store_n(&Delays.Floor, Delays.total(), __ATOMIC_RELAXED);
    StartTime = Config.WholeRun ? Begin : Now;
    StartDelay = Delays.wall(Now);
    StartPause = Delays.total();
    Delays.setExperiment(static_cast<uint32_t>(Index + 1));
    StartSpinning = Delays.Spinning.load();
    StartSamples = Config.WholeRun ? 0 : H.lineSamples(Selected.Line);
    StartWork = H.work();
    StartWaited = Delays.waitedForCores();
    Idle.cut(Now, H.sampledTime());
    StartIdle = Idle.total();
    Deadline = Config.WholeRun ? ~0ull : Now + Length;
    if (Selected.Speedup)
      endUndelayed(Now);
    H.beginPoints(effective(Now));
    // Whether cores are shared a run does not know when it begins.
    Dilated = Selected.Speedup && !Config.WholeRun && Delays.canDilate();
    if (Dilated) {
      Selected.Speedup = min(Selected.Speedup, GlobalDelay::MostDilation);
      Delays.beginDilation(Now, Selected.Speedup);
    }
    Phase = State::Running;
    Delays.nextEpoch();
    aimAtSelected();
    setNextTick(min(Deadline, Now + PollInterval));
  }

  template <typename Host> void end(uint64_t Now, uint64_t Debt, Host &H) {
    Delays.setExperiment(0);
    uint64_t Visits = H.endPoints(effective(Now));
    uint64_t Samples = H.lineSamples(Selected.Line) - StartSamples;
    uint64_t Work = H.work() - StartWork;
    uint64_t Waited = Delays.waitedForCores() - StartWaited;
    // A thread that lost its core meanwhile may take back what the last one had (law 13).
    uint64_t Wall = Delays.wall(Now), Delay = Wall > StartDelay ? Wall - StartDelay : 0;
    H.finish({Index++, StartTime - Begin, Now - StartTime, Delay, Delays.total() - StartPause, Debt,
              Samples, Work, Waited, Idle.total() - StartIdle, Selected.Line, Selected.Speedup,
              Delays.contention().Ratio, Delays.crowd(), Dilated,
              Delays.Spinning.load().shareSince(StartSpinning)});
    SpentDelay += Delay;
    // The program has left the line: nothing is to be learnt of it now.
    if (!Samples)
      BlockLeft = 0;
    // Paper 3.2: too few visits say nothing, so look longer from now on.
    if (Visits < Config.MinVisits)
      Length = min(Length * 2, Config.MaxLength);
    else if (Visits > 4 * Config.MinVisits && Length >= 2 * ShortestLength)
      Length /= 2;
    if (Config.Paired && ShortestLength < Config.MaxLength && !othersHadCores(Work, Waited) &&
        !wasIdle(Now - StartTime - Delay) && H.settlesLate(Selected.Line, Selected.Speedup)) {
      ShortestLength = min(LateFactor * ShortestLength, Config.MaxLength);
      Length = Length < ShortestLength ? ShortestLength : Length;
    }
    Phase = State::Cooling;
    uint64_t PauseLeft = Dilated ? GlobalDelay::LongestPause : 0;
    uint64_t Rest = Config.CoolOff < PauseLeft ? PauseLeft : Config.CoolOff;
    setNextTick(Now + (BlockLeft ? Rest : restInBudget(Now, Rest)));
  }

  // How long the program rests between two blocks, so that delays stay within the budget.
  uint64_t restInBudget(uint64_t Now, uint64_t Least) {
    uint64_t Due = Config.DelayBudget ? SpentDelay * 1000000 / Config.DelayBudget : 0;
    uint64_t Passed = Now - SpendingSince;
    uint64_t Rest = Due > Passed + Least ? Due - Passed : Least;
    SpentDelay = 0;
    SpendingSince = Now + Rest;
    return Rest;
  }

  // Without speedups there is nothing to compare with.
  void aimAtSelected() {
    if (Selected.Line && (Selected.Speedup || Config.MaxSpeedup))
      setTarget(Selected);
  }

  void drawBlock() {
    uint32_t Steps = Config.MaxSpeedup / Config.SpeedupStep;
    uint32_t Large = Steps ? Steps / 2 + 1 + Rng.below(Steps - Steps / 2) : 0;
    uint32_t Small = Steps ? Steps + 1 - Large : 0;
    Block[0] = 0;
    Block[1] = Large * Config.SpeedupStep;
    Block[2] = Small * Config.SpeedupStep;
    for (uint32_t I = BlockSize - 1; I; --I) {
      uint32_t J = Rng.below(I + 1), Kept = Block[I];
      Block[I] = Block[J];
      Block[J] = Kept;
    }
    BlockLeft = BlockSize;
  }

  uint32_t drawSpeedup() {
    uint32_t OfBlock = BlockLeft ? Block[--BlockLeft] : 0;
    if (Config.FixedSpeedup >= 0)
      return static_cast<uint32_t>(Config.FixedSpeedup);
    if (Config.Paired)
      return OfBlock;
    if (Rng.below(100) < Config.BaselinePercent)
      return 0;
    uint32_t Steps = Config.MaxSpeedup / Config.SpeedupStep;
    return Steps ? Config.SpeedupStep * (1 + Rng.below(Steps)) : 0;
  }

  ExperimentPart part(uint64_t Now) const {
    if (Config.WholeRun) // How long it will be is not known.
      return ExperimentPart::Early;
    uint64_t Fifth = Length / 5;
    return Now < StartTime + Fifth       ? ExperimentPart::LeadIn
           : Now < StartTime + 3 * Fifth ? ExperimentPart::Early
                                         : ExperimentPart::Late;
  }
  // Such experiments say nothing of the program, queues that run empty included.
  bool othersHadCores(uint64_t Work, uint64_t Waited) const {
    return Waited > Work / LongWait && Delays.crowd() <= Contention::One;
  }
  bool wasIdle(uint64_t EffectiveTime) const {
    return Idle.total() - StartIdle > EffectiveTime / LongRest;
  }
  uint64_t effective(uint64_t Now) const { return Now - Delays.wall(Now); }
  void setTarget(Target T) {
    __atomic_store_n(&Current, uint64_t(T.Line) << 8 | T.Speedup, __ATOMIC_RELAXED);
  }
  void setNextTick(uint64_t T) { __atomic_store_n(&NextTick, T, __ATOMIC_RELAXED); }
  template <typename T> static T min(T A, T B) { return A < B ? A : B; }

  static constexpr uint32_t BlockSize = 3;
  /// Experiments get so many times as long where the program settles late: at once, for
  /// what is learnt of short ones is wrong.
  static constexpr uint64_t LateFactor = 4;
  /// Waits for cores of more than this part of the CPU time are others' doing where there
  /// are as many cores as threads; the report knows more (Disturbances.h).
  static constexpr uint64_t LongWait = 10;
  static constexpr uint64_t LongRest = 4;
  static constexpr uint64_t PollInterval = 1000000;
  static constexpr uint64_t SettleInterval = 20000;
  static constexpr uint64_t RetryInterval = 1000000;

  ExperimentConfig Config;
  Random Rng;
  uint64_t Current = 0;
  uint64_t NextTick = ~0ull;
  uint64_t Begin = 0, Length = 0, ShortestLength = 0, Deadline = 0, Index = 0;
  uint64_t SpentDelay = 0, SpendingSince = 0; ///< Of the block, which began to wait then.
  uint64_t StartTime = 0, StartDelay = 0, StartPause = 0;
  uint64_t StartSamples = 0, StartWork = 0, StartWaited = 0, StartIdle = 0;
  SpinTimes StartSpinning;
  uint64_t UndelayedBefore = 0, UndelayedSince = 0;
  uint64_t UndelayedIdleBefore = 0;
  IdleTime Idle;
  Target Selected;
  uint32_t Block[BlockSize] = {}, BlockLeft = 0;
  State Phase = State::Cooling;
  bool Undelayed = false;
  bool Dilated = false;
  bool Enabled = false;
  bool Lock = false;
};

} // namespace __causal

#endif // CAUSAL_EXPERIMENT_H
