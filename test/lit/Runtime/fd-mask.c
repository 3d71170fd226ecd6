// Waits with a mask of their own end by the program's signal, after its handler has
// run, and leave the mask as it was, however many samples are due meanwhile.
// RUN: rm -f %t.causal
// RUN: %causal_clang -fcausal-profile -O1 %s -o %t
// RUN: %env_causal_opts=experiment_ms=10:sample_period_us=200:output=%t.causal %t
// RUN: FileCheck %s --input-file=%t.causal
// CHECK: "function":"work","speedup"
#define _GNU_SOURCE
#include "Inputs/work.h"
#include <causal/causal.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <unistd.h>
static int Handled;
static void work(int Signal) {
  ++Handled;
  for (int I = 0; I < 100; ++I) {
    CAUSAL_PROGRESS;
    WORK(1000);
  }
}
int main(void) {
  sigset_t All, Usr1, Before, After;
  sigfillset(&All);
  sigdelset(&All, SIGUSR1);
  sigemptyset(&Usr1);
  sigaddset(&Usr1, SIGUSR1);
  signal(SIGUSR1, work);
  sigprocmask(SIG_BLOCK, &Usr1, &Before);
  int Epoll = epoll_create1(0);
  struct epoll_event Event;
  raise(SIGUSR1);
  if (ppoll(0, 0, 0, &All) != -1 || errno != EINTR)
    return 1;
  raise(SIGUSR1);
  if (pselect(0, 0, 0, 0, 0, &All) != -1 || errno != EINTR)
    return 2;
  raise(SIGUSR1);
  if (epoll_pwait(Epoll, &Event, 1, -1, &All) != -1 || errno != EINTR)
    return 3;
  sigprocmask(SIG_SETMASK, &Before, &After);
  if (Handled != 3)
    return 5;
  work(SIGUSR1);
  return sigismember(&After, SIGTRAP) ? 4 : !sigismember(&After, SIGUSR1);
}
