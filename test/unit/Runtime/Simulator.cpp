//===- Simulator.cpp - Simulation of a profiled program -------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The profiler's side of Simulator.h. SimulatedSync.cpp has the primitives.
//
//===----------------------------------------------------------------------===//
#include "SimulatedThread.h"

#include <algorithm>
#include <cmath>
#include <utility>

using namespace __causal;

// What all waits for the end of a thread, and all beginnings, have in common.
static constexpr uintptr_t JoinContext = 1, CreateContext = 2;

// The seed that the machine and the scheduler get are not to be related.
static MachineOptions machine(const SimulatorOptions &O) {
  MachineOptions M = O.Machine;
  M.Seed = O.Seed;
  return M;
}

Simulator::Simulator(const SimulatorOptions &O) : SimulatedMachine(machine(O)), Options(O) {
  Scheduler.configure(O.Experiments, 0, O.Seed * 7919 + 1);
  if (O.SampleCost)
    Hits.arrivedAfter(O.SampleCost);
}

// Of threads.
static constexpr uintptr_t OnlyKind = 1;

Simulator::~Simulator() = default;

Simulator::Thread &Simulator::self() const { return static_cast<Thread &>(*current()); }

int Simulator::spawn(Function F) {
  if (current())
    pay(tolerance());
  auto T = std::make_unique<Thread>();
  T->Rng.seed(Rng.next());
  T->drawFirstPeriod(Options.Period);
  T->LastSample = now();
  T->Plays = Roles.take(OnlyKind);
  T->Index = Live.size();
  if (current())
    T->Delay.Local = self().Delay.Local;
  T->Delay.expect(Scheduler.Delays);
  Live.push_back(T.get());
  if (current())
    meet(CreateContext);
  start(*T, [this, T = T.get(), F = std::move(F)] { threadMain(*T, F); });
  Threads.push_back(std::move(T));
  return static_cast<int>(Threads.size() - 1);
}

// As in causal_thread.cpp.
void Simulator::threadMain(Thread &T, const Function &F) {
  T.Delay.Accruing.begin(T.Plays, 2 * Options.Period, Options.Period);
  T.Delay.Accruing.enter(OnlyKind);
  T.Delay.Pausing.takeOver(T.Plays);
  goOn();
  F();
  T.Delay.Accruing.tellAll();
  beforeWake(T.Id);
  suspendAccrual();
  Accruing.leave(T.Delay);
  T.Delay.leaveCore(Scheduler.Delays);
  T.Delay.Pausing.handOver(T.Plays);
  if (T.Plays)
    T.Plays->ended(T.Ran);
  Roles.leave(T.Plays);
  Ran += T.Ran;
  Waited += T.Waited;
  Live[T.Index] = Live.back();
  Live[T.Index]->Index = T.Index;
  Live.pop_back();
  if (T.Joiner)
    wake(*T.Joiner);
}

void Simulator::join(int Index) {
  Thread *T = Threads[static_cast<size_t>(Index)].get();
  pay(tolerance());
  if (!isDead(*T)) {
    T->Joiner = &self();
    self().Blocked = self().Joining = true;
    suspendAccrual();
    self().Delay.waits();
    self().Delay.leaveCore(Scheduler.Delays);
    block();
    self().Blocked = self().Joining = false;
  }
  afterBlock(T->Id);
  meet(JoinContext);
  if (isDead(*T))
    Threads[static_cast<size_t>(Index)].reset();
}

void Simulator::run(uint64_t Length, Function Main) {
  End = Length;
  for (unsigned I = 0; I < Options.OtherPrograms; ++I) {
    Others.push_back(std::make_unique<Task>());
    start(*Others.back(), [this] {
      for (;;)
        compute(10_ms);
    });
  }
  int First = spawn(std::move(Main));
  runUntilEnd(*Threads[static_cast<size_t>(First)]);
}

void Simulator::work(uint32_t Line, uint64_t CPUTime) {
  Thread &T = self();
  ++Steps;
  while (CPUTime) {
    uint64_t Step = std::min(CPUTime, T.UntilSample);
    compute(Step);
    CPUTime -= Step;
    T.UntilSample -= Step;
    if (!T.UntilSample)
      takeSample(Line);
  }
}

