// The same by GCC's library. GCC compiles the part with OpenMP in it, and knows nothing of
// the profiler.
// REQUIRES: gcc-openmp
// RUN: rm -f %t.*.causal
// RUN: %gcc -O1 -fopenmp -c %s -o %t.o
// RUN: %causal_clang -fcausal-profile -O1 %s %t.o -lgomp -o %t
// RUN: env OMP_WAIT_POLICY=passive CAUSAL_OPTIONS="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.barrier.causal" %t barrier
// RUN: env OMP_WAIT_POLICY=passive CAUSAL_OPTIONS="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.cancellable.causal" %t cancellable
// RUN: env OMP_WAIT_POLICY=passive CAUSAL_OPTIONS="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.for.causal" %t for
// RUN: env OMP_WAIT_POLICY=passive CAUSAL_OPTIONS="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.copyprivate.causal" %t copyprivate
// RUN: env OMP_WAIT_POLICY=passive CAUSAL_OPTIONS="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.critical.causal" %t critical
// RUN: env OMP_WAIT_POLICY=passive CAUSAL_OPTIONS="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.lock.causal" %t lock
// RUN: env OMP_WAIT_POLICY=passive CAUSAL_OPTIONS="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.taskwait.causal" %t taskwait
// RUN: env OMP_WAIT_POLICY=passive CAUSAL_OPTIONS="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.taskgroup.causal" %t taskgroup
// RUN: env OMP_WAIT_POLICY=passive CAUSAL_OPTIONS="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.task-at-barrier.causal" %t task-at-barrier
// RUN: env OMP_WAIT_POLICY=passive CAUSAL_OPTIONS="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.depend.causal" %t depend
// RUN: env OMP_WAIT_POLICY=passive CAUSAL_OPTIONS="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.taskloop.causal" %t taskloop
// RUN: env OMP_WAIT_POLICY=passive CAUSAL_OPTIONS="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.detach.causal" %t detach
// RUN: %python %S/Inputs/credited.py %t.barrier.causal %t.cancellable.causal %t.for.causal %t.copyprivate.causal %t.critical.causal %t.lock.causal
// RUN: %python %S/Inputs/credited.py %t.taskwait.causal %t.taskgroup.causal %t.task-at-barrier.causal %t.depend.causal %t.taskloop.causal %t.detach.causal
#ifdef _OPENMP
enum { Rounds = 40 };
void workForGCC(void);
#define workNow workForGCC
#include "Inputs/openmp.h"
#else
#include "Inputs/handover.h"
void workForGCC(void) { workNow(); }
#endif
// SERIAL: its threads are to run when they want to.
