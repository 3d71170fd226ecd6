// Time inside libc belongs to the line that called it, without frame pointers too.
// RUN: rm -f %t.causal
// RUN: %causal_clang -fcausal-profile -O2 -fomit-frame-pointer %s -o %t
// RUN: %env_causal_opts=experiment_ms=10:output=%t.causal %t
// RUN: %python %S/Inputs/line_share.py %t.causal libc-caller.c:17 0.9
#include <causal/causal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
static char Buffer[1 << 20];
int main(void) {
  char *volatile To = Buffer;
  clock_t Begin = clock();
  while (clock() - Begin < CLOCKS_PER_SEC / 3) {
    CAUSAL_PROGRESS;
    for (int I = 0; I < 100; ++I)
      memset(To, 1, sizeof(Buffer));
  }
}