CoreDelay *Simulator::core(const Thread &T) {
  return Scheduler.Delays.sharesCores() ? &Cores[T.Core] : nullptr;
}

// As takeSample() in causal_sampler.cpp.
void Simulator::takeSample(uint32_t Line) {
  Thread &T = self();
  if (Options.SampleCost)
    compute(Options.SampleCost);
  if (Line >= Samples.size())
    Samples.resize(Line + 1);
  ++Samples[Line];
  if (!T.Spinning)
    Recent[RecentCount++ % 64] = Line;
  uint64_t CPUTime = T.Period, Ran = T.Delay.Working.ran(CPUTime),
           Work = T.Delay.Working.work(CPUTime);
  T.drawPeriod(Options.Period);
  Target Selected = Scheduler.target();
  suspendAccrual();
  if (T.InKernel)
    T.Delay.InKernel.sampled(Work);
  bool Accrues =
      T.Delay.Accruing.sample(Line, Selected.Speedup && !T.Spinning && !T.Outside, T.Period);
  GlobalDelay &G = Scheduler.Delays;
  bool Counts = Selected.Speedup && !T.Spinning && !Accrues;
  if (Counts && G.dilation() && Selected.Line != Line)
    T.Delay.slowDown(G, Work * Selected.Speedup / 100);
  if (Counts && !G.dilation() && Selected.Line == Line) {
    spinnersPaid();
    uint64_t Delay = Work * Selected.Speedup / 100;
    idleFollow(T.Delay.charge(G, Delay, core(T)));
    Hits.note(now(), now() + 1, Delay);
    spinnersLook();
  }
  uint64_t MoreWaited = 0, Elsewhere = 0, First = std::exchange(T.UntilFirst, 0);
  uint64_t Undisturbed = First ? First + Role::wakeUp(G.isCrowded()) : CPUTime;
  uint64_t Elapsed = now() - T.LastSample;
  bool WaitedElsewhere = T.Spinning;
  if (Elapsed > Undisturbed + Undisturbed / 8) {
    MoreWaited = T.Waited - T.SeenWait;
    WaitedElsewhere |= ThreadDelay::waitedElsewhere(Elapsed, CPUTime + MoreWaited);
    T.SeenWait = T.Waited;
    Elsewhere = Elapsed > CPUTime + MoreWaited ? Elapsed - CPUTime - MoreWaited : 0;
    if (First && T.Plays)
      MoreWaited = T.Plays->waitedBeforeFirst(MoreWaited, CPUTime, G.isCrowded());
  }
  if (G.sharesCores())
    T.Delay.InKernel.tookOnSharedCore(T.InKernel ? Work : 0, Elsewhere);
  T.Delay.observe(G, Ran, MoreWaited, WaitedElsewhere);
  T.Delay.observeSlice(G, {Ran, Work}, T.Spinning, MoreWaited);
  T.LastSample = now();
  Scheduler.tick(now(), *this);
  uint32_t Dilation = G.dilation();
  uint64_t Tolerance = Dilation
                           ? GlobalDelay::leftByDilation(Dilation)
                           : T.Delay.leftBySample(Scheduler.target().Speedup, tolerance(), core(T));
  if (pay(Tolerance))
    T.LastSample = now();
}

struct Simulator::Sleeper {
  Simulator &S;
  uint64_t now() const { return S.now(); }
  void sleepUntil(uint64_t Time) const { S.sleepUntil(Time); }
  uint64_t burn(uint64_t CPUTime) const {
    S.burn(CPUTime);
    return CPUTime;
  }
  CoreDelay *core() const { return S.core(S.self()); }
  void chargeOthers() const { S.chargeOthers(); }
  bool interrupted() const { return false; }
  uint64_t queued() const { return S.self().Waited; }
};

void Simulator::sleep(uint64_t Time) {
  suspendAccrual();
  chargeOthers();
  if (core(self()))
    payOwed(tolerance());
  OutsidePoint Before = ThreadDelay::outsidePoint(Scheduler.Delays, Sleeper{*this});
  self().Delay.leaveCore(Scheduler.Delays);
  self().Outside = true;
  sleepUntil(now() + Time);
  self().Delay.prolong(Scheduler.Delays, Before, tolerance(), Sleeper{*this});
  self().Delay.dilate(Scheduler.Delays, Before, Sleeper{*this});
  self().Outside = false;
  goOn();
}

