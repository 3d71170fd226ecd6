// Messages from within handlers of the program, while other threads say things too: to a
// file, a full disk and a pipe without a reader, and with a profile that cannot be written.
// RUN: %build
// RUN: env CAUSAL_OPTIONS=output=%t.causal:experiment_ms=1:cooloff_ms=0:sample_period_us=100:fixed_speedup=90:verbosity=2 timeout -s KILL 60 bash -c '%t 2> %t.err; echo status $?' | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAID --input-file=%t.err
// SAID: restricts its system calls
// RUN: env CAUSAL_OPTIONS=output=/dev/full:experiment_ms=1:cooloff_ms=0:sample_period_us=100:fixed_speedup=90:verbosity=2 timeout -s KILL 60 bash -c '%t 2> /dev/full; echo status $?' | FileCheck %s
// RUN: env CAUSAL_OPTIONS=output=/dev/full:experiment_ms=1:cooloff_ms=0:sample_period_us=100:fixed_speedup=90:verbosity=2 timeout -s KILL 60 bash -c '%t 2> >(true); echo status $?' | FileCheck %s
// CHECK: 8 children
// CHECK-NEXT: status 0
#include "busy.h"
#include <semaphore.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static sem_t Semaphore;
static volatile int Hits;

// May end an experiment, which says so.
static void wake(int Signal) {
  ++Hits;
  for (int I = 0; I < 20; ++I)
    sem_post(&Semaphore);
}
// Says that the profile ends; the call itself fails.
static void restrictCalls(int Signal) {
  ++Hits;
  prctl(PR_SET_SECCOMP, 99, 0, 0, 0);
}

static int child(void) {
  struct itimerval Often = {{0, 1000}, {0, 1000}}, Never = {{0, 0}, {0, 0}};
  sem_init(&Semaphore, 0, 0);
  signal(SIGUSR1, restrictCalls);
  signal(SIGALRM, wake);
  busyBegin();
  setitimer(ITIMER_REAL, &Often, 0);
  while (Hits < 50)
    work(200);
  for (int I = 0; I < 2; ++I)
    pthread_kill(BusyThreads[I], SIGUSR1);
  raise(SIGUSR1);
  while (Hits < 100)
    work(200);
  setitimer(ITIMER_REAL, &Never, 0);
  busyEnd();
  return 0;
}

int main(void) {
  for (int I = 0; I < 8; ++I) {
    int Status;
    pid_t Child = fork();
    if (!Child)
      _exit(child());
    EXPECT(waitpid(Child, &Status, 0) == Child && Status == 0);
  }
  puts("8 children");
  return 0;
}
