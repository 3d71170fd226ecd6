//===- causal_thread.cpp - What is known of each thread -------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The slots lie in chunks whose addresses never change, so that the sample handler can
// walk them while another thread adds one. How large a slot is the mode says.
//
//===----------------------------------------------------------------------===//
#include "thread/causal_thread.h"
#include "base/causal_placement_new.h"
#include "base/causal_platform.h"
#include "base/causal_runtime_lock.h"
#include "mode/causal_mode.h"

#include <sys/resource.h>

using namespace __causal;

__thread ThreadBase *__causal::CurrentThread;

static constexpr unsigned ChunkSlots = 64;
static constexpr unsigned MaxChunks = 1024;
static char *Chunks[MaxChunks];
static unsigned Slots;
static ThreadBase *FreeList;
static __sanitizer::StaticSpinMutex Mutex;
static size_t UsualStack = 2 << 20;

unsigned __causal::threadSlots() { return __atomic_load_n(&Slots, __ATOMIC_ACQUIRE); }
ThreadBase *__causal::threadSlot(unsigned I) {
  return reinterpret_cast<ThreadBase *>(Chunks[I / ChunkSlots] +
                                        I % ChunkSlots * mode()->ThreadSize);
}
size_t __causal::usualStackSize() { return UsualStack; }

static ThreadBase *newSlot() {
  unsigned Index = Slots;
  if (Index == ChunkSlots * MaxChunks)
    return nullptr;
  if (Index % ChunkSlots == 0) {
    void *Chunk = mapMemory(ChunkSlots * mode()->ThreadSize);
    if (!Chunk)
      return nullptr;
    Chunks[Index / ChunkSlots] = static_cast<char *>(Chunk);
  }
  threadSlot(Index)->Index = Index;
  __atomic_store_n(&Slots, Index + 1, __ATOMIC_RELEASE);
  return threadSlot(Index);
}

ThreadBase *__causal::allocateThread(void *(*Start)(void *), uintptr_t Place) {
  RuntimeLock Lock(Mutex);
  ThreadBase *T = FreeList;
  if (T)
    FreeList = T->NextFree;
  else if (!(T = newSlot()))
    return nullptr;
  new (static_cast<ThreadLife *>(T)) ThreadLife();
  T->Start = Start;
  mode()->construct(*T, Place);
  __atomic_store_n(&T->Made, 1, __ATOMIC_RELEASE);
  return T;
}

static void free(ThreadBase *T) {
  mode()->release(*T);
  __atomic_store_n(&T->Made, 0, __ATOMIC_RELEASE);
  T->NextFree = FreeList;
  FreeList = T;
}

void __causal::releaseThread(ThreadBase *T) {
  RuntimeLock Lock(Mutex);
  free(T);
}

void __causal::initThreads() {
  rlimit Limit; // As libc does: the limit at start counts.
  if (getrlimit(RLIMIT_STACK, &Limit) == 0 && Limit.rlim_cur < (64 << 20))
    UsualStack = Limit.rlim_cur;
}

unsigned __causal::livingThreads() {
  unsigned Living = 0;
  forEachSlot([&](ThreadBase &T) { Living += __atomic_load_n(&T.Alive, __ATOMIC_RELAXED); });
  return Living;
}

// A thread that is alive cannot be gone before it has had the lock.
void __causal::forgetAllThreads() {
  RuntimeLock Lock(Mutex);
  forEachSlot([](ThreadBase &T) {
    if (!__atomic_load_n(&T.Alive, __ATOMIC_ACQUIRE))
      return;
    if (mode()->forget)
      mode()->forget(T);
    __atomic_store_n(T.Self, nullptr, __ATOMIC_RELAXED);
  });
}

void __causal::lockThreads() { Mutex.Lock(); }
void __causal::unlockThreads() { Mutex.Unlock(); }

// What a thread holds of the kernel (events, timers) is not the child's, and is let go by whoever
// knows of it.
void __causal::forgetOtherThreads() {
  forEachSlot([](ThreadBase &T) {
    T.Samples = T.Weights = T.SquaredWeights = 0;
    T.Late = T.Unmapped = T.OutOfScope = 0;
    if (&T == CurrentThread) {
      T.Id = threadId();
      T.Clock.restart();
      return;
    }
    bool WasTaken = T.Made;
    T.Made = T.Alive = 0;
    if (!WasTaken)
      return;
    new (static_cast<ThreadLife *>(&T)) ThreadLife(); // Another timer may have its number here.
    free(&T);
  });
}
