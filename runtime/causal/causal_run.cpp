//===- causal_run.cpp - A run of the program under the profiler -----------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See causal_run.h.
//
//===----------------------------------------------------------------------===//
#include "causal/causal_run.h"
#include "base/causal_flags.h"
#include "base/causal_glob.h"
#include "base/causal_platform.h"
#include "base/causal_process.h"
#include "base/causal_report.h"
#include "base/causal_syscall.h"
#include "causal/causal_attribution.h"
#include "causal/causal_contention.h"
#include "causal/causal_record_writer.h"
#include "causal/causal_sync.h"
#include "causal/causal_thread_part.h"
#include "causal/experiment/causal_progress.h"
#include "causal/experiment/causal_watch.h"
#include "mode/causal_mode.h"
#include "profile/causal_profile_writer.h"
#include "sampler/causal_budget.h"
#include "sampler/causal_lifetime.h"
#include "sampler/causal_sampler.h"

#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"

#include <fcntl.h>
#include <sys/mman.h>

using namespace __causal;
using namespace __sanitizer;

[[clang::require_constant_initialization]] Run __causal::TheRun;

static constexpr uint64_t Millisecond = 1000000;

// A thread without a sample for this many periods is blocked in the kernel. It will
// not pay soon, and had no part in the progress that is being measured.
static constexpr uint64_t IdlePeriods = 20;

// overhead= is for samples and for delays, in equal parts.
static uint32_t Overhead;

static uint32_t delayBudget() { return Overhead / 2; }

// Samples come as far apart as their half allows.
static void keepOverhead() {
  if (!*flags().overhead)
    return;
  Overhead = parseBudget(flags().overhead);
  if (!Overhead) {
    CAUSAL_REPORT("causal: overhead=%s is no share between 0.01%% and 50%%: there is no limit. "
                  "Write overhead=2%%\n",
                  flags().overhead);
    return;
  }
  if (uint64_t Cost = flags().sample_period_us ? 0 : sampleCost()) {
    uint64_t Period = budgetPeriod(Cost, Overhead - delayBudget());
    setSamplePeriod(Period > samplePeriod() ? Period : samplePeriod());
  }
  CAUSAL_VREPORT(1, "causal: overhead=%s: a sample every %llu us\n", flags().overhead,
                 static_cast<unsigned long long>(samplePeriod() / 1000));
}

static ExperimentConfig configFromFlags(const Flags &F) {
  ExperimentConfig C;
  C.Length = static_cast<uint64_t>(F.experiment_ms) * Millisecond;
  C.MaxLength = static_cast<uint64_t>(F.max_experiment_ms) * Millisecond;
  C.CoolOff = static_cast<uint64_t>(F.cooloff_ms) * Millisecond;
  C.WarmUp = static_cast<uint64_t>(F.warmup_ms) * Millisecond;
  C.MinVisits = static_cast<uint32_t>(F.min_visits);
  C.SpeedupStep = static_cast<uint32_t>(F.speedup_step);
  C.MaxSpeedup = static_cast<uint32_t>(F.max_speedup);
  C.BaselinePercent = static_cast<uint32_t>(F.baseline_percent);
  C.FixedSpeedup = F.fixed_speedup;
  C.Paired = internal_strcmp(F.schedule, "paired") == 0;
  C.WholeRun = F.end_to_end;
  C.DelayBudget = delayBudget();
  uint64_t Gap = IdlePeriods * samplePeriod();
  C.IdleGap = Gap > C.IdleGap ? Gap : C.IdleGap;
  return C;
}

static TargetKind targetKindFromFlags(const Flags &F) {
  return textEquals(F.target, "function")  ? TargetKind::Function
         : textEquals(F.target, "section") ? TargetKind::Section
                                           : TargetKind::Line;
}

