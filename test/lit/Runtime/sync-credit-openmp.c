// A thread pays nothing for what another did while it waited for it in OpenMP, by
// LLVM's library. Its threads are to sleep at once, so that the test can see them wait.
// REQUIRES: openmp
// RUN: rm -f %t.*.causal
// RUN: %causal_clang -fcausal-profile -O1 -fopenmp %s -o %t
// RUN: env KMP_BLOCKTIME=0 CAUSAL_OPTIONS="fixed_line='handover.h:30':fixed_speedup=100:experiment_ms=20:output=%t.barrier.causal" %t barrier
// RUN: env KMP_BLOCKTIME=0 CAUSAL_OPTIONS="fixed_line='handover.h:30':fixed_speedup=100:experiment_ms=20:output=%t.for.causal" %t for
// RUN: %python %S/Inputs/credited.py %t.barrier.causal %t.for.causal
#include "Inputs/handover.h"
#include <omp.h>
#include <string.h>

static void barrier(void) {
#pragma omp parallel num_threads(2)
  for (int I = 0; I < Rounds; ++I) {
    if (omp_get_thread_num() == 1)
      work();
#pragma omp barrier
  }
}

static void parallelFor(void) {
  for (int I = 0; I < Rounds; ++I) {
#pragma omp parallel for num_threads(2) schedule(static, 1)
    for (int Half = 0; Half < 2; ++Half)
      if (Half == 1)
        work();
  }
}

int main(int Count, char **Arguments) {
  if (!strcmp(Arguments[1], "barrier"))
    barrier();
  else
    parallelFor();
  return 0;
}
