//===- causal_openmp.cpp - LLVM's OpenMP as a source of waits ------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libomp tells a tool about its waits (OMPT, OpenMP 5.0 section 19), and asks for the
// tool by the name ompt_start_tool. It is told before a thread waits and after, and
// of forks and tasks; of the end of a critical section only when others may have it
// already, which is why causal_interceptors_openmp.cpp wraps that.
//
// A thread that waits here has paid, and so has every thread before it ends such a
// wait. So one object stands for all waits of OpenMP: the last that ended one had paid
// all there was to pay. The types are declared here since omp-tools.h comes with libomp.
//
//===----------------------------------------------------------------------===//
#include "intercept/causal_openmp.h"
#include "intercept/causal_interceptors.h"

using namespace __causal;

namespace {

using Callback = void (*)();
using Lookup = Callback (*)(const char *Name);
using SetCallback = int (*)(int Event, Callback Function);

struct StartToolResult {
  int (*Initialize)(Lookup Find, int Device, void *ToolData);
  void (*Finalize)(void *ToolData);
  uint64_t ToolData;
};

enum Event {
  ParallelBegin = 3,
  TaskCreate = 5,
  TaskSchedule = 6,
  ImplicitTask = 7,
  SyncRegion = 23,
  MutexAcquire = 26,
  MutexAcquired = 27,
};
enum Endpoint { Begin = 1, End = 2 };
enum TaskKind { TaskWait = 0x10 };
enum TaskStatus {
  Yields = 2,
  EarlyFulfill = 5,
  LateFulfill = 6,
  Switches = 7,
  TaskWaitComplete = 8,
};

} // namespace

static uintptr_t address(const void *Code) { return reinterpret_cast<uintptr_t>(Code); }

// libomp keeps a number with each region for us, 0 at first: where it is.
static void parallelBegin(void *, const void *, uint64_t *Region, unsigned, int, const void *Code) {
  beforeOpenMPWake();
  *Region = address(Code);
}

static void implicitTask(int Where, const uint64_t *Region, void *, unsigned, unsigned, int) {
  if (Where == Begin)
    afterOpenMPWait(Region ? *Region : 0);
}

// Who arrives may be who the others wait for. What comes behind is not what the region does.
static void syncRegion(int, int Where, void *, void *, const void *Code) {
  if (Where == Begin)
    beforeOpenMPWait();
  else if (Where == End)
    afterOpenMPWait(Code ? ~address(Code) : 0);
}

namespace {
/// The number that libomp keeps with each task for us, 0 at first.
struct TaskNote {
  static constexpr uint64_t Waited = 1;
  static uint64_t at(const void *Code) { return uint64_t(address(Code)) << 1; }
  static uintptr_t place(uint64_t Note) { return Note >> 1; }
};
} // namespace

// A wait for what a task depends on is told of as a task.
static void taskCreate(void *, const void *, uint64_t *Created, int Kind, int, const void *Code) {
  if (Created)
    *Created = TaskNote::at(Code);
  beforeOpenMPWait(Kind & TaskWait);
}

// A thread leaves one task, perhaps a wait in it, for another, or comes back.
static void taskSchedule(uint64_t *Left, int Status, uint64_t *Entered) {
  switch (Status) {
  case Yields: // Without a wait it owes as usual.
    beforeOpenMPWake();
    [[fallthrough]];
  case Switches:
    *Entered &= ~TaskNote::Waited;
    if (afterOpenMPWait(TaskNote::place(*Entered)))
      *Entered |= TaskNote::Waited;
    break;
  case TaskWaitComplete:
    afterOpenMPWait(0);
    break;
  case EarlyFulfill: // omp_fulfill_event() is wrapped, and called by any thread.
  case LateFulfill:
    break;
  default:
    beforeOpenMPWait(*Left & TaskNote::Waited);
  }
}

static void mutexAcquire(int, unsigned, unsigned, uint64_t, const void *) { beforeOpenMPWait(); }
static void mutexAcquired(int, uint64_t, const void *Code) { afterOpenMPWait(address(Code)); }

static int initialize(Lookup Find, int, void *) {
  auto Set = reinterpret_cast<SetCallback>(Find("ompt_set_callback"));
  if (!Set)
    return 0; // No tool, then; the waits are seen as spinning.
  Set(ParallelBegin, reinterpret_cast<Callback>(parallelBegin));
  Set(ImplicitTask, reinterpret_cast<Callback>(implicitTask));
  Set(SyncRegion, reinterpret_cast<Callback>(syncRegion));
  Set(TaskCreate, reinterpret_cast<Callback>(taskCreate));
  Set(TaskSchedule, reinterpret_cast<Callback>(taskSchedule));
  Set(MutexAcquire, reinterpret_cast<Callback>(mutexAcquire));
  Set(MutexAcquired, reinterpret_cast<Callback>(mutexAcquired));
  return 1;
}

static void finalize(void *) {}

static StartToolResult Tool = {initialize, finalize, 0};

// Called by libomp once, before its first region. Not for handlers. Weak: a program
// may be its own tool. When there is no run, another tool gets its chance.
CAUSAL_INTERFACE __attribute__((weak)) void *ompt_start_tool(unsigned Version,
                                                             const char *Runtime) {
  if (run().active())
    return &Tool;
  using StartTool = void *(*)(unsigned, const char *);
  auto Next = reinterpret_cast<StartTool>(dlsym(RTLD_NEXT, "ompt_start_tool"));
  return Next ? Next(Version, Runtime) : nullptr;
}
