//===- causal_interceptors_openmp.cpp - OpenMP libraries from outside ----===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libgomp waits by a system call instruction of its own, so its entry points are
// wrapped: forks and joins, barriers, critical sections, locks and tasks. Not the ordered
// loops' hand-over: there the waiter owes as usual. Of libomp only critical sections are
// here, causal_openmp.cpp knows the rest.
//
// A program need not have any OpenMP library, so these are not in static programs,
// where the functions themselves would have to be there.
//
//===----------------------------------------------------------------------===//
#include "intercept/causal_interceptors.h"
#include "intercept/causal_openmp.h"

#ifndef CAUSAL_STATIC

using namespace __causal;

// A plugin that was loaded RTLD_LOCAL keeps its OpenMP to itself.
static void *findInOpenMP(const char *Name) {
  static const char *const Libraries[] = {"libgomp.so.1", "libomp.so.5", "libomp.so",
                                          "libiomp5.so"};
  void *Found = dlsym(RTLD_NEXT, Name);
  for (const char *Library : Libraries)
    if (void *Handle = Found ? nullptr : dlopen(Library, RTLD_LAZY | RTLD_NOLOAD)) {
      Found = dlsym(Handle, Name);
      dlclose(Handle);
    }
  return Found;
}
#undef CAUSAL_FIND
#define CAUSAL_FIND(Name) findInOpenMP(Name)

#define CAUSAL_OPENMP(Return, Name, Params, Args)                                                  \
  CAUSAL_REAL(Return, Name, Params, Args)                                                          \
  CAUSAL_INTERFACE __attribute__((weak)) Return interposed_##Name Params __asm__(#Name);           \
  CAUSAL_INTERFACE __attribute__((weak)) Return interposed_##Name Params

//===-- Ends of critical sections -----------------------------------------===//

#define CAUSAL_OPENMP_WAKE(Name, Params, Args)                                                     \
  CAUSAL_OPENMP(void, Name, Params, Args) {                                                        \
    beforeOpenMPWake();                                                                            \
    real_##Name Args;                                                                              \
  }

CAUSAL_OPENMP_WAKE(__kmpc_end_ordered, (void *At, int Id), (At, Id))
CAUSAL_OPENMP_WAKE(__kmpc_end_reduce, (void *At, int Id, void *Lock), (At, Id, Lock))
CAUSAL_OPENMP_WAKE(__kmpc_end_reduce_nowait, (void *At, int Id, void *Lock), (At, Id, Lock))
CAUSAL_OPENMP_WAKE(GOMP_ordered_end, (), ())

#define CAUSAL_OPENMP_UNLOCK(Name, Params, Args, Lock)                                             \
  CAUSAL_OPENMP(void, Name, Params, Args) {                                                        \
    beforeOpenMPWake();                                                                            \
    leaveSection(Lock);                                                                            \
    real_##Name Args;                                                                              \
  }

CAUSAL_OPENMP_UNLOCK(__kmpc_end_critical, (void *At, int Id, void *Section), (At, Id, Section),
                     Section)
CAUSAL_OPENMP_UNLOCK(omp_unset_lock, (void *Lock), (Lock), Lock)
CAUSAL_OPENMP_UNLOCK(omp_unset_nest_lock, (void *Lock), (Lock), Lock)
static int Unnamed; // Stands for the lock of critical sections without a name.
CAUSAL_OPENMP_UNLOCK(GOMP_critical_end, (), (), &Unnamed)
CAUSAL_OPENMP_UNLOCK(GOMP_critical_name_end, (void **Section), (Section), Section)

// And of tasks that end by an event.
CAUSAL_OPENMP_WAKE(omp_fulfill_event, (uintptr_t Event), (Event))

//===-- Waits in libgomp --------------------------------------------------===//

using Body = void (*)(void *);

static uintptr_t address(void *Code) { return reinterpret_cast<uintptr_t>(Code); }
static uintptr_t address(Body Work) { return reinterpret_cast<uintptr_t>(Work); }

namespace {
struct MayWait {
  /// PC: where the program's call returns to.
  explicit MayWait(void *PC, bool Waits = true) : Place(address(PC)), Waits(Waits) {
    beforeOpenMPWait(Waits);
  }
  ~MayWait() {
    if (Waits)
      afterOpenMPWait(Place);
  }
  const uintptr_t Place;
  const bool Waits;
};
} // namespace

