//===- causal_thread.cpp - Per-thread state of the runtime ----------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The slots lie in chunks of doubling size whose addresses never change, so that
// the sample handler can walk them while another thread adds one.
//
//===----------------------------------------------------------------------===//
#include "thread/causal_thread.h"
#include "base/causal_platform.h"
#include "base/causal_runtime_lock.h"
#include "causal/causal_run.h"
#include "causal/causal_sync.h"
#include "causal/experiment/causal_progress.h"
#include "sampler/causal_contention.h"
#include "sampler/causal_sampler.h"
#include "thread/causal_thread_churn.h"

#include <limits.h>
#include <pthread.h>
#include <sys/resource.h>

using namespace __causal;

__thread Thread *__causal::CurrentThread;

static constexpr unsigned ChunkSlots = 64;
static constexpr unsigned MaxChunks = 1024;
static Thread *Chunks[MaxChunks];
static unsigned Slots;
static Thread *FreeList;
static __sanitizer::StaticSpinMutex Mutex;
static uint64_t Begun, Unsampled, Timed;
static ThreadChurn Churn;
static RoleTable Roles;
static pthread_key_t ExitKey;
static bool HaveExitKey;
static size_t UsualStack = 2 << 20;

unsigned __causal::threadSlots() { return __atomic_load_n(&Slots, __ATOMIC_ACQUIRE); }
Thread *__causal::threadSlot(unsigned I) { return &Chunks[I / ChunkSlots][I % ChunkSlots]; }
uint64_t __causal::threadsBegun() { return __atomic_load_n(&Begun, __ATOMIC_RELAXED); }
uint64_t __causal::threadsUnsampled() { return __atomic_load_n(&Unsampled, __ATOMIC_RELAXED); }
uint64_t __causal::threadsTimed() { return __atomic_load_n(&Timed, __ATOMIC_RELAXED); }

static Thread *newSlot() {
  unsigned Index = Slots;
  if (Index == ChunkSlots * MaxChunks)
    return nullptr;
  if (Index % ChunkSlots == 0) {
    void *Chunk = mapMemory(ChunkSlots * sizeof(Thread));
    if (!Chunk)
      return nullptr;
    Chunks[Index / ChunkSlots] = static_cast<Thread *>(Chunk);
  }
  threadSlot(Index)->Index = Index;
  __atomic_store_n(&Slots, Index + 1, __ATOMIC_RELEASE);
  return threadSlot(Index);
}

Thread *__causal::allocateThread(void *(*Start)(void *), uintptr_t Place) {
  RuntimeLock Lock(Mutex);
  Thread *T = FreeList;
  if (T)
    FreeList = T->NextFree;
  else if (!(T = newSlot()))
    return nullptr;
  T->Start = Start;
  T->InRuntime = T->Blocked = T->Joining = T->Spinning = 0;
  T->Outside = OutsideCall::None;
  T->LastSample = now(); // To wait for a core may be the first thing that it does.
  T->Plays = Roles.take(reinterpret_cast<uintptr_t>(Start) + Place);
  __atomic_store_n(&T->Made, 1, __ATOMIC_RELEASE);
  return T;
}

void __causal::releaseThread(Thread *T) {
  RuntimeLock Lock(Mutex);
  Roles.leave(T->Plays);
  __atomic_store_n(&T->Made, 0, __ATOMIC_RELEASE);
  T->NextFree = FreeList;
  FreeList = T;
}

// Runs as late among the destructors of thread-specific data as it can, since the
// others are code of the program and are to be profiled.
static void exitHook(void *Round) {
  uintptr_t N = reinterpret_cast<uintptr_t>(Round);
  if (N < PTHREAD_DESTRUCTOR_ITERATIONS &&
      pthread_setspecific(ExitKey, reinterpret_cast<void *>(N + 1)) == 0)
    return;
  endThread();
}

void __causal::initThreads() {
  rlimit Limit; // As libc does: the limit at start counts.
  if (getrlimit(RLIMIT_STACK, &Limit) == 0 && Limit.rlim_cur < (64 << 20))
    UsualStack = Limit.rlim_cur;
  HaveExitKey = pthread_key_create(&ExitKey, exitHook) == 0;
}

// What is known to be stack below High. Less than there is does no harm.
static uintptr_t stackLow(uintptr_t High, size_t Size) {
  constexpr size_t UsedByLibc = 4 * 4096;
  if (!Size)
    Size = UsualStack;
  return Size > UsedByLibc && Size < High ? High - Size + UsedByLibc : High;
}

static void beginAccrual(Thread &T, uint64_t Now) {
  // Without samples all is guessed: what lives longer than this had better not accrue.
  constexpr unsigned UnsampledPeriods = 16;
  T.Delay.Accruing.begin(T.Plays, samplePeriod() * (T.Sampled ? 2 : UnsampledPeriods),
                         samplePeriod());
  T.Delay.Accruing.enter(reinterpret_cast<uintptr_t>(T.Start));
  T.Delay.AccrualSlot = 0;
  T.Delay.Pausing.takeOver(T.Plays);
  T.CostToPay = T.CostToMeet = BookCost();
  T.Locks = T.SeenLocks = T.SpinLocks = T.SeenSpinLocks = T.Stores = T.SeenStores = 0;
  T.Updates = T.SeenUpdates = T.Dispatches = T.SeenDispatches = T.Waits = T.SeenWaits = 0;
  T.ProlongsWaits = 1;
  T.ManyLocks = 0;
  T.LocksMeet = T.StoresMeet = T.UpdatesMeet = T.DispatchesTold =
      T.Sampled && run().isExperimenting();
  run().resumeAccrual(T, Now);
}

