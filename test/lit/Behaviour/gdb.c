// Under gdb nothing stops but what the program does.
// REQUIRES: gdb
// RUN: %build
// RUN: %env_causal_opts=output=%t.causal:experiment_ms=5 gdb -q -nx -batch -ex "set debuginfod enabled off" -ex run %t > %t.out 2>&1
// RUN: FileCheck %s --input-file=%t.out
// CHECK-NOT: received signal
// CHECK: worked
// CHECK: Inferior {{.*}} exited normally]
#include "busy.h"
int main(void) {
  busyBegin();
  work(20000);
  busyEnd();
  puts("worked");
  return 0;
}
