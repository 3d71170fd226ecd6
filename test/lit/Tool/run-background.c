// A server that goes into the background is the program: causal run waits for it, and says so;
// helpers that are another program are not waited for.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %causal_clang -fcausal-profile -O1 %s -o server
// RUN: env TMPDIR=%t %causal run --runs=1 --set=experiment_ms=20 --output=p.causal --report=report -- ./server 2> err
// RUN: FileCheck %s --input-file=err
// CHECK: note: ./server went into the background, as process {{[0-9]+}}: waiting for that to end
// RUN: FileCheck %s --input-file=report --check-prefix=REPORT
// REPORT: == unit: throughput point
// RUN: %causal run --runs=1 --set=experiment_ms=20 --output=p.causal --report=report -- ./server leaves-helper 2> err
// RUN: not grep background err
#include <causal/causal.h>
#include <time.h>
#include <unistd.h>
int main(int argc, char **argv) {
  if (argc > 1 && !fork()) {
    setsid();
    execlp("sleep", "sleep", "20", (char *)0);
  }
  if (argc == 1 && daemon(1, 0))
    return 1;
  clock_t Begin = clock();
  while (clock() - Begin < CLOCKS_PER_SEC) {
    for (volatile int I = 0; I < 100000; ++I)
      ;
    CAUSAL_PROGRESS_NAMED("unit");
  }
}
