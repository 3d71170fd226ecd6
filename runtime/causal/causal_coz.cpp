//===- causal_coz.cpp - What coz.h and causal.h call ----------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Entry points for progress points and for synchronisation that the program makes
// itself. coz.h finds its functions by dlsym in the program's dynamic symbols.
//
//===----------------------------------------------------------------------===//
#include "base/causal_interface.h"
#include "causal/causal_atomics.h"
#include "causal/experiment/causal_progress.h"

using namespace __causal;

CAUSAL_INTERFACE causal_counter *__causal_get_counter(int Kind, const char *Name) {
  return getCounter(Kind, Name);
}

CAUSAL_INTERFACE causal_counter *_coz_get_counter(int Kind, const char *Name) {
  return getCounter(Kind, Name);
}

CAUSAL_INTERFACE void __causal_before_wake(const void *Object) { beforeWake(Object); }

CAUSAL_INTERFACE void __causal_before_wait() { beforeBlock(); }

CAUSAL_INTERFACE void __causal_after_wait(const void *Object, int Woken) {
  afterBlock(reinterpret_cast<uintptr_t>(Object), Woken != 0);
}

CAUSAL_INTERFACE void __causal_before_spin() { beforeSpin(); }

CAUSAL_INTERFACE void __causal_spin() { spin(); }

CAUSAL_INTERFACE void __causal_spun() {
  spun(reinterpret_cast<uintptr_t>(__builtin_return_address(0)));
}

CAUSAL_INTERFACE void __causal_before_store() {
  beforeStore(reinterpret_cast<uintptr_t>(__builtin_return_address(0)));
}

CAUSAL_INTERFACE void __causal_before_update() {
  beforeUpdate(reinterpret_cast<uintptr_t>(__builtin_return_address(0)));
}

CAUSAL_INTERFACE void __causal_before_dispatch(const void *Function) {
  beforeDispatch(reinterpret_cast<uintptr_t>(Function));
}

CAUSAL_INTERFACE void _coz_add_delays() { beforeTry(); }

CAUSAL_INTERFACE void _coz_pre_block() { beforeBlock(); }

// coz.h does not say who woke the thread: with SkipDelays it was one of ours.
CAUSAL_INTERFACE void _coz_post_block(int SkipDelays) {
  afterBlock(0, /*Woken=*/false);
  if (CausalThread *T = causalThread())
    if (SkipDelays)
      T->Delay.credit(run().Scheduler.Delays.total());
}