#define CAUSAL_OPENMP_WAIT(Return, Name, Params, Args)                                             \
  CAUSAL_OPENMP(Return, Name, Params, Args) {                                                      \
    MayWait Here(__builtin_return_address(0));                                                     \
    return real_##Name Args;                                                                       \
  }

CAUSAL_OPENMP_WAIT(void, GOMP_barrier, (), ())
CAUSAL_OPENMP_WAIT(bool, GOMP_barrier_cancel, (), ())
CAUSAL_OPENMP_WAIT(void, GOMP_loop_end, (), ())
CAUSAL_OPENMP_WAIT(bool, GOMP_loop_end_cancel, (), ())
CAUSAL_OPENMP_WAIT(void, GOMP_sections_end, (), ())
CAUSAL_OPENMP_WAIT(bool, GOMP_sections_end_cancel, (), ())
CAUSAL_OPENMP_WAIT(void *, GOMP_single_copy_start, (), ())
CAUSAL_OPENMP_WAIT(void, GOMP_single_copy_end, (void *Data), (Data))
CAUSAL_OPENMP_WAIT(void, GOMP_workshare_task_reduction_unregister, (bool Cancelled), (Cancelled))
CAUSAL_OPENMP_WAIT(void, GOMP_ordered_start, (), ())
CAUSAL_OPENMP_WAIT(void, GOMP_taskwait, (), ())
CAUSAL_OPENMP_WAIT(void, GOMP_taskwait_depend, (void **Depend), (Depend))
CAUSAL_OPENMP_WAIT(void, GOMP_taskgroup_end, (), ())

#define CAUSAL_OPENMP_LOCK(Name, Params, Args, Lock)                                               \
  CAUSAL_OPENMP(void, Name, Params, Args) {                                                        \
    {                                                                                              \
      MayWait Here(__builtin_return_address(0));                                                   \
      real_##Name Args;                                                                            \
    }                                                                                              \
    enterSection(Lock);                                                                            \
  }

CAUSAL_OPENMP_LOCK(omp_set_lock, (void *Lock), (Lock), Lock)
CAUSAL_OPENMP_LOCK(omp_set_nest_lock, (void *Lock), (Lock), Lock)
CAUSAL_OPENMP_LOCK(GOMP_critical_start, (), (), &Unnamed)
CAUSAL_OPENMP_LOCK(GOMP_critical_name_start, (void **Section), (Section), Section)

//===-- Locks in libomp, and locks that are only tried --------------------===//

CAUSAL_OPENMP(void, __kmpc_critical, (void *At, int Id, void *Section), (At, Id, Section)) {
  real___kmpc_critical(At, Id, Section);
  enterSection(Section);
}
CAUSAL_OPENMP(void, __kmpc_critical_with_hint, (void *At, int Id, void *Section, unsigned Hint),
              (At, Id, Section, Hint)) {
  real___kmpc_critical_with_hint(At, Id, Section, Hint);
  enterSection(Section);
}

#define CAUSAL_OPENMP_TEST_LOCK(Name)                                                              \
  CAUSAL_OPENMP(int, Name, (void *Lock), (Lock)) {                                                 \
    int HasIt = real_##Name(Lock);                                                                 \
    if (HasIt)                                                                                     \
      enterSection(Lock);                                                                          \
    return HasIt;                                                                                  \
  }

CAUSAL_OPENMP_TEST_LOCK(omp_test_lock)
CAUSAL_OPENMP_TEST_LOCK(omp_test_nest_lock)

//===-- Tasks in libgomp --------------------------------------------------===//
//
// libgomp runs tasks in the midst of waits, and who ends one may end another's wait. To
// be told of both, each function of a task gets a stand-in here, which libgomp calls in
// its place. So nothing changes for the task's data: copied or not, they are where
// libgomp put them.

constexpr unsigned MaxTasks = 256;
static Body Tasks[MaxTasks];

static void runTask(Body Work, void *Data) {
  bool Waited = afterOpenMPWait(address(Work));
  Work(Data);
  beforeOpenMPWait(Waited);
}

namespace {
template <typename Index, Index... Slots> struct StandIns {
  template <Index Slot> static void run(void *Data) {
    runTask(__atomic_load_n(&Tasks[Slot], __ATOMIC_RELAXED), Data);
  }
  static constexpr Body At[] = {run<Slots>...};
};
} // namespace

