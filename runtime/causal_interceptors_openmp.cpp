//===- causal_interceptors_openmp.cpp - OpenMP libraries from outside ----===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libgomp waits by a system call instruction of its own, so its entry points are
// wrapped: forks and joins, barriers, critical sections and locks. Not its tasks and
// not the ordered loops' hand-over: there the waiter owes as usual. Of libomp only the
// ends of critical sections are here, causal_openmp.cpp knows the rest.
//
// A program need not have any OpenMP library, so these are not in static programs,
// where the functions themselves would have to be there.
//
//===----------------------------------------------------------------------===//
#include "causal_interceptors.h"
#include "causal_openmp.h"

#ifndef CAUSAL_STATIC

using namespace __causal;

#define CAUSAL_OPENMP(Return, Name, Params, Args)                              \
  CAUSAL_REAL(Return, Name, Params, Args)                                      \
  CAUSAL_INTERFACE __attribute__((weak))                                       \
  Return interposed_##Name Params __asm__(#Name);                              \
  CAUSAL_INTERFACE __attribute__((weak)) Return interposed_##Name Params

//===-- Ends of critical sections -----------------------------------------===//

#define CAUSAL_OPENMP_WAKE(Name, Params, Args)                                 \
  CAUSAL_OPENMP(void, Name, Params, Args) {                                    \
    beforeOpenMPWake();                                                        \
    real_##Name Args;                                                          \
  }

CAUSAL_OPENMP_WAKE(__kmpc_end_critical, (void *At, int Id, void *Section),
                   (At, Id, Section))
CAUSAL_OPENMP_WAKE(__kmpc_end_ordered, (void *At, int Id), (At, Id))
CAUSAL_OPENMP_WAKE(__kmpc_end_reduce, (void *At, int Id, void *Lock),
                   (At, Id, Lock))
CAUSAL_OPENMP_WAKE(__kmpc_end_reduce_nowait, (void *At, int Id, void *Lock),
                   (At, Id, Lock))
CAUSAL_OPENMP_WAKE(omp_unset_lock, (void *Lock), (Lock))
CAUSAL_OPENMP_WAKE(omp_unset_nest_lock, (void *Lock), (Lock))
CAUSAL_OPENMP_WAKE(GOMP_critical_end, (), ())
CAUSAL_OPENMP_WAKE(GOMP_critical_name_end, (void **Section), (Section))
CAUSAL_OPENMP_WAKE(GOMP_ordered_end, (), ())
// And of tasks that end by an event.
CAUSAL_OPENMP_WAKE(omp_fulfill_event, (uintptr_t Event), (Event))

//===-- Waits in libgomp --------------------------------------------------===//

#define CAUSAL_OPENMP_WAIT(Name, Params, Args)                                 \
  CAUSAL_OPENMP(void, Name, Params, Args) {                                    \
    beforeOpenMPWait();                                                        \
    real_##Name Args;                                                          \
    afterOpenMPWait();                                                         \
  }

CAUSAL_OPENMP_WAIT(omp_set_lock, (void *Lock), (Lock))
CAUSAL_OPENMP_WAIT(omp_set_nest_lock, (void *Lock), (Lock))
CAUSAL_OPENMP_WAIT(GOMP_barrier, (), ())
CAUSAL_OPENMP_WAIT(GOMP_critical_start, (), ())
CAUSAL_OPENMP_WAIT(GOMP_critical_name_start, (void **Section), (Section))
CAUSAL_OPENMP_WAIT(GOMP_loop_end, (), ())
CAUSAL_OPENMP_WAIT(GOMP_sections_end, (), ())
CAUSAL_OPENMP_WAIT(GOMP_ordered_start, (), ())

//===-- Parallel regions in libgomp ---------------------------------------===//

using Body = void (*)(void *);
namespace {
struct Region {
  Body Work;
  void *Data;
};
} // namespace

// In each thread of the team. Afterwards it waits for the others, and those of the
// pool for the next region.
static void runRegion(void *Argument) {
  Region R = *static_cast<Region *>(Argument);
  afterOpenMPWait();
  R.Work(R.Data);
  beforeOpenMPWait();
}

#define CAUSAL_OPENMP_REGION(Return, Name, Params, Args)                       \
  CAUSAL_OPENMP(Return, Name, Params, Args) {                                  \
    Region R = {Work, Data};                                                   \
    Work = runRegion;                                                          \
    Data = &R;                                                                 \
    beforeOpenMPWake();                                                        \
    struct Joined {                                                            \
      ~Joined() { afterOpenMPWait(); }                                         \
    } AfterJoin;                                                               \
    return real_##Name Args;                                                   \
  }

CAUSAL_OPENMP_REGION(void, GOMP_parallel,
                     (Body Work, void *Data, unsigned Threads, unsigned Flags),
                     (Work, Data, Threads, Flags))
CAUSAL_OPENMP_REGION(unsigned, GOMP_parallel_reductions,
                     (Body Work, void *Data, unsigned Threads, unsigned Flags),
                     (Work, Data, Threads, Flags))
CAUSAL_OPENMP_REGION(void, GOMP_parallel_sections,
                     (Body Work, void *Data, unsigned Threads, unsigned Count,
                      unsigned Flags),
                     (Work, Data, Threads, Count, Flags))

#define CAUSAL_OPENMP_LOOP(Name)                                               \
  CAUSAL_OPENMP_REGION(void, Name,                                             \
                       (Body Work, void *Data, unsigned Threads, long Start,   \
                        long End, long Step, long Chunk, unsigned Flags),      \
                       (Work, Data, Threads, Start, End, Step, Chunk, Flags))
#define CAUSAL_OPENMP_RUNTIME_LOOP(Name)                                       \
  CAUSAL_OPENMP_REGION(void, Name,                                             \
                       (Body Work, void *Data, unsigned Threads, long Start,   \
                        long End, long Step, unsigned Flags),                  \
                       (Work, Data, Threads, Start, End, Step, Flags))

CAUSAL_OPENMP_LOOP(GOMP_parallel_loop_static)
CAUSAL_OPENMP_LOOP(GOMP_parallel_loop_dynamic)
CAUSAL_OPENMP_LOOP(GOMP_parallel_loop_guided)
CAUSAL_OPENMP_LOOP(GOMP_parallel_loop_nonmonotonic_dynamic)
CAUSAL_OPENMP_LOOP(GOMP_parallel_loop_nonmonotonic_guided)
CAUSAL_OPENMP_RUNTIME_LOOP(GOMP_parallel_loop_runtime)
CAUSAL_OPENMP_RUNTIME_LOOP(GOMP_parallel_loop_nonmonotonic_runtime)
CAUSAL_OPENMP_RUNTIME_LOOP(GOMP_parallel_loop_maybe_nonmonotonic_runtime)

#endif // CAUSAL_STATIC
