//===- causal_thread.h - What is known of each thread -----------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One record per thread of the program, in a table that grows and never shrinks; a slot
// is reused after its thread has ended. What a mode keeps of a thread lies behind its
// ThreadBase, in a type derived from it, and both are constructed anew for each thread:
// nothing is reset by hand.
//
// Allocation takes a lock and is not for handlers; currentThread() and the table's
// traversal are for any context.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_THREAD_H
#define CAUSAL_THREAD_H

#include "base/causal_random.h"
#include "code/causal_stack_walk.h"
#include "thread/causal_cpu_clock.h"
#include "thread/causal_sample_spacing.h"

#include <signal.h>
#include <stddef.h>

namespace __causal {

struct ThreadBase;

/// What every mode needs of one thread.
struct ThreadLife {
  CPUClock Clock;
  /// The kernel's, as gettid() returns it.
  int Id = 0;
  /// Not zero while runtime code works on this thread's state: a sample is then
  /// counted as late, and wrappers pass straight through.
  uint8_t InRuntime = 0;
  bool Sampled = false;
  /// One of so many threads is sampled; its samples stand for all of them.
  uint32_t OneIn = 1;
  /// How many periods the sample that is being taken stands for, of all of them.
  uint32_t SampleWeight = 0;
  /// In a wait whose mask lets the program's signals of the sampler's number through.
  bool WaitsForSamplerNumber = false;

  /// CPU time that the next sample stands for, in nanoseconds.
  uint64_t Period = 0;
  /// CPU time until the first sample, which stands for more; 0 when that has come.
  uint64_t UntilFirst = 0;
  uint32_t SamplesOnGrid = 0;
  /// Of an event of perf; a timer's costs nothing until it expires.
  SampleSpacing Spacing;
  /// The event that samples the thread, and the one before.
  int PerfFd = 0, ClosedPerfFd = 0;
  int TimerId = 0;
  /// The kernel's count of this thread's waits for a core; 0: not asked yet, -1:
  /// cannot be had.
  int WaitFd = 0;
  Random Rng;
  /// All memory in it is the thread's stack; no frame of the program lies above.
  StackBounds Stack = {0, 0};
  /// The program's alternative stack is too small for samples: the thread is not sampled.
  bool LacksSignalStack = false;

  /// As asked for when the thread was made; 0: the usual one.
  size_t StackSize = 0;
  void *(*Start)(void *) = nullptr;
  void *Argument = nullptr;
  /// Where it finds itself: its CurrentThread.
  ThreadBase **Self = nullptr;
};

/// The head of a slot. Zeroed, it is free.
struct ThreadBase : ThreadLife {
  unsigned Index; ///< threadSlot(Index) is this one.
  /// A slot in use; by a living thread. One that is made and not alive yet waits for its
  /// first core.
  uint8_t Made, Alive;
  ThreadBase *NextFree;
  /// For samples, while the program has none of its own (sampler/causal_signal_stack.h); kept
  /// for the slot's next thread.
  void *SignalStack;

  /// Counters since the slot was first used; they outlive its threads.
  uint64_t Samples, Late, Unmapped, OutOfScope;
  /// Of Samples: what they stand for in all, and the squares of that.
  uint64_t Weights, SquaredWeights;

  /// One that SampleWeight is of. Own thread.
  void countSample() {
    ++Samples;
    Weights += SampleWeight;
    SquaredWeights += uint64_t(SampleWeight) * SampleWeight;
  }
};

extern __thread ThreadBase *CurrentThread __attribute__((tls_model("initial-exec")));
/// Null in a thread that the runtime does not know.
inline ThreadBase *currentThread() { return CurrentThread; }

/// Marks runtime code. A sample handler that finds the mark leaves at once.
class InRuntimeScope {
public:
  explicit InRuntimeScope(ThreadBase &T) : T(T) {
    ++T.InRuntime;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
  }
  ~InRuntimeScope() {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    --T.InRuntime;
  }
  InRuntimeScope(const InRuntimeScope &) = delete;

private:
  ThreadBase &T;
};

/// A slot for a thread with this function, made at Place (a callPath(), or 0), or null when
/// memory is out. Not for handlers.
ThreadBase *allocateThread(void *(*Start)(void *), uintptr_t Place);
/// Gives the slot of an ended (or never started) thread back. Not for handlers.
void releaseThread(ThreadBase *T);

/// Number of slots ever used, and the slot at an index below it. Any context.
unsigned threadSlots();
/// Of those slots, how many threads use now.
unsigned livingThreads();
ThreadBase *threadSlot(unsigned Index);
/// Calls F for each slot, whether a thread has it or not. Any context.
template <typename Function> void forEachSlot(Function F) {
  for (unsigned I = 0, N = threadSlots(); I < N; ++I)
    F(*threadSlot(I));
}

/// The usual stack of a new thread, which getrlimit() tells at start-up.
size_t usualStackSize();

/// From now on the runtime knows none of the threads: wrappers pass straight through. Not for
/// handlers.
void forgetAllThreads();

/// fork: the allocation lock is held across it; the child keeps only itself, and
/// counts from nothing.
void lockThreads();
void unlockThreads();
void forgetOtherThreads();

/// Init only.
void initThreads();

} // namespace __causal

#endif // CAUSAL_THREAD_H
