// A signal of the sampler's number that one thread sends to another one comes, though a sample
// may just be waiting for that.
// RUN: %build
// RUN: %same --options=fixed_speedup=90 %t.native %t
#include "busy.h"
#include <signal.h>

static int Seen;
static void onSignal(int Signal, siginfo_t *Info, void *Context) {
  EXPECT(Info->si_signo == Signal && Info->si_code == SI_TKILL);
  __atomic_fetch_add(&Seen, 1, __ATOMIC_RELAXED);
}
static void onQueued(int Signal, siginfo_t *Info, void *Context) {
  EXPECT(Info->si_signo == Signal && Info->si_code == SI_QUEUE);
  EXPECT(Info->si_value.sival_int == 42);
  __atomic_fetch_add(&Seen, 1, __ATOMIC_RELAXED);
}

static void await(int Number) {
  for (int Rounds = 0; __atomic_load_n(&Seen, __ATOMIC_RELAXED) != Number; ++Rounds) {
    EXPECT(Rounds < 50000); // Five seconds of CPU time.
    work(100);
  }
}

int main(void) {
  busyBegin();
  for (int I = 0; I < 1000; ++I) {
    int Signal = I % 4 < 2 ? SIGTRAP : SIGPROF, Queued = I % 2;
    struct sigaction Action = {.sa_sigaction = Queued ? onQueued : onSignal, .sa_flags = SA_SIGINFO};
    sigaction(Signal, &Action, 0);
    pthread_t To = BusyThreads[I / 4 % 2];
    EXPECT((Queued ? pthread_sigqueue(To, Signal, (union sigval){.sival_int = 42})
                   : pthread_kill(To, Signal)) == 0);
    await(I + 1);
  }
  busyEnd();
  puts("all came");
  return 0;
}
