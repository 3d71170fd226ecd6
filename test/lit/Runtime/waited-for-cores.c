// The cores that a run may use, and how long its threads waited for them: two that work on
// one core have it for as long as they wait.
// RUN: rm -f %t.causal
// RUN: %causal_clang -fcausal-profile -O1 -pthread %s -o %t
// RUN: %env_causal_opts=experiment_ms=50:max_speedup=0:output=%t.causal %python -c "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}); os.execv(r'%t', ['%t'])"
// RUN: %python -c "import json; records = [json.loads(r) for r in open(r'%t.causal')]; own = [r for r in records if r['type'] == 'experiment']; work, waited = (sum(r.get(f, 0) for r in own) for f in ('work', 'waited')); print(records[0]['cores'], len(own) > 3, waited > 0.5 * work)" | FileCheck %s
// CHECK: 1 True True
#include "Inputs/two_workers.h"

int main(void) { twoWorkers(400); }
// SERIAL: what others do with the cores is counted.