// Work itself, and nothing changes, if there are too many.
static Body standIn(Body Work) {
  constexpr unsigned Probes = 32;
  unsigned Slot = reinterpret_cast<uintptr_t>(Work) * 0x9e3779b97f4a7c15 >> 32;
  for (unsigned I = 0; I < Probes; ++I) {
    Slot = (Slot + 1) % MaxTasks;
    Body Known = __atomic_load_n(&Tasks[Slot], __ATOMIC_RELAXED);
    if (!Known && __atomic_compare_exchange_n(&Tasks[Slot], &Known, Work, false, __ATOMIC_RELAXED,
                                              __ATOMIC_RELAXED))
      Known = Work;
    if (Known == Work)
      return __make_integer_seq<StandIns, unsigned, MaxTasks>::At[Slot];
  }
  return Work;
}

// Callers of before GCC 11 pass fewer arguments, and the library does not look at more.
// A task that is not to be deferred waits for those that it depends on; without a stand-in
// it would itself be taken for a part of the wait.
CAUSAL_OPENMP(void, GOMP_task,
              (Body Work, void *Data, void (*Copy)(void *, void *), long Size, long Align,
               bool Defers, unsigned Flags, void **Depend, int Priority, void *Detach),
              (Work, Data, Copy, Size, Align, Defers, Flags, Depend, Priority, Detach)) {
  Body Runs = standIn(Work);
  MayWait Here(__builtin_return_address(0), !Defers && Runs != Work);
  real_GOMP_task(Runs, Data, Copy, Size, Align, Defers, Flags, Depend, Priority, Detach);
}

// They wait for their tasks, unless told not to.
#define CAUSAL_OPENMP_TASKLOOP(Name, Integer)                                                      \
  CAUSAL_OPENMP(void, Name,                                                                        \
                (Body Work, void *Data, void (*Copy)(void *, void *), long Size, long Align,       \
                 unsigned Flags, unsigned long Tasks, int Priority, Integer Start, Integer End,    \
                 Integer Step),                                                                    \
                (Work, Data, Copy, Size, Align, Flags, Tasks, Priority, Start, End, Step)) {       \
    Body Runs = standIn(Work);                                                                     \
    MayWait Here(__builtin_return_address(0), Runs != Work);                                       \
    real_##Name(Runs, Data, Copy, Size, Align, Flags, Tasks, Priority, Start, End, Step);          \
  }
CAUSAL_OPENMP_TASKLOOP(GOMP_taskloop, long)
CAUSAL_OPENMP_TASKLOOP(GOMP_taskloop_ull, unsigned long long)

//===-- Parallel regions in libgomp ---------------------------------------===//

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
  afterOpenMPWait(address(R.Work));
  R.Work(R.Data);
  beforeOpenMPWait();
}

#define CAUSAL_OPENMP_REGION(Return, Name, Params, Args)                                           \
  CAUSAL_OPENMP(Return, Name, Params, Args) {                                                      \
    Region R = {Work, Data};                                                                       \
    Work = runRegion;                                                                              \
    Data = &R;                                                                                     \
    beforeOpenMPWake();                                                                            \
    struct Joined {                                                                                \
      uintptr_t Place;                                                                             \
      ~Joined() { afterOpenMPWait(Place); }                                                        \
    } AfterJoin = {~address(R.Work)};                                                              \
    return real_##Name Args;                                                                       \
  }

CAUSAL_OPENMP_REGION(void, GOMP_parallel, (Body Work, void *Data, unsigned Threads, unsigned Flags),
                     (Work, Data, Threads, Flags))
CAUSAL_OPENMP_REGION(unsigned, GOMP_parallel_reductions,
                     (Body Work, void *Data, unsigned Threads, unsigned Flags),
                     (Work, Data, Threads, Flags))
CAUSAL_OPENMP_REGION(void, GOMP_parallel_sections,
                     (Body Work, void *Data, unsigned Threads, unsigned Count, unsigned Flags),
                     (Work, Data, Threads, Count, Flags))

#define CAUSAL_OPENMP_LOOP(Name)                                                                   \
  CAUSAL_OPENMP_REGION(void, Name,                                                                 \
                       (Body Work, void *Data, unsigned Threads, long Start, long End, long Step,  \
                        long Chunk, unsigned Flags),                                               \
                       (Work, Data, Threads, Start, End, Step, Chunk, Flags))
#define CAUSAL_OPENMP_RUNTIME_LOOP(Name)                                                           \
  CAUSAL_OPENMP_REGION(                                                                            \
      void, Name,                                                                                  \
      (Body Work, void *Data, unsigned Threads, long Start, long End, long Step, unsigned Flags),  \
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
