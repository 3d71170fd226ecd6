//===- causal_thread.h - Per-thread state of the runtime --------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One Thread per thread of the program, in a table that grows and never shrinks;
// a slot is reused after its thread has ended. Allocation takes a lock and is not
// for handlers; currentThread() and the table's traversal are for any context.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_THREAD_H
#define CAUSAL_THREAD_H

#include "base/causal_random.h"
#include "causal/law/causal_book_cost.h"
#include "causal/law/causal_delay.h"
#include "causal/section/causal_held_locks.h"
#include "sampler/causal_sample_spacing.h"
#include "thread/causal_cpu_clock.h"

#include <signal.h>
#include <stddef.h>

namespace __causal {

/// A call to the outside world: one that only waits, one that may, and one that would rather
/// work in the kernel, like most of the thread's.
struct OutsideCall {
  enum Kind : uint8_t { None, Waits, MayWait, Works };
};

/// Whether a signal that the program handles breaks off a call that waits.
enum class BreaksOff : uint8_t { Never, UnlessRestarted, Always };

struct alignas(64) Thread {
  ThreadDelay Delay;
  /// Of what it does before it meets others, and behind it.
  BookCost CostToPay, CostToMeet;
  CPUClock Clock;
  /// The kernel's, as gettid() returns it.
  int Id;
  unsigned Index; ///< threadSlot(Index) is this one.
  /// Not zero while runtime code works on this thread's state: a sample is then
  /// counted as late, and wrappers pass straight through.
  uint8_t InRuntime;
  /// Inside a wait for another thread, which will credit it when it wakes it.
  uint8_t Blocked;
  /// What it is believed to do inside a call to the outside world, and when that began,
  /// pauses not counted. SleptOutside: by how much such calls were made longer since the last
  /// sample.
  OutsideCall::Kind Outside;
  uint64_t OutsideSince, SleptOutside;
  /// Inside a wait for another thread's end, in whose stead it will be at work.
  uint8_t Joining;
  /// Locks, and atomic stores, are meetings for it (law 11), it pays what has accrued before
  /// atomic updates, and what it calls through pointers is told apart, until the next sample.
  uint8_t LocksMeet, StoresMeet, UpdatesMeet, DispatchesTold;
  /// It takes so many locks that they are none, and the next one is soon: nobody is held up by
  /// what it pays with one in its hands.
  uint8_t ManyLocks;
  /// Which locks it has is noted: critical sections are the targets.
  uint8_t TracksLocks;
  /// Others' pauses prolong its waits for the outside world (law 5), until the next sample.
  uint8_t ProlongsWaits;
  /// In a loop that waits for an atomic variable: 1 from a round of it to the next
  /// sample, then 2. At one more sample it has been left by a jump.
  uint8_t Spinning;
  /// Of the loop that it is in, or was last.
  uint32_t SpinRounds;
  /// A slot in use; by a living thread. One that is made and not alive yet waits for its
  /// first core.
  uint8_t Made, Alive;
  bool Sampled;
  /// One of so many threads is sampled; its samples stand for all of them.
  uint32_t OneIn;
  /// How many periods the sample that is being taken stands for, of all of them.
  uint32_t SampleWeight;
  /// CPU time was burnt in the sample handler: the next sample may be of that.
  bool Burnt;
  /// The thread's CPU time when a pause that keeps its core busy last looked; 0: it looks at
  /// the clock instead, which it does now if BurnsByClock.
  uint64_t BurnSeen;
  bool BurnsByClock;
  /// Whether signals break off the call that the thread is about to make; those that are
  /// held back while it pauses before; and whether one came that would have.
  BreaksOff CallBreaksOff;
  bool BrokenOff;
  uint64_t HeldBack;
  /// In a wait whose mask lets the program's signals of the sampler's number through.
  bool WaitsForSamplerNumber;

  /// What it was last woken for, or woke others for: a part of the contexts since (law 11).
  uintptr_t Part;

  /// When the thread last looked at what accrues to others.
  uint64_t LastLook;
  /// Locks that it took (those that are waited for awake by themselves), atomic stores, updates
  /// and dispatches that it made, waits for the outside world; and how many of them before the
  /// last sample.
  uint32_t Locks, SeenLocks, SpinLocks, SeenSpinLocks, Stores, SeenStores, Updates, SeenUpdates,
      Dispatches, SeenDispatches, Waits, SeenWaits;

  /// CPU time that the next sample stands for, in nanoseconds.
  uint64_t Period;
  /// CPU time of samples that came while the thread was spinning and inside the runtime, and
  /// that were not looked at yet.
  uint64_t SpunInRuntime;
  /// CPU time until the first sample, which stands for more; 0 when that has come.
  uint64_t UntilFirst;
  uint32_t SamplesOnGrid;
  /// Of an event of perf; a timer's costs nothing until it expires.
  SampleSpacing Spacing;
  /// When this thread was last seen to run (or was made), and where (law 9).
  uint64_t LastSample;
  unsigned Core;
  /// The event that samples the thread, and the one before.
  int PerfFd, ClosedPerfFd;
  /// The kernel's count of this thread's waits for a core; 0: not asked yet, -1:
  /// cannot be had. Seen: that count when it was last read, in nanoseconds, and how often it
  /// had got a core.
  int WaitFd;
  uint64_t SeenWait, SeenSlices;
  int TimerId;
  Random Rng;
  /// No frame of the program lies above; 0 if unknown. Between the two all memory is
  /// the thread's stack.
  uintptr_t StackHigh, StackLow;
  /// For samples, while the program has none of its own (sampler/causal_signal_stack.h); and
  /// whether the program's is too small for them, so that the thread is not sampled.
  void *SignalStack;
  bool LacksSignalStack;

