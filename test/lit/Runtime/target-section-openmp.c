// Critical sections of OpenMP are targets too, with locks and without.
// REQUIRES: openmp
// RUN: rm -f %t.causal
// RUN: %causal_clang -fcausal-profile -O1 -fopenmp %s -o %t
// RUN: env OMP_NUM_THREADS=2 CAUSAL_OPTIONS="target=section:experiment_ms=20:output=%t.causal" %t
// RUN: grep '"type":"line"' %t.causal > %t.lines
// RUN: FileCheck %s --input-file=%t.lines
// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.lines
// NONE-NOT: "function":"main",
#include "Inputs/work.h"
#include <causal/causal.h>
#include <omp.h>

int main(void) {
  omp_lock_t L;
  omp_nest_lock_t N;
  omp_init_lock(&L);
  omp_init_nest_lock(&N);
  // clang-format off
#pragma omp parallel
  for (int I = 0; I < 60; ++I) {
    CAUSAL_PROGRESS;
#pragma omp critical // CHECK-DAG: "line":[[#@LINE]],{{.*}}"section":true
    WORK(1000);
#pragma omp critical(named) hint(omp_sync_hint_contended) // CHECK-DAG: "line":[[#@LINE]],{{.*}}"section":true
    WORK(1000);
    omp_set_lock(&L); // CHECK-DAG: "line":[[#@LINE]],{{.*}}"section":true
    WORK(1000);
    omp_unset_lock(&L);
    if (omp_test_nest_lock(&N)) { // CHECK-DAG: "line":[[#@LINE]],{{.*}}"section":true
      WORK(1000);
      omp_unset_nest_lock(&N);
    }
    WORK(1000);
  }
}
