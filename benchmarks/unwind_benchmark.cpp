//===- unwind_benchmark.cpp - From a sample in libc to the program --------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a sample in code that was not instrumented costs: a signal interrupts
// libc, and in its handler the frames are left one by one until one of this
// program is reached. With rules from the cache, with rules worked out anew,
// and by libgcc.
//
//===----------------------------------------------------------------------===//
#include "code/causal_unwind.h"

#include <benchmark/benchmark.h>

#include <csignal>
#include <cstring>
#include <dlfcn.h>
#include <pthread.h>
#include <ucontext.h>
#include <unwind.h>

using namespace __causal;

extern "C" char __executable_start, etext;

namespace {

benchmark::State *Current;
void (*Measure)(benchmark::State &, const UnwindRegisters &);
uintptr_t StackHigh;

bool isProgram(uintptr_t PC) {
  return PC >= reinterpret_cast<uintptr_t>(&__executable_start) &&
         PC < reinterpret_cast<uintptr_t>(&etext);
}

/// Leaves frames until one of this program; false if there is none.
bool stepToProgram(UnwindRegisters R, UnwindCache &Cache) {
  while (!isProgram(R.lookupPC()))
    if (!unwindStep(R, R.SP, StackHigh, Cache))
      return false;
  return true;
}

void onSignal(int, siginfo_t *, void *Context) {
  UnwindRegisters R(*static_cast<ucontext_t *>(Context));
  Measure(*Current, R);
}

void interrupted(benchmark::State &State,
                 void (*Function)(benchmark::State &, const UnwindRegisters &)) {
  pthread_attr_t Attributes;
  void *Low = nullptr;
  size_t Size = 0;
  if (pthread_getattr_np(pthread_self(), &Attributes) == 0) {
    pthread_attr_getstack(&Attributes, &Low, &Size);
    pthread_attr_destroy(&Attributes);
  }
  StackHigh = reinterpret_cast<uintptr_t>(Low) + Size;
  unwindRefreshModules();
  Current = &State;
  Measure = Function;
  struct sigaction Action = {};
  Action.sa_sigaction = onSignal;
  Action.sa_flags = SA_SIGINFO;
  sigaction(SIGUSR1, &Action, nullptr);
  raise(SIGUSR1);
}

void stepWithCache(benchmark::State &State, const UnwindRegisters &R) {
  static UnwindCache Cache;
  for (auto _ : State)
    if (!stepToProgram(R, Cache))
      State.SkipWithError("no frame of the program was found");
}

void stepWithoutCache(benchmark::State &State, const UnwindRegisters &R) {
  // Each cache is used once before all are emptied, outside the measured time.
  constexpr size_t Count = 64;
  static UnwindCache Caches[Count];
  size_t Next = Count;
  for (auto _ : State) {
    if (Next == Count) {
      State.PauseTiming();
      memset(Caches, 0, sizeof(Caches));
      Next = 0;
      State.ResumeTiming();
    }
    if (!stepToProgram(R, Caches[Next++]))
      State.SkipWithError("no frame of the program was found");
  }
}

void stepByLibgcc(benchmark::State &State, const UnwindRegisters &R) {
  struct Walk {
    uintptr_t Interrupted;
    bool Seen, Found;
  };
  for (auto _ : State) {
    Walk W = {R.PC, false, false};
    _Unwind_Backtrace(
        [](_Unwind_Context *Context, void *Argument) {
          Walk &W = *static_cast<Walk *>(Argument);
          uintptr_t PC = _Unwind_GetIP(Context);
          W.Seen |= PC == W.Interrupted;
          W.Found = W.Seen && isProgram(PC);
          return W.Found ? _URC_END_OF_STACK : _URC_NO_REASON;
        },
        &W);
    if (!W.Found)
      State.SkipWithError("no frame of the program was found");
  }
}

void BM_Step_Cached(benchmark::State &State) {
  unwindSetFindObject(nullptr);
  interrupted(State, stepWithCache);
}
BENCHMARK(BM_Step_Cached);

void BM_Step_Uncached_FindObject(benchmark::State &State) {
  void *FindObject = dlsym(RTLD_DEFAULT, "_dl_find_object");
  if (!FindObject)
    return State.SkipWithError("this libc has no _dl_find_object");
  unwindSetFindObject(FindObject);
  interrupted(State, stepWithoutCache);
}
BENCHMARK(BM_Step_Uncached_FindObject);

void BM_Step_Uncached_Table(benchmark::State &State) {
  unwindSetFindObject(nullptr);
  interrupted(State, stepWithoutCache);
}
BENCHMARK(BM_Step_Uncached_Table);

void BM_Libgcc(benchmark::State &State) { interrupted(State, stepByLibgcc); }
BENCHMARK(BM_Libgcc);

} // namespace

BENCHMARK_MAIN();