  /// As asked for when the thread was made; 0: the usual one.
  size_t StackSize;
  void *(*Start)(void *);
  void *Argument;
  Thread *NextFree;
  /// Where it finds itself: its CurrentThread.
  Thread **Self;
  /// Null where there are too many threads.
  Role *Plays;
  HeldLocks Held;
  /// A lock whose critical section is not known yet (0: none), and the call that took it.
  uintptr_t LearnsOf;
  CallChain Taking;
  /// Where the thread yielded last, and whether that has no line table.
  uintptr_t YieldsAt;
  uint8_t YieldsUnseen;

  /// What it does meanwhile is no work.
  bool isOutside() const {
    uint8_t Call = __atomic_load_n(&Outside, __ATOMIC_RELAXED);
    return Call == OutsideCall::Waits || Call == OutsideCall::MayWait;
  }

  /// One that SampleWeight is of. Own thread.
  void countSample() {
    ++Samples;
    Weights += SampleWeight;
    SquaredWeights += uint64_t(SampleWeight) * SampleWeight;
  }

  /// At a sample, which stands for so many periods: by how many there were since the last one.
  /// Own thread.
  void judgeMeetings(bool Experimenting, uint32_t Periods) {
    // For each lock that meets the clock is read four times, for each store twice. That is
    // little for as many as this in a period; where others sleep for the lock it has
    // to be little beside that, too.
    constexpr uint32_t FewLocks = 64, FewSpinLocks = 256, FewStores = 256, FewUpdates = 256,
                       FewDispatches = 256;
    // For a wait for the outside world it is, and where cores are shared the kernel is asked as
    // well. Most calls of who makes more than this are over at once.
    constexpr uint32_t FewWaits = 16;
    auto AreFew = [Periods](uint32_t Count, uint32_t &Seen, uint32_t Few) {
      uint32_t More = Count - Seen;
      Seen = Count;
      return More <= Few * Periods;
    };
    ManyLocks = !AreFew(Locks, SeenLocks, FewLocks);
    ManyLocks |= !AreFew(SpinLocks, SeenSpinLocks, FewSpinLocks);
    LocksMeet = !ManyLocks && Experimenting;
    // A store gives the program's own locks back.
    StoresMeet = AreFew(Stores, SeenStores, ManyLocks ? FewLocks : FewStores) && Experimenting;
    UpdatesMeet = AreFew(Updates, SeenUpdates, FewUpdates) && Experimenting;
    DispatchesTold = AreFew(Dispatches, SeenDispatches, FewDispatches) && Experimenting;
    ProlongsWaits = AreFew(Waits, SeenWaits, FewWaits);
  }

  /// Counters since the slot was first used; they outlive its threads.
  uint64_t Samples, Late, Unmapped, OutOfScope, Unlocked, Dropped, Paused, UnseenYields;
  /// Of Samples: what they stand for in all, and the squares of that.
  uint64_t Weights, SquaredWeights;
};

extern __thread Thread *CurrentThread __attribute__((tls_model("initial-exec")));
/// Null in a thread that the runtime does not know.
inline Thread *currentThread() { return CurrentThread; }

/// Marks runtime code. A sample handler that finds the mark leaves at once.
class InRuntimeScope {
public:
  explicit InRuntimeScope(Thread &T) : T(T) {
    ++T.InRuntime;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
  }
  ~InRuntimeScope() {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    --T.InRuntime;
  }
  InRuntimeScope(const InRuntimeScope &) = delete;

private:
  Thread &T;
};

/// A slot for a thread with this function, made at Place (a callPath()), or null when memory is
/// out. Not for handlers.
Thread *allocateThread(void *(*Start)(void *), uintptr_t Place);
/// Gives the slot of an ended (or never started) thread back. Not for handlers.
void releaseThread(Thread *T);

/// The calling thread begins: state, sampler, exit hook. Not for handlers.
void beginThread(Thread *T, uintptr_t StackHigh);
/// The calling thread ends: pays, tells its joiner, stops sampling. Harmless when
/// called twice.
void endThread();

/// Number of slots ever used, and the slot at an index below it. Any context.
unsigned threadSlots();
/// Of those slots, how many threads use now.
unsigned livingThreads();
Thread *threadSlot(unsigned Index);

/// Threads that began, those of them that no sampler could be had for, and those that a timer
/// samples.
uint64_t threadsBegun();
uint64_t threadsUnsampled();
uint64_t threadsTimed();

/// From now on the runtime knows none of the threads: wrappers pass straight through. Not for
/// handlers.
void forgetAllThreads();

/// fork: the allocation lock is held across it; the child keeps only itself, and
/// counts from nothing.
void lockThreads();
void unlockThreads();
void forgetOtherThreads();

/// Creates the exit hook's key. At start-up.
void initThreads();

} // namespace __causal

#endif // CAUSAL_THREAD_H
