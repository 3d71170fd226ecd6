// The program's own SIGTRAP handler gets its own traps, and only these.
// RUN: %causal_clang -fcausal-profile -O1 %s -o %t
// RUN: %env_causal_opts=experiment_ms=10:output=%t.causal %t
#include "Inputs/work.h"
#include <causal/causal.h>
#include <signal.h>
#include <string.h>
static volatile int Traps;
static void onTrap(int Signal) { ++Traps; }

// What sigaction() tells of what signal() has set is the same for every signal.
static int tellsOthers(void (*Handler)(int)) {
  int Signals[] = {SIGUSR1, SIGTRAP, SIGPROF, SIGSTKFLT};
  unsigned long Masks[4];
  int Flags[4], Others = 0;
  for (int I = 0; I < 4; ++I) {
    struct sigaction Told;
    signal(Signals[I], Handler);
    sigaction(Signals[I], 0, &Told);
    memcpy(&Masks[I], &Told.sa_mask, sizeof(Masks[I]));
    Masks[I] ^= 1ul << (Signals[I] - 1);
    Flags[I] = Told.sa_flags;
    Others |= Masks[I] != Masks[0] || Flags[I] != Flags[0] || Told.sa_handler != Handler;
    signal(Signals[I], SIG_DFL);
  }
  return Others;
}
int main(void) {
  if (tellsOthers(SIG_DFL) || tellsOthers(onTrap))
    return 2;
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