void Simulator::beginPart(uintptr_t Part) {
  suspendAccrual();
  self().Delay.Accruing.divide(Part);
  goOn();
}

// As waitOutsideSlow() in causal_sync.h.
void Simulator::callKernel(const Function &Work) {
  enum : uintptr_t { Inside = 1, After };
  Thread &T = self();
  bool Works = T.Delay.InKernel.isMostOfIt();
  uint64_t Since = now() - T.Paused;
  if (Works)
    beginPart(Inside);
  else
    suspendAccrual();
  T.Outside = !Works;
  T.InKernel = true;
  Work();
  T.Outside = T.InKernel = false;
  if (!Scheduler.Delays.sharesCores())
    T.Delay.InKernel.took(now() - T.Paused - Since);
  if (Works)
    beginPart(After);
  else
    goOn();
}

// Samples of burning are dropped.
void Simulator::burn(uint64_t CPUTime) {
  Thread &T = self();
  while (CPUTime) {
    uint64_t Step = std::min(CPUTime, T.UntilSample);
    compute(Step);
    CPUTime -= Step;
    T.UntilSample -= Step;
    if (!T.UntilSample) {
      uint64_t Period = T.Period;
      T.drawPeriod(Options.Period);
      T.Delay.drop(Period, T.Period);
      T.LastSample = now();
    }
  }
}

bool Simulator::payOwed(uint64_t Tolerance) {
  Thread &T = self();
  bool Owes = T.Delay.mustPay(Scheduler.Delays, Tolerance);
  if (Owes) {
    T.Paused += T.Delay.pay(Scheduler.Delays, tolerance(), Sleeper{*this});
    if (Options.PayCost) {
      burn(Options.PayCost);
      T.Delay.Pausing.tookMore(static_cast<int64_t>(Options.PayCost));
    }
    Scheduler.tick(now(), *this);
  }
  return Owes;
}

bool Simulator::pay(uint64_t Tolerance) {
  suspendAccrual();
  chargeOthers();
  bool Owes = payOwed(Tolerance);
  if (!self().Spinning && !self().Outside)
    goOn();
  return Owes;
}

void Simulator::payIfDue() {
  if (self().Delay.mustPay(Scheduler.Delays, tolerance()) || !Accruing.empty())
    pay(tolerance());
}

// As far apart as objects are.
uintptr_t Simulator::idOf(Identity &I) {
  constexpr uintptr_t Apart = 64;
  if (!I.Value)
    I.Value = Identities += Apart;
  return I.Value;
}

void Simulator::payForLock() {
  if (Options.LocksMeet)
    payIfDue();
  else if (self().Delay.mustPay(Scheduler.Delays, tolerance()))
    pay(tolerance());
}

void Simulator::beforeUnlock(Identity &Lock) {
  ThreadDelay &D = self().Delay;
  bool Due = !D.Accruing.isFresh(now()) || D.mustPay(Scheduler.Delays, tolerance());
  if (Options.LocksMeet && Due) // Else it pays once it has given the lock back.
    payIfDue();
  Credits.publish(idOf(Lock), self().Delay.local());
}

// Never 0.
static uint64_t cpuTime(const SimulatedMachine::Task &T) { return T.Ran + 1; }

void Simulator::goOn() {
  Target Selected = Scheduler.target();
  Thread &T = self();
  AccrualClock Clock = T.Delay.clock(Scheduler.Delays);
  AccrualTime Time = Clock == AccrualClock::CPU ? AccrualTime(now(), cpuTime(T)) : now();
  T.Delay.resume(Scheduler.Delays, Selected.Line, Selected.Speedup, Time, core(T));
  bool Began = Accruing.empty();
  Accruing.update(self().Delay);
  if (Began && !Accruing.empty())
    spinnersLook();
}

