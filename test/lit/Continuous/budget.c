// The period comes from what a sample costs here; one that is no share is told of.
// RUN: rm -rf %t.db
// RUN: %causal_clang -fcausal-profile -O1 %s -o %t
// RUN: %env_causal_opts=mode=continuous:db=%t.db:budget=1%:verbosity=1 %t 2>&1 | FileCheck %s
// CHECK: causal: a sample costs {{[0-9]+}} ns, one comes every {{[0-9]+}} us
// RUN: %env_causal_opts=mode=continuous:db=%t.db:budget=all %t 2>&1 | FileCheck --check-prefix=BAD %s
// BAD: causal: budget=all is no share between 0.01% and 50%: samples come every 2000 us
// RUN: %causal db collect %t.db
// RUN: %python %S/Inputs/check.py %t.db %causal --name three
#include "Inputs/burn.h"
int main(void) {
  burn(300);
  return 0;
}
