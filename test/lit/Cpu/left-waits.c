// Waits that threads leave by a jump, by cancellation, or for a signal handler that waits
// itself: the account goes on.
// RUN: rm -f %t.causal
// RUN: %causal_clang -fcausal-profile -O1 %s -o %t
// RUN: %env_causal_opts=mode=cpu:output=%t.causal %t
// RUN: %python %S/Inputs/cpu_profile.py %t.causal --print --expect jumps:sleep --expect jumps:cpu \
// RUN:   --frames jumps:sleep:after --expect cancelled:sleep --expect nested:io \
// RUN:   --expect nested:sleep --frames nested:sleep:onSignal
#include "Inputs/work.h"
#include <setjmp.h>
#include <signal.h>
static sigjmp_buf Back;
static int Pipe[2];
static void jump(int Signal) { siglongjmp(Back, Signal); }
__attribute__((noinline)) static void after(void) { rest(30); }
static void *jumps(void *Argument) {
  name("jumps");
  if (!sigsetjmp(Back, 1))
    for (;;)
      rest(500);
  after();
  work(10);
  return Argument;
}
static void *cancelled(void *Argument) {
  name("cancelled");
  for (;;)
    rest(500);
  return Argument;
}
__attribute__((noinline)) static void onSignal(int Signal) { rest(20 + (unsigned)Signal * 0); }
static void *nested(void *Argument) {
  char C;
  name("nested");
  return read(Pipe[0], &C, 1) == 1 ? Argument : 0;
}
int main(void) {
  struct sigaction Jump = {.sa_handler = jump}, Nap = {.sa_handler = onSignal, .sa_flags = SA_RESTART};
  pthread_t Threads[3];
  sigaction(SIGUSR1, &Jump, 0);
  sigaction(SIGUSR2, &Nap, 0);
  if (pipe(Pipe))
    return 1;
  pthread_create(&Threads[0], 0, jumps, 0);
  pthread_create(&Threads[1], 0, cancelled, 0);
  pthread_create(&Threads[2], 0, nested, 0);
  rest(100);
  pthread_kill(Threads[0], SIGUSR1);
  pthread_cancel(Threads[1]);
  pthread_kill(Threads[2], SIGUSR2);
  rest(100);
  if (write(Pipe[1], "x", 1) != 1)
    return 1;
  for (int I = 0; I < 3; ++I)
    pthread_join(Threads[I], 0);
  return 0;
}
