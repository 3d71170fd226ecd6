// A server that begins as root and gives that up keeps its profile, which only root may
// open: it is opened before. So does a child that gives it up for itself.
// REQUIRES: root
// RUN: %build
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: %env_causal_opts="experiment_ms=10:output=%t.d/profile" %t 2>&1 | FileCheck %s
// RUN: %causal report %t.d/profile | FileCheck %s --check-prefix=REPORT
// CHECK-NOT: causal:
// CHECK: user 65534 worked
// CHECK-NOT: causal:
// CHECK: user 65534 worked
// CHECK-NOT: causal:
// REPORT: 2 runs
// REPORT-NOT: did not end normally
#include "busy.h"
#include <causal/causal.h>
#include <sys/wait.h>
#include <unistd.h>
static void workAsNobody(void) {
  if (setgid(65534) || setuid(65534))
    _exit(1);
  for (int I = 0; I < 200; ++I) {
    work(1000);
    CAUSAL_PROGRESS;
  }
  printf("user %d worked\n", (int)geteuid());
  fflush(stdout);
}
int main(void) {
  if (fork() == 0) {
    workAsNobody();
    exit(0);
  }
  wait(NULL);
  workAsNobody();
  return 0;
}
