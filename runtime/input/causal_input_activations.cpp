//===- causal_input_activations.cpp - Pending activations -----------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See causal_input_activations.h.
//
//===----------------------------------------------------------------------===//
#include "input/causal_input_activations.h"
#include "input/causal_input_entry.h"
#include "input/causal_input_routines.h"
#include "input/causal_input_shadow.h"

using namespace __causal;
using namespace causal_input;

// What code sees without a thread's record: every check of it says that nothing is to do.
static constexpr uint32_t NobodysBit = slotBit(0);
static uint32_t NobodysWord = NobodysBit | ByThread, NobodysStamp = ~0u;
static ThreadView Nobody;

static ThreadView *nobody() {
  Nobody.Directory = word(&NobodysWord);
  Nobody.Stamps = word(&NobodysStamp);
  Nobody.Bit = NobodysBit;
  return &Nobody;
}

// A handler of the program that interrupts this one leaves its activations in Deferred.
static void add(InputThread &T, const EndedActivation &A) {
  if (__builtin_expect(T.Recording, 0)) {
    if (T.DeferredCount < InputThread::MaxDeferred)
      T.Deferred[T.DeferredCount++] = A;
    else
      ++T.Lost;
    return;
  }
  T.Recording = true;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (__builtin_expect(!T.Points.add(A), 0))
    ++T.Lost;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  T.Recording = false;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  while (__builtin_expect(T.DeferredCount != 0, 0) && !T.Recording) {
    EndedActivation Later = T.Deferred[--T.DeferredCount];
    add(T, Later);
  }
}

// Ends the activation on top.
static void pop(InputThread &T, uint64_t Cost) {
  Frame *F = T.Top, *Below = F - 1;
  uint64_t Self = F->Self + Cost, Inclusive = Self + F->OfCallees;
  RoutineTotal *Total = T.Points.total(F->Routine);
  bool Outermost = !Total || --Total->Pending == 0;
  Below->Input += F->Input;
  Below->FromThreads += F->FromThreads;
  Below->FromOutside += F->FromOutside;
  Below->OfCallees += Inclusive;
  EndedActivation A = {F->Routine,     Below->Routine, static_cast<uint64_t>(F->Input),
                       F->FromThreads, F->FromOutside, Self,
                       Inclusive,      Outermost};
  T.Top = Below;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  add(T, A);
}

namespace {

/// Stamps as they were, and as they are to be.
struct Renumbering {
  Frame *Bottom;
  uint32_t Count;

  /// The new stamp of what had Stamp: when the pending activation began that it falls into.
  uint32_t of(uint32_t Stamp) const {
    if (!Stamp)
      return 0;
    uint32_t Low = 0, High = Count - 1;
    while (Low < High) {
      uint32_t Middle = Low + (High - Low + 1) / 2;
      if (Bottom[Middle].Stamp <= Stamp)
        Low = Middle;
      else
        High = Middle - 1;
    }
    return Low + 1;
  }
};

} // namespace

// The clock has run out. Nothing but the order of stamps and pending activations is ever
// asked, so that each stamp becomes the rank of the activation that it falls into. Only this
// thread's words are looked at; nobody waits. Ids stay unique by their upper half. Compiled
// code that is pending has stamps from before: too high ones, which send it here for nothing.
static void renumber(InputThread &T) {
  Renumbering R{T.Bottom, static_cast<uint32_t>(T.Top - T.Bottom) + 1};
  if (T.Bit)
    forEachTouched(
        FirstSlotWindow + T.Slot,
        [](void *Context, uint64_t Begin, uint64_t End) {
          for (auto *P = reinterpret_cast<uint32_t *>(Begin); word(P) < End; ++P)
            if (*P)
              *P = static_cast<Renumbering *>(Context)->of(*P);
        },
        &R);
  else
    T.Crowd.forEach([&R](CrowdAccess &A) { A.Stamp = R.of(A.Stamp); });
  for (uint32_t I = 0; I < R.Count; ++I)
    T.Bottom[I].Stamp = I + 1;
  T.Clock = R.Count;
  T.Generation += 1ull << 32;
}

