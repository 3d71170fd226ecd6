// The program's own SIGTRAP handler gets its own traps, and only these.
// RUN: %causal_clang -fcausal-profile -O1 %s -o %t
// RUN: %env_causal_opts=experiment_ms=10:output=%t.causal %t
#include "Inputs/work.h"
#include <causal/causal.h>
#include <signal.h>
static volatile int Traps;
static void onTrap(int Signal) { ++Traps; }
int main(void) {
  struct sigaction Action = {.sa_handler = onTrap}, Old;
  if (sigaction(SIGTRAP, &Action, 0) || sigaction(SIGTRAP, 0, &Old) || Old.sa_handler != onTrap)
    return 1;
  for (int I = 0; I < 100; ++I) {
    CAUSAL_PROGRESS;
    WORK(1000);
    if (I % 10 == 0)
      raise(SIGTRAP);
  }
  return Traps != 10;
}
