//===- causal_descriptors.cpp - Who wakes whom through descriptors --------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See causal_descriptors.h. Each entry of the table is one word; threads that change
// the same one at once race as their system calls do.
//
//===----------------------------------------------------------------------===//
#include "intercept/causal_descriptors.h"

using namespace __causal;

[[clang::require_constant_initialization]] Descriptors __causal::TheDescriptors;

static uint64_t word(Descriptor D) { return static_cast<uint64_t>(D.Out) << 32 | D.In; }

void Descriptors::count(Descriptor D, int32_t Change) {
  if (D.In)
    __atomic_fetch_add(&Ends[D.In % CountsSize].Readers, Change, __ATOMIC_RELAXED);
  if (D.Out)
    __atomic_fetch_add(&Ends[D.Out % CountsSize].Writers, Change, __ATOMIC_RELAXED);
}

void Descriptors::set(int Fd, Descriptor D) {
  if (static_cast<unsigned>(Fd) >= Limit)
    return;
  // Entries that stay as they are stay untouched: most of the table is never mapped.
  if (__atomic_load_n(&Table[Fd], __ATOMIC_RELAXED) == word(D))
    return;
  count(D, 1);
  uint64_t Before = __atomic_exchange_n(&Table[Fd], word(D), __ATOMIC_RELAXED);
  count({static_cast<Channel>(Before), static_cast<Channel>(Before >> 32)}, -1);
  noteKnown(Fd);
}

void Descriptors::noteKnown(int Fd) {
  int Seen = end();
  while (Seen <= Fd && !__atomic_compare_exchange_n(&End, &Seen, Fd + 1, /*weak=*/true,
                                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

void Descriptors::forgetRange(unsigned First, unsigned Last) {
  if (!used())
    return;
  for (unsigned Fd = First; Fd <= Last && Fd < Limit; ++Fd)
    forget(static_cast<int>(Fd));
}

Channel Descriptors::newChannel() {
  Channel C;
  do
    C = __atomic_add_fetch(&LastChannel, 1, __ATOMIC_RELAXED) % HashedChannels;
  while (!C);
  return C;
}

Channel Descriptors::epollChannel(int Fd) {
  if (static_cast<unsigned>(Fd) >= Limit)
    return 0;
  uint64_t Seen = __atomic_load_n(&Table[Fd], __ATOMIC_RELAXED);
  if (!Seen) {
    uint64_t Made = word({newChannel(), 0});
    noteKnown(Fd);
    if (__atomic_compare_exchange_n(&Table[Fd], &Seen, Made, /*weak=*/false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED)) {
      Seen = Made;
      // Who publishes on what it watches is no descriptor of it.
      count({static_cast<Channel>(Made), static_cast<Channel>(Made)}, 1);
    }
  }
  return static_cast<Channel>(Seen);
}

void Descriptors::watch(uintptr_t Object, Channel Epoll) {
  uint64_t New = static_cast<uint64_t>(Object) << 32 | Epoll;
  uint64_t *B = Watchers[bucketIndex(Object)];
  uint64_t *Free = nullptr;
  for (unsigned I = 0; I < BucketSize; ++I) {
    uint64_t Seen = __atomic_load_n(&B[I], __ATOMIC_RELAXED);
    if (Seen == New)
      return;
    if (!Seen && !Free)
      Free = &B[I];
  }
  if (!Free) { // Drop the first, which is the oldest unless some were unwatched.
    for (unsigned I = 0; I + 1 < BucketSize; ++I)
      __atomic_store_n(&B[I], __atomic_load_n(&B[I + 1], __ATOMIC_RELAXED), __ATOMIC_RELAXED);
    Free = &B[BucketSize - 1];
  }
  __atomic_store_n(Free, New, __ATOMIC_RELAXED);
}

void Descriptors::unwatch(uintptr_t Object, Channel Epoll) {
  uint64_t Old = static_cast<uint64_t>(Object) << 32 | Epoll;
  for (uint64_t &W : Watchers[bucketIndex(Object)]) {
    uint64_t Seen = Old;
    __atomic_compare_exchange_n(&W, &Seen, 0, /*weak=*/false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  }
}

void Descriptors::setSignals(Channel C, uint64_t Mask) {
  constexpr unsigned Count = sizeof(Signals) / sizeof(Signals[0]);
  SignalChannel *Entry = nullptr;
  for (SignalChannel &S : Signals)
    if (S.C == C || (!S.C && !Entry))
      Entry = &S;
  if (!Entry)
    Entry = &Signals[C % Count];
  if (Entry->C != C)
    count({0, C}, 1); // Whoever sends signals.
  __atomic_store_n(&Entry->Mask, Mask, __ATOMIC_RELAXED);
  __atomic_store_n(&Entry->C, C, __ATOMIC_RELEASE);
}