/// False if the activation cannot be recorded.
static __attribute__((noinline, cold)) bool makeRoom(InputThread &T) {
  if (T.Top + 1 >= T.Limit) {
    ++T.Lost;
    return false;
  }
  if (T.Clock >= T.ClockLimit)
    renumber(T);
  return T.Clock < ~0u;
}

static __attribute__((noinline, cold)) Activation withoutRecord(InputThread *T) {
  if (!T)
    return {nobody(), NotRecorded};
  return {T, NotRecorded | T->Top->Stamp};
}

CAUSAL_INPUT_INTERFACE Activation __causal_input_enter(Routine *R) {
  InputThread *T = inputThread();
  if (__builtin_expect(!T, 0))
    return withoutRecord(nullptr);
  uint32_t Id = __atomic_load_n(&R->Id, __ATOMIC_RELAXED);
  if (__builtin_expect(!Id, 0) && !(Id = nameRoutine(*R)))
    return ++T->Lost, withoutRecord(T);
  if (__builtin_expect(T->Top + 1 >= T->Limit || T->Clock >= T->ClockLimit, 0) && !makeRoom(*T))
    return withoutRecord(T);
  if (RoutineTotal *Total = T->Points.total(Id))
    ++Total->Pending;
  // On top before it is filled: a handler that comes now has its own above it.
  Frame *F = ++T->Top;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  F->Stamp = ++T->Clock;
  F->Id = T->Generation | F->Stamp;
  F->Routine = Id;
  F->Input = 0;
  F->FromThreads = F->FromOutside = 0;
  F->Self = F->OfCallees = 0;
  return {T, F->Id};
}

bool __causal::endActivationsAbove(InputThread &T, uint64_t Id) {
  if (Id & NotRecorded)
    return false;
  while (T.Top > T.Bottom && T.Top->Id > Id)
    pop(T, 0);
  return T.Top > T.Bottom && T.Top->Id == Id;
}

CAUSAL_INPUT_INTERFACE void __causal_input_exit(uint64_t Id, uint64_t Cost) {
  InputThread *T = Self;
  if (!T)
    return;
  if (__builtin_expect(T->Top->Id == Id, 1) || endActivationsAbove(*T, Id))
    pop(*T, Cost);
}

CAUSAL_INPUT_INTERFACE void __causal_input_unwind(uint64_t Id) {
  if (InputThread *T = Self)
    endActivationsAbove(*T, Id);
}

// The activation may be left for good by the call that follows.
CAUSAL_INPUT_INTERFACE void __causal_input_add_cost(uint64_t Id, uint64_t Cost) {
  InputThread *T = Self;
  if (T && endActivationsAbove(*T, Id))
    T->Top->Self += Cost;
}

void __causal::endAllActivations(InputThread &T) {
  while (T.Top > T.Bottom)
    pop(T, 0);
}

void __causal::restartPoints(InputThread &T) {
  T.Points.clear();
  for (Frame *F = T.Bottom + 1; F <= T.Top; ++F)
    if (RoutineTotal *Total = T.Points.total(F->Routine))
      ++Total->Pending;
}

uint64_t __causal::pendingActivations(const InputThread &T) {
  return static_cast<uint64_t>(__atomic_load_n(&T.Top, __ATOMIC_RELAXED) - T.Bottom);
}

// For tests: what the calling thread's innermost activation has so far.
CAUSAL_INPUT_INTERFACE void __causal_input_query(int64_t *Out) {
  InputThread *T = Self;
  if (!T)
    return;
  Out[0] = T->Top->Input;
  Out[1] = static_cast<int64_t>(T->Top->FromThreads);
  Out[2] = static_cast<int64_t>(T->Top->FromOutside);
}
