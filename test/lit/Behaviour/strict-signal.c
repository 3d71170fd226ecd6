// In strict C signal() is another function, that of System V.
// RUN: %build
// RUN: %same --experiments %t.native %t
#include "busy.h"
#include <signal.h>

static volatile int Hits;
static void count(int Signal) { ++Hits; }

int main(void) {
  busyBegin();
  for (int I = 1; I < 32; ++I)
    if (I != SIGCHLD)
      __sysv_signal(I, SIG_DFL);
  work(2000);
  int Samplers[] = {SIGTRAP, SIGPROF};
  for (int I = 0; I < 2; ++I) {
    int Signal = Samplers[I];
    EXPECT(__sysv_signal(Signal, count) == SIG_DFL);
    work(1000);
    raise(Signal); // Which resets it.
    work(1000);
    EXPECT(Hits == I + 1);
    EXPECT(__sysv_signal(Signal, SIG_IGN) == SIG_DFL);
    work(1000);
    raise(Signal);
    EXPECT(signal(Signal, SIG_DFL) == SIG_IGN);
  }
  work(2000);
  busyEnd();
  printf("%d hits\n", Hits);
  return 0;
}
