// A thread pays nothing for what another did while it waited for it in OpenMP, by
// LLVM's library. Threads that sleep at once are not woken for tasks.
// REQUIRES: openmp
// RUN: rm -f %t.*.causal
// RUN: %causal_clang -fcausal-profile -O1 -fopenmp %s -o %t
// RUN: env KMP_BLOCKTIME=0 CAUSAL_OPTIONS="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.barrier.causal" %t barrier
// RUN: env KMP_BLOCKTIME=0 CAUSAL_OPTIONS="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.cancellable.causal" %t cancellable
// RUN: env KMP_BLOCKTIME=0 CAUSAL_OPTIONS="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.for.causal" %t for
// RUN: env KMP_BLOCKTIME=0 CAUSAL_OPTIONS="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.copyprivate.causal" %t copyprivate
// RUN: env KMP_BLOCKTIME=0 CAUSAL_OPTIONS="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.critical.causal" %t critical
// RUN: env KMP_BLOCKTIME=0 CAUSAL_OPTIONS="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.lock.causal" %t lock
// RUN: env KMP_BLOCKTIME=infinite CAUSAL_OPTIONS="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.taskwait.causal" %t taskwait
// RUN: env KMP_BLOCKTIME=infinite CAUSAL_OPTIONS="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.taskgroup.causal" %t taskgroup
// RUN: env KMP_BLOCKTIME=infinite CAUSAL_OPTIONS="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.task-at-barrier.causal" %t task-at-barrier
// RUN: env KMP_BLOCKTIME=infinite CAUSAL_OPTIONS="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.depend.causal" %t depend
// RUN: env KMP_BLOCKTIME=infinite CAUSAL_OPTIONS="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.taskloop.causal" %t taskloop
// RUN: env KMP_BLOCKTIME=infinite CAUSAL_OPTIONS="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.detach.causal" %t detach
// RUN: %python %S/Inputs/credited.py %t.barrier.causal %t.cancellable.causal %t.for.causal %t.copyprivate.causal %t.critical.causal %t.lock.causal
// RUN: %python %S/Inputs/credited.py %t.taskwait.causal %t.taskgroup.causal %t.task-at-barrier.causal %t.depend.causal %t.taskloop.causal %t.detach.causal
#include "Inputs/handover.h"
#include "Inputs/openmp.h"
// SERIAL: its threads are to run when they want to.