void Run::start() {
  if (!Lines) {
    Lines = static_cast<SourceLines *>(mapMemory(sizeof(SourceLines)));
    if (!Lines) {
      CAUSAL_REPORT("causal: no memory for the table of source lines: the program is "
                    "not profiled\n");
      return;
    }
  }
  TargetKind Kind = targetKindFromFlags(flags());
  Lines->setPolicy({flags().scope, flags().exclude, Kind});
  Fixed.parse(flags().fixed_line, Kind);
  Planted.parse(flags().plant_line, Kind);
  keepOverhead();
  initProfileWriter(randomWord(), mode()->Name);
  Scheduler.configure(configFromFlags(flags()), now(), flags().seed ? flags().seed : randomWord());
  if (flags().end_to_end && InForkedChild)
    Scheduler.stop(); // The run is the parent's.
  CPUTimeBefore = processCPUTime();
  Sampled = 0;
  Snapshots = 0;
  NextSnapshot = 8;
  __atomic_store_n(&Active, true, __ATOMIC_RELAXED);
}

void Run::restartAfterFork() {
  if (!active())
    return;
  // Empty again. A child may not be allowed to map anything.
  systemCall(SYS_madvise, word(Lines), sizeof(SourceLines), MADV_DONTNEED);
  FixedLine = PlantedLine = 0;
  InForkedChild = true;
  Stopping = false;
  Scheduler.resetAfterFork();
  Accruing = AccrualTable();
  Recent.clear();
  forgetAttributions();
  start();
}

// As children that daemonise or call exec.
bool Run::didNextToNothing() const {
  return InForkedChild && samples() < FewSamples && !Scheduler.finished();
}

uint64_t Run::samples() const {
  uint64_t Samples = 0;
  for (unsigned I = 0, N = threadSlots(); I < N; ++I)
    Samples += causalSlot(I).Samples;
  return Samples;
}

// Whoever holds the scheduler's lock is in a sample handler or a pause, and soon out of it,
// unless it is this very thread, interrupted by its own exit.
template <typename Function> static bool tryForAWhile(Function Try) {
  for (int Tries = 0; !Try(); ++Tries) {
    if (Tries == 100)
      return false;
    sleepUntil(now() + Millisecond);
  }
  return true;
}

void Run::beforeExec() {
  if (!active() || didNextToNothing() || !tryForAWhile([this] { return Scheduler.tryLock(); }))
    return;
  writeSnapshot(/*Final=*/true);
  Scheduler.unlock();
}

void Run::beforeAnotherUser() {
  if (!active() || !tryForAWhile([this] { return Scheduler.tryLock(); }))
    return;
  holdProfileOpen();
  Scheduler.unlock();
}

// The thread that ends the program pays first: only what has been executed is taken off.
void Run::end() {
  CausalThread *T = causalThread();
  auto Lock = [this] { return Scheduler.tryLock(); };
  if (flags().end_to_end && active() && T && !T->InRuntime && tryForAWhile(Lock)) {
    Scheduler.stopHits();
    Scheduler.unlock();
    pay(*T);
    if (tryForAWhile(Lock)) {
      Scheduler.endRun(now(), *this);
      Scheduler.unlock();
    }
  }
  stop();
}

// One thread writes what is known; who ends the process meanwhile waits for it.
void Run::stop() {
  if (__atomic_exchange_n(&Stopping, true, __ATOMIC_ACQ_REL)) {
    tryForAWhile([this] { return !__atomic_load_n(&Stopping, __ATOMIC_ACQUIRE); });
    return;
  }
  if (active() && tryForAWhile([this] { return Scheduler.stop(); })) {
    __atomic_store_n(&Active, false, __ATOMIC_RELAXED);
    if (!didNextToNothing())
      writeSnapshot(/*Final=*/true);
    explainEmptyProfile();
  }
  __atomic_store_n(&Stopping, false, __ATOMIC_RELEASE);
}

