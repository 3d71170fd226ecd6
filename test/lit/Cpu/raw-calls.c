// What no wrapper sees is counted as such.
// RUN: rm -f %t.causal
// RUN: %causal_clang -fcausal-profile -O1 %s -o %t
// RUN: %env_causal_opts=mode=cpu:output=%t.causal %t
// RUN: %python %S/Inputs/cpu_profile.py %t.causal --expect raw:other:5 --frames raw:other:main
#include "Inputs/work.h"
#include <sys/syscall.h>
static long rawSleep(const struct timespec *T) {
  long Result;
  __asm__ volatile("syscall"
                   : "=a"(Result)
                   : "a"((long)SYS_nanosleep), "D"(T), "S"(0l)
                   : "rcx", "r11", "memory");
  return Result;
}
int main(void) {
  struct timespec T = {0, 20000000};
  name("raw");
  for (int I = 0; I < 10; ++I) {
    rawSleep(&T);
    work(3);
  }
  return 0;
}
