// Of many timers of the program under the sampler's number none is lost, as it expires while
// the thread pauses and samples come.
// RUN: %build
// RUN: %same %t.native %t
#include "busy.h"
#include <signal.h>
#include <stdint.h>

static volatile long Last;
static void onTimer(int Signal, siginfo_t *Info, void *Context) { Last = Info->si_value.sival_int; }

int main(void) {
  busyBegin();
  struct sigaction Action = {.sa_sigaction = onTimer, .sa_flags = SA_SIGINFO};
  for (int I = 1; I <= 1000; ++I) {
    int Signal = I % 2 ? SIGTRAP : SIGPROF;
    sigaction(Signal, &Action, 0);
    struct sigevent Event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = Signal, .sigev_value.sival_int = I};
    timer_t Timer;
    EXPECT(timer_create(CLOCK_MONOTONIC, &Event, &Timer) == 0);
    struct itimerspec Soon = {.it_value.tv_nsec = 100000 + I * 500};
    EXPECT(timer_settime(Timer, 0, &Soon, 0) == 0);
    for (int Rounds = 0; Last != I; ++Rounds) {
      EXPECT(Rounds < 100000); // Ten seconds of CPU time.
      work(100);
    }
    timer_delete(Timer);
  }
  busyEnd();
  puts("all came");
  return 0;
}