static bool readsStop(const char *Path) {
  OwnOpening Here;
  // Not to wait for a writer, should it be a pipe.
  long Fd = systemCall(SYS_open, word(Path), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (Fd < 0)
    return false;
  char Text[sizeof(CAUSAL_CONTROL_STOP) - 1];
  long Size = systemCall(SYS_read, static_cast<uint64_t>(Fd), word(Text), sizeof(Text));
  systemCall(SYS_close, static_cast<uint64_t>(Fd));
  return Size == sizeof(Text) && !__builtin_memcmp(Text, CAUSAL_CONTROL_STOP, sizeof(Text));
}

// No descriptor is kept: the file may be replaced, and the program may close what
// it does not know.
bool Run::stoppedByControl() {
  constexpr uint64_t Interval = 100 * Millisecond;
  if (!*flags().control)
    return false;
  uint64_t Now = now();
  if (Now < NextControl)
    return Stopped;
  NextControl = Now + Interval;
  bool Stop = readsStop(flags().control);
  // Whoever stops us wants to see all there is.
  if (Stop && !Stopped)
    writeSnapshot(/*Final=*/false);
  return Stopped = Stop;
}

bool Run::canExperiment() {
  limitWatches(now());
  bool Visited = anyPointVisited();
  if (Visited && !FirstVisit)
    FirstVisit = now();
  return Visited && !stoppedByControl();
}

uint32_t Run::pickLine(Random &R) {
  if (*flags().fixed_line)
    return __atomic_load_n(&FixedLine, __ATOMIC_RELAXED);
  uint64_t Least = RecentLines::samplesThatMatter(now() - Scheduler.begin(), samplePeriod());
  auto IsReady = [&](uint32_t Line) { return Lines->line(Line) != nullptr; };
  uint32_t Line =
      Recent.draw(R, [&](uint32_t Id) { return IsReady(Id) && lineSamples(Id) >= Least; });
  return IsReady(Line) ? Line : 0;
}

static void noteIfMeant(uint32_t &Which, bool IsMeant, uint32_t Id) {
  if (IsMeant && !__atomic_load_n(&Which, __ATOMIC_RELAXED))
    __atomic_store_n(&Which, Id, __ATOMIC_RELAXED);
}

// All that was made of a template is one function, unless its arguments are given.
uint32_t Run::internLine(const linemap::Frame &F) {
  linemap::Frame Target = F;
  char Name[512];
  auto IsTemplate = [&](const char *Function) {
    return Function && withoutTemplateArguments(Function, Name, sizeof(Name));
  };
  bool Asked = *flags().fixed_line || *flags().plant_line;
  if (targetKind() == TargetKind::Function && Asked && !IsTemplate(flags().fixed_line) &&
      !IsTemplate(flags().plant_line) && IsTemplate(F.Function))
    Target.Function = Name;
  bool IsFixed = Fixed.matches(Target), IsPlanted = Planted.matches(Target);
  const TargetSpec *Group = IsFixed && Fixed.isGroup()       ? &Fixed
                            : IsPlanted && Planted.isGroup() ? &Planted
                                                             : nullptr;
  linemap::Frame G = Group ? Group->groupName() : Target;
  uint32_t Id = Group ? Lines->internGroup(F.File, G.File, G.Line, G.Function)
                      : Lines->intern(Target.File, Target.Line, Target.Function);
  if (!Id || Id == SourceLines::Undecided)
    return Id;
  noteIfMeant(FixedLine, IsFixed, Id);
  noteIfMeant(PlantedLine, IsPlanted, Id);
  return Id;
}

uint64_t Run::lineSamples(uint32_t Line) {
  return __atomic_load_n(&Lines->line(Line)->Samples, __ATOMIC_RELAXED);
}

bool Run::isLongAgo(uint64_t Time, uint64_t Now, uint64_t Period) const {
  return Now > Time + Scheduler.Delays.contention().stretch(IdlePeriods * Period);
}

bool Run::isIdle(const CausalThread &T, uint64_t Now) const {
  return isLongAgo(__atomic_load_n(&T.LastSample, __ATOMIC_RELAXED), Now,
                   samplePeriod() * T.Spacing.periods());
}

CoreDelay *Run::sharedCore(CausalThread &T) {
  if (!Scheduler.Delays.sharesCores())
    return nullptr;
  unsigned Core = currentCore() % MaxCores;
  __atomic_store_n(&T.Core, Core, __ATOMIC_RELAXED);
  return &Cores[Core].Delay;
}

// As far as is known: what waits without our seeing it seems to be at work for a while. Of many
// threads each is seldom sampled, but is seen to go on when it has met others. A core may be
// idle while others wait for another one: schedulers take their time to see that.
uint32_t Run::idleCores(uint64_t Now) const {
  CoreSet<MaxCores> Taken;
  uint32_t Idle = Scheduler.Delays.ownCores();
  for (unsigned I = 0, N = threadSlots(); I < N && Idle; ++I) {
    const CausalThread &T = causalSlot(I);
    if (__atomic_load_n(&T.Made, __ATOMIC_RELAXED) &&
        !__atomic_load_n(&T.Blocked, __ATOMIC_RELAXED) && !T.isOutside() &&
        !(isIdle(T, Now) && isLongAgo(T.Delay.Accruing.wentOn(), Now, samplePeriod())) &&
        (!__atomic_load_n(&T.Alive, __ATOMIC_RELAXED) ||
         Taken.add(__atomic_load_n(&T.Core, __ATOMIC_RELAXED))))
      Idle -= Idle < Contention::One ? Idle : Contention::One;
  }
  return Idle;
}

void Run::charge(CausalThread &T, uint64_t Delay, uint64_t Began) {
  GlobalDelay &G = Scheduler.Delays;
  uint64_t Grown = T.Delay.charge(G, Delay, sharedCore(T)), Charged = now();
  Hits.note(Began, Charged, Delay);
  if (Grown)
    G.advance(Grown, idleCores(Charged));
}

void Run::chargeAccrued(CausalThread &T, uint64_t Now) {
  // A look takes cache lines that others write; the more, the less often.
  constexpr uint64_t LookEach = 500;
  unsigned Others = Accruing.count();
  if (!Others || Now - T.LastLook < Others * LookEach)
    return;
  T.LastLook = Now;
  GlobalDelay &G = Scheduler.Delays;
  if (uint64_t Grown = Accruing.chargeAll(G, Now))
    G.advance(Grown, idleCores(Now));
}

AccrualTime Run::suspendAccrual(CausalThread &T, uint64_t Now) {
  const Accrual &A = T.Delay.Accruing;
  if (!A.any())
    return Now;
  GlobalDelay &G = Scheduler.Delays;
  AccrualTime Time = A.clock() == AccrualClock::CPU ? AccrualTime(Now, T.Clock.at(Now)) : Now;
  if (uint64_t Grown = T.Delay.suspend(G, Time.own(), sharedCore(T)))
    G.advance(Grown, idleCores(Now));
  return Time;
}

void Run::resumeAccrual(CausalThread &T, AccrualTime Now) {
  Target Selected = Scheduler.target();
  AccrualClock Clock = Selected.Line ? T.Delay.clock(Scheduler.Delays) : AccrualClock::Wall;
  if (Clock != Now.Clock)
    Now = Clock == AccrualClock::CPU ? AccrualTime(Now.Wall, T.Clock.at(Now.Wall)) : Now.Wall;
  T.Delay.resume(Scheduler.Delays, Selected.Line, Selected.Speedup, Now, sharedCore(T));
  Accruing.update(T.Delay);
}

// How many share how many cores. Threads that are not sampled could not be slowed down by
// law 12.
void Run::noteCrowding() {
  unsigned AtWork = 0, NeverWait = 0;
  uint64_t Now = now();
  for (unsigned I = 0, N = threadSlots(); I < N; ++I) {
    const CausalThread &T = causalSlot(I);
    bool Works = __atomic_load_n(&T.Made, __ATOMIC_RELAXED) &&
                 !__atomic_load_n(&T.Joining, __ATOMIC_RELAXED) && !isIdle(T, Now);
    AtWork += Works;
    NeverWait += Works && __atomic_load_n(&T.Alive, __ATOMIC_RELAXED) && T.OneIn == 1 &&
                 T.Delay.neverWaits();
  }
  GlobalDelay &G = Scheduler.Delays;
  G.setCrowd(AtWork, coreCount(), threadsUnsampled() ? 0 : NeverWait);
  if (G.contention().noticeable())
    observeOthers(G);
  else
    G.forgetOthers();
}

uint64_t Run::unpaidForOwn() {
  uint64_t Sum = 0;
  for (unsigned I = 0, N = threadSlots(); I < N; ++I)
    if (const CausalThread &T = causalSlot(I); __atomic_load_n(&T.Alive, __ATOMIC_RELAXED))
      Sum += T.Delay.owedForOwn(Scheduler.Delays);
  return Scheduler.Delays.wallTime(Sum);
}

uint64_t Run::unsettled() {
  uint64_t Largest = 0, Now = now();
  bool Shared = Scheduler.Delays.sharesCores();
  for (unsigned I = 0, N = threadSlots(); I < N; ++I) {
    const CausalThread &T = causalSlot(I);
    if (!__atomic_load_n(&T.Alive, __ATOMIC_RELAXED) ||
        __atomic_load_n(&T.Blocked, __ATOMIC_RELAXED))
      continue;
    if (isIdle(T, Now))
      continue;
    unsigned Core = __atomic_load_n(&T.Core, __ATOMIC_RELAXED);
    uint64_t Debt =
        T.Delay.owedSeenFromOutside(Scheduler.Delays, Shared ? &Cores[Core].Delay : nullptr);
    Largest = Debt > Largest ? Debt : Largest;
  }
  return Largest;
}

static void beginLatePoints(uint64_t T) {
  if (flags().end_to_end)
    beginLatePointVisits(T, run().work());
}
void Run::beginPoints(uint64_t T) {
  noteCrowding();
  WaitsForLocks = LockWaits();
  beginPointVisits(T, work(), flags().end_to_end);
  beginLatePoints(T);
}
void Run::pollPoints(uint64_t T, ExperimentPart Part) {
  constexpr uint64_t LookEach = 100 * Millisecond;
  limitWatches(now());
  beginLatePoints(T);
  pollPointVisits(T, Part, work());
  // Others begin and end it where the number of threads is as it will be for a while.
  if (flags().end_to_end && T >= NextCrowd) {
    noteCrowding();
    NextCrowd = T + LookEach;
  }
}
uint64_t Run::endPoints(uint64_t T) {
  beginLatePoints(T);
  uint64_t Visits = endPointVisits(T, work()); // At T: what follows takes a while.
  noteCrowding();                              // Pauses may have made it one.
  return Visits;
}
bool Run::settlesLate(uint32_t Line, uint32_t Speedup) {
  return __causal::settlesLate(Line, Speedup);
}

void Run::finish(const ExperimentResult &E) {
  writeExperiment(E, WaitsForLocks, *Lines);
  if (flags().verbosity >= 2) {
    const SourceLines::Line &L = *Lines->line(E.Line);
    CAUSAL_REPORT("causal: experiment %llu: %s:%u %s at %u%%, %llu ms less %llu ms\n",
                  static_cast<unsigned long long>(E.Index), Lines->file(L), L.Number, L.Function,
                  E.Speedup, static_cast<unsigned long long>(E.Wall / Millisecond),
                  static_cast<unsigned long long>(E.Delay / Millisecond));
  }
  // At distances that double, so that the file's size stays linear in the run.
  if (E.Index + 1 >= NextSnapshot) {
    NextSnapshot *= 2;
    writeSnapshot(/*Final=*/false);
  }
}

void Run::writeSnapshot(bool Final) {
  uint64_t Now = now();
  writeSnapshotRecords({Snapshots++, Now - Scheduler.begin(), Scheduler.Delays.wall(Now),
                        Scheduler.undelayedWall(Now), Scheduler.idle(Now, sampledTime()),
                        Scheduler.undelayedIdle(Now, sampledTime()), sampledTime(),
                        Scheduler.finished(), processCPUTime() - CPUTimeBefore, Final},
                       *Lines);
}