void Simulator::suspendAccrual() {
  Thread &T = self();
  bool ByCPUTime = T.Delay.Accruing.clock() == AccrualClock::CPU;
  idleFollow(T.Delay.suspend(Scheduler.Delays, ByCPUTime ? cpuTime(T) : now(), core(T)));
}

void Simulator::chargeOthers() { idleFollow(Accruing.chargeAll(Scheduler.Delays, now())); }

void Simulator::idleFollow(uint64_t Grown) {
  if (Grown)
    Scheduler.Delays.advance(Grown, idleCores());
}

uint32_t Simulator::idleCores() const {
  CoreSet<64> Taken;
  uint32_t Idle = Scheduler.Delays.ownCores();
  for (size_t I = 0; I < Live.size() && Idle; ++I)
    if (!Live[I]->Blocked && !Live[I]->Outside &&
        !(isIdle(*Live[I]) && isLongAgo(Live[I]->Delay.Accruing.wentOn())) &&
        Taken.add(Live[I]->Core))
      Idle -= std::min<uint32_t>(Idle, Contention::One);
  return Idle;
}

void Simulator::meet(uintptr_t Context) {
  suspendAccrual();
  self().Delay.Accruing.enter(Context);
  goOn();
}

void Simulator::beforeWake(Identity &Object) {
  pay(tolerance());
  Credits.publish(idOf(Object), self().Delay.local());
}

void Simulator::afterBlock(Identity &Object, uint64_t Since) {
  if (Options.Credit)
    self().Delay.credit(Hits.credit(Credits.get(idOf(Object)), Since));
}

uint32_t Simulator::pickLine(Random &R) {
  if (Options.FixedLine)
    return Options.FixedLine;
  uint32_t Count = std::min<uint32_t>(RecentCount, 64);
  return Count ? Recent[R.below(Count)] : 0;
}

// As in causal_run.cpp.
bool Simulator::isLongAgo(uint64_t Time) const {
  constexpr uint64_t IdlePeriods = 20;
  return now() > Time + Scheduler.Delays.contention().stretch(IdlePeriods * Options.Period);
}

bool Simulator::isIdle(const Thread &T) const { return isLongAgo(T.LastSample); }

uint64_t Simulator::unsettled() {
  spinnersPaid();
  uint64_t Largest = 0;
  for (const Thread *T : Live)
    if (!T->Blocked && !isIdle(*T))
      Largest = std::max(Largest, T->Delay.owedSeenFromOutside(Scheduler.Delays, core(*T)));
  return Largest;
}

uint64_t Simulator::unpaidForOwn() {
  uint64_t Sum = 0;
  for (const Thread *T : Live)
    Sum += T->Delay.owedForOwn(Scheduler.Delays);
  return Scheduler.Delays.wallTime(Sum);
}

void Simulator::noteCrowd() {
  unsigned AtWork = 0, NeverWait = 0;
  for (const Thread *T : Live) {
    bool Works = !T->Joining && !isIdle(*T);
    AtWork += Works;
    NeverWait += Works && T->Delay.neverWaits();
  }
  GlobalDelay &G = Scheduler.Delays;
  G.setCrowd(AtWork, Options.Machine.Cores, NeverWait);
  uint64_t OthersRan = 0;
  for (const auto &T : Others)
    OthersRan += T->Ran;
  if (G.contention().noticeable())
    G.noteOthers(OthersRan, now());
  else
    G.forgetOthers();
}

void Simulator::beginPoints(uint64_t EffectiveTime) {
  StartVisits = Visits;
  Spans.begin(EffectiveTime, Visits);
  noteCrowd();
}

double Simulator::predicted(uint32_t Line, uint32_t Speedup, unsigned Without,
                            unsigned Groups) const {
  auto PeriodAt = [&](uint32_t At) {
    double Time = 0, Count = 0;
    for (const Result &R : Results)
      if (R.Experiment.Line == Line && R.Experiment.Speedup == At &&
          R.Experiment.Index % Groups != Without) {
        Time += static_cast<double>(R.Span.Time);
        Count += static_cast<double>(R.Span.Visits);
      }
    return Count ? Time / Count : std::nan("");
  };
  return 100 * (1 - PeriodAt(Speedup) / PeriodAt(0));
}
