// perf refused by seccomp, as in containers: the timer takes over without a word. A
// program that forbids itself system calls goes on, and its profile ends.
// RUN: %build
// RUN: %clang %S/Inputs/refuse_perf.c -o %t.launcher
// RUN: %same --samplers=auto,timer --before=%t.launcher %t.native %t
// RUN: %t.native strict > %t.expected
// RUN: %env_causal_opts=output=%t.causal:experiment_ms=5:sample_period_us=100 %t strict > %t.found 2> %t.err
// RUN: diff %t.expected %t.found
// RUN: FileCheck %s --input-file=%t.err
// CHECK: the program restricts its system calls: the profile ends here
#include "busy.h"
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(int argc, char **argv) {
  busyBegin();
  work(20000);
  if (argc > 1) {
    busyEnd();
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
    for (volatile int I = 0; I < 50000000; ++I)
      ;
    if (write(1, "alive\n", 6) == 6)
      syscall(SYS_exit, 0);
  }
  busyEnd();
  puts("worked");
  return 0;
}
