// What a run writes is what docs/reference/profile.schema.json says.
// RUN: rm -f %t.causal %t.section.causal %t.run.causal
// RUN: %causal_clang -fcausal-profile -O1 -pthread %s -o %t
// RUN: %env_causal_opts=experiment_ms=20:output=%t.causal %t
// RUN: %env_causal_opts=experiment_ms=20:target=section:output=%t.section.causal %t
// RUN: %env_causal_opts=end_to_end=1:output=%t.run.causal %t
// RUN: %python %S/Inputs/check_profile.py %source_dir/docs/reference/profile.schema.json %t.causal %t.section.causal %t.run.causal | FileCheck %s
// CHECK: {{^[1-9][0-9]* experiment, [1-9][0-9]* line, 3 run, [1-9][0-9]* snapshot$}}

// A field that it does not know is told.
// RUN: sed 's/"exe"/"path"/' %t.causal > %t.bad
// RUN: not %python %S/Inputs/check_profile.py %source_dir/docs/reference/profile.schema.json %t.bad | FileCheck %s --check-prefix=BAD
// BAD: {{.*}}:1: run lacks exe
// BAD: {{.*}}:1: run has the unknown field path
#include "Inputs/work.h"
#include <causal/causal.h>
#include <pthread.h>
static pthread_mutex_t M = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
  for (int I = 0; I < 400; ++I) {
    CAUSAL_BEGIN("request");
    CAUSAL_PROGRESS_NAMED("round");
    pthread_mutex_lock(&M);
    WORK(1000);
    pthread_mutex_unlock(&M);
    CAUSAL_END("request");
  }
}
