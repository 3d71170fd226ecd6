// The program's own timers under the sampler's number expire, with any sampler.
// RUN: %build
// RUN: %same %t.native %t
#include "busy.h"
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

static volatile int Fired[NSIG];
static volatile long Value;
static void onTimer(int Signal, siginfo_t *Info, void *Context) {
  ++Fired[Signal];
  Value = Info->si_value.sival_int;
}
static void onInput(int Signal) { ++Fired[Signal]; }

int main(void) {
  busyBegin();
  int Signals[] = {SIGPROF, SIGTRAP, SIGALRM};
  for (int I = 0; I < 3; ++I) {
    int Signal = Signals[I];
    struct sigaction Action = {.sa_sigaction = onTimer, .sa_flags = SA_SIGINFO};
    sigaction(Signal, &Action, 0);
    struct sigevent Event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = Signal, .sigev_value.sival_int = 42 + I};
    timer_t Timer;
    EXPECT(timer_create(CLOCK_MONOTONIC, &Event, &Timer) == 0);
    struct itimerspec Soon = {.it_value.tv_nsec = 1000000};
    EXPECT(timer_settime(Timer, 0, &Soon, 0) == 0);
    while (!Fired[Signal])
      work(100);
    EXPECT(Value == 42 + I);
    timer_delete(Timer);
  }
  signal(SIGPROF, onInput);
  int Pipe[2], Before = Fired[SIGPROF];
  EXPECT(pipe(Pipe) == 0);
  EXPECT(fcntl(Pipe[0], F_SETOWN, getpid()) == 0 && fcntl(Pipe[0], F_SETSIG, SIGPROF) == 0);
  EXPECT(fcntl(Pipe[0], F_SETFL, O_ASYNC | O_NONBLOCK) == 0);
  EXPECT(write(Pipe[1], "x", 1) == 1);
  while (Fired[SIGPROF] == Before)
    work(100);
  // Of descriptor 0, which is none of ours, too.
  EXPECT(dup2(Pipe[0], 0) == 0 && fcntl(0, F_SETOWN, getpid()) == 0);
  EXPECT(fcntl(Pipe[0], F_SETFL, O_NONBLOCK) == 0 && fcntl(0, F_SETSIG, SIGPROF) == 0);
  EXPECT(fcntl(0, F_SETFL, O_ASYNC | O_NONBLOCK) == 0);
  Before = Fired[SIGPROF];
  EXPECT(write(Pipe[1], "x", 1) == 1);
  while (Fired[SIGPROF] == Before)
    work(100);
  busyEnd();
  puts("all came");
  return 0;
}