void __causal::beginThread(Thread *T, uintptr_t StackHigh) {
  T->Id = threadId();
  T->Part = 0;
  T->TracksLocks = run().targetKind() == TargetKind::Section;
  T->Held.clear();
  T->LearnsOf = 0;
  T->StackHigh = StackHigh;
  T->StackLow = stackLow(StackHigh, T->StackSize);
  T->Delay.forgetWork();
  T->Clock.restart();
  T->Delay.expect(run().Scheduler.Delays);
  T->Burnt = T->BurnsByClock = T->WaitsForSamplerNumber = false;
  T->CallBreaksOff = BreaksOff::Never;
  T->HeldBack = 0;
  T->SpunInRuntime = T->SleptOutside = 0;
  uint64_t Now = now();
  T->OneIn = Churn.begin(Now);
  T->Rng.seed(Now ^ reinterpret_cast<uintptr_t>(T));
  T->Sampled = T->OneIn <= 1 || T->Rng.below(T->OneIn) == 0;
  T->UntilFirst = 0;
  countApart(T->Index);
  openSamplerSignal();
  beginAccrual(*T, Now);
  CurrentThread = T;
  T->Self = &CurrentThread;
  __atomic_store_n(&T->Alive, 1, __ATOMIC_RELEASE);
  __atomic_fetch_add(&Begun, 1, __ATOMIC_RELAXED);
  if (HaveExitKey)
    pthread_setspecific(ExitKey, reinterpret_cast<void *>(1));
  if (!T->Sampled)
    return;
  T->Sampled = startSampling(*T);
  if (!T->Sampled)
    __atomic_fetch_add(&Unsampled, 1, __ATOMIC_RELAXED);
  if (T->TimerId)
    __atomic_fetch_add(&Timed, 1, __ATOMIC_RELAXED);
}

void __causal::endThread() {
  Thread *T = CurrentThread;
  if (!T)
    return;
  uintptr_t Self = threadObject(pthread_self());
  if (T->Blocked) // Cancelled in a wait: it was the canceller that ended it.
    afterBlock(Self, /*Woken=*/true);
  T->Delay.Accruing.tellAll();
  beforeWake(Self); // Law 6; the joiner is the one woken.
  run().suspendAccrual(*T, now());
  run().Accruing.leave(T->Delay);
  T->Delay.Pausing.handOver(T->Plays);
  if (T->Plays)
    T->Plays->ended(threadCPUTime());
  stopSampling(*T);
  T->Delay.leaveCore(run().Scheduler.Delays);
  CurrentThread = nullptr;
  __atomic_store_n(&T->Alive, 0, __ATOMIC_RELEASE);
  releaseThread(T);
}

unsigned __causal::livingThreads() {
  unsigned Living = 0;
  for (unsigned I = 0, N = threadSlots(); I < N; ++I)
    Living += __atomic_load_n(&threadSlot(I)->Alive, __ATOMIC_RELAXED);
  return Living;
}

// A thread that is alive cannot be gone before it has had the lock.
void __causal::forgetAllThreads() {
  RuntimeLock Lock(Mutex);
  for (unsigned I = 0, N = threadSlots(); I < N; ++I)
    if (Thread *T = threadSlot(I); __atomic_load_n(&T->Alive, __ATOMIC_ACQUIRE))
      __atomic_store_n(T->Self, nullptr, __ATOMIC_RELAXED);
}

void __causal::lockThreads() { Mutex.Lock(); }
void __causal::unlockThreads() { Mutex.Unlock(); }

void __causal::forgetOtherThreads() {
  Roles.restart(CurrentThread ? CurrentThread->Plays : nullptr);
  if (CurrentThread) {
    CurrentThread->Id = threadId();
    CurrentThread->Clock.restart();
  }
  for (unsigned I = 0, E = threadSlots(); I < E; ++I) {
    Thread *T = threadSlot(I);
    T->Samples = T->Weights = T->SquaredWeights = 0;
    T->Late = T->Unmapped = T->OutOfScope = T->Paused = 0;
    T->Unlocked = T->Dropped = T->UnseenYields = 0;
    T->Delay.Forgiven = T->Delay.Pausing.Overslept = 0;
    T->Delay.forgetWork(); // Its CPU time counts from 0 again.
    T->Burnt = false;
    T->SpunInRuntime = 0;
    T->Held.clear(); // Sections have other numbers here.
    T->LearnsOf = 0;
    T->Delay.Accruing.begin(T->Plays, samplePeriod(), samplePeriod());
    T->Delay.AccrualSlot = 0;
    T->Delay.leaveCore(run().Scheduler.Delays);
    if (T == CurrentThread)
      continue;
    T->Made = 0;
    if (!T->Alive)
      continue;
    T->Alive = 0;
    T->PerfFd = T->TimerId = 0; // Another timer may have that number here.
    Roles.leave(T->Plays);
    closeContention(*T);
    T->NextFree = FreeList;
    FreeList = T;
  }
  Begun = CurrentThread ? 1 : 0;
  Unsampled = Timed = 0;
}
