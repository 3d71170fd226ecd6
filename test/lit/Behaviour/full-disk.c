// A file that may not grow: one message, no signal, and the program goes on. Its
// directory may be gone, and its root another one.
// RUN: %build
// RUN: rm -f %t.causal %t.chroot.causal && mkdir -p %t.empty
// RUN: %env_causal_opts=output=%t.causal:experiment_ms=5:sample_period_us=100 %t limit 2>&1 | FileCheck %s
// CHECK: causal: cannot write to {{.*}} (errno 27)
// CHECK-NOT: causal:
// CHECK: worked
// RUN: %env_causal_opts=output=%t.chroot.causal:experiment_ms=5:sample_period_us=100 %t %t.empty > %t.out
// RUN: test -s %t.chroot.causal
#include "busy.h"
#include <sys/resource.h>
#include <unistd.h>
int main(int argc, char **argv) {
  struct rlimit Small = {700, 700};
  if (argc > 1 && !strcmp(argv[1], "limit"))
    setrlimit(RLIMIT_FSIZE, &Small);
  else if (argc > 1 && geteuid() == 0)
    EXPECT(chroot(argv[1]) == 0 && chdir("/") == 0);
  busyBegin();
  work(40000);
  busyEnd();
  puts("worked");
  return 0;
}
