//===- causal_input_thread.cpp - A thread of the program ------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See causal_input_thread.h.
//
//===----------------------------------------------------------------------===//
#include "input/causal_input_thread.h"
#include "base/causal_report.h"
#include "base/causal_runtime_lock.h"
#include "input/causal_input_activations.h"
#include "input/causal_input_shadow.h"

#include <limits.h>
#include <pthread.h>

using namespace __causal;

__thread InputThread *__causal::Self __attribute__((tls_model("initial-exec")));
// The thread is at its end, or is being made: it gets no record.
static __thread bool Refused __attribute__((tls_model("initial-exec")));
bool __causal::Threaded;

static __sanitizer::StaticSpinMutex Mutex;
static InputThread *First;
static uint32_t Begun, ClockLimit;
static uint64_t LostByEnded;
static bool Ready;
static bool SlotUsed[MaxSlots], SlotMapped[MaxSlots];
static pthread_key_t Key;

void __causal::lockInputThreads() { Mutex.Lock(); }
void __causal::unlockInputThreads() { Mutex.Unlock(); }
InputThread *__causal::firstInputThread() { return First; }
uint32_t __causal::inputThreadsBegun() { return Begun; }
uint64_t __causal::lostByEnded() { return LostByEnded; }

static void threadEnds(void *);

bool __causal::initInputThreads(uint32_t Limit) {
  ClockLimit = Limit;
  if (!mapWindow(DirectoryWindow) || pthread_key_create(&Key, threadEnds))
    return false;
  Ready = true;
  return true;
}

bool __causal::hasDirectory() { return Ready; }
void __causal::stopInputThreads() { __atomic_store_n(&Ready, false, __ATOMIC_RELAXED); }

/// A bit and stamps; of the crowd, if there is no slot left. False if neither can be had.
static bool giveSlot(InputThread &T) {
  for (unsigned I = 0; I < MaxSlots; ++I) {
    if (SlotUsed[I])
      continue;
    if (!SlotMapped[I] && !(SlotMapped[I] = mapWindow(FirstSlotWindow + I)))
      return false;
    SlotUsed[I] = true;
    T.Slot = I;
    T.Bit = T.OwnBit = slotBit(I);
    T.Stamps = windowBase(FirstSlotWindow + I);
    return true;
  }
  static bool Said, HasZeroes;
  if (!(HasZeroes = HasZeroes || mapWindow(ZeroWindow)) || !beginCrowd())
    return false;
  if (!Said) {
    Said = true;
    CAUSAL_REPORT("causal: more than %u threads at once: the accesses of those above that are "
                  "recorded as exactly, but more slowly\n",
                  MaxSlots);
  }
  // Without a bit the checks of compiled code send everything here.
  T.Bit = 0;
  T.OwnBit = CrowdBit;
  T.Stamps = windowBase(ZeroWindow);
  T.Slot = MaxSlots;
  return true;
}

static void release(InputThread &T) {
  if (T.Slot < MaxSlots) {
    // A stamp of 0 under a set bit tells whoever has the slot next that the bit is not its own.
    emptyWindow(FirstSlotWindow + T.Slot);
    SlotUsed[T.Slot] = false;
  }
  T.Crowd.clear();
  T.Points.clear();
  unmapMemory(T.Bottom, (MaxPending + 2) * sizeof(Frame));
  unmapMemory(&T, sizeof(T));
}

static InputThread *makeThread() {
  auto *T = static_cast<InputThread *>(mapMemory(sizeof(InputThread)));
  if (!T)
    return nullptr;
  T->Bottom = static_cast<Frame *>(mapMemory((MaxPending + 2) * sizeof(Frame)));
  if (!T->Bottom || !giveSlot(*T)) {
    unmapMemory(T->Bottom, (MaxPending + 2) * sizeof(Frame));
    unmapMemory(T, sizeof(*T));
    return nullptr;
  }
  T->Directory = windowBase(DirectoryWindow);
  T->Mask = CellMask;
  T->Clock = 1;
  T->ClockLimit = ClockLimit;
  // What no routine asks for is the bottom's.
  T->Top = T->Bottom;
  T->Bottom->Stamp = 1;
  T->Limit = T->Bottom + MaxPending;
  T->Number = Begun++;
  if (T->Number)
    __atomic_store_n(&Threaded, true, __ATOMIC_RELAXED);
  T->Next = First;
  First = T;
  return T;
}

InputThread *__causal::beginInputThread() {
  if (Refused || !__atomic_load_n(&Ready, __ATOMIC_RELAXED))
    return nullptr;
  Refused = true;
  InputThread *T;
  {
    RuntimeLock Lock(Mutex);
    T = makeThread();
  }
  if (!T) {
    static bool Said;
    if (!Said)
      CAUSAL_REPORT("causal: no memory for a thread's tables: it is not profiled\n");
    Said = true;
    return nullptr;
  }
  if (pthread_setspecific(Key, T)) {
    // It never ends for us: its profile is written with the last ones.
  }
  Self = T;
  Refused = false;
  return T;
}

// The destructor of our key. Others of the program may run after it: it is asked again until
// the last round that there is.
static void threadEnds(void *Record) {
  auto *T = static_cast<InputThread *>(Record);
  if (++T->DestructorRounds < PTHREAD_DESTRUCTOR_ITERATIONS && !pthread_setspecific(Key, T))
    return;
  Refused = true;
  endAllActivations(*T);
  Self = nullptr;
  {
    // From now on nobody else looks at it.
    RuntimeLock Lock(Mutex);
    InputThread **Link = &First;
    while (*Link && *Link != T)
      Link = &(*Link)->Next;
    if (!*Link)
      return;
    *Link = T->Next;
    LostByEnded += T->Lost;
  }
  endInputProfile(*T);
  RuntimeLock Lock(Mutex);
  release(*T);
}

void __causal::forgetOtherInputThreads() {
  for (InputThread *T = First; T;) {
    InputThread *Next = T->Next;
    if (T != Self)
      release(*T);
    T = Next;
  }
  First = Self;
  if (First)
    First->Next = nullptr;
  Begun = First ? First->Number + 1 : 0;
  LostByEnded = 0;
}
