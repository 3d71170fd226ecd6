// What samples stand for is the CPU time of the process, that of pauses too, and of a child
// of fork it is the child's.
// RUN: rm -f %t.causal
// RUN: %causal_clang -fcausal-profile -O1 -pthread %s -o %t
// RUN: %env_causal_opts=experiment_ms=50:output=%t.causal %t
// RUN: %python -c "import json; last = {r['run']: r for r in map(json.loads, open(r'%t.causal')) if r['type'] == 'snapshot'}; print(len(last), *(s['cpu_time'] > 3e8 and 0.8 < s['sampled_time'] / s['cpu_time'] < 1.2 for s in last.values()))" | FileCheck %s
// CHECK: 2 True True
#include "Inputs/two_workers.h"
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  twoWorkers(600);
  if (!fork()) {
    int Rounds = 600;
    worker(&Rounds);
    return 0;
  }
  wait(0);
}
// SERIAL: its threads are to run when they want to.
