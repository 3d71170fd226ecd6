// A thread that spins on a variable waits: its line is sampled, but not experimented on.
// Who leaves the loop by a jump is at work again.
// RUN: %causal_clang -fcausal-profile -O1 -pthread %s -o %t
// RUN: rm -f %t.causal
// RUN: %env_causal_opts=experiment_ms=5:cooloff_ms=1:output=%t.causal %t
// RUN: %python %S/Inputs/spun.py %t.causal 31 47
#include <causal/causal.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <time.h>

atomic_int Turn, Never; // Not static: nobody knows that Never stays 0.
static jmp_buf Out;

static double seconds(void) {
  struct timespec T;
  clock_gettime(CLOCK_MONOTONIC, &T);
  return (double)T.tv_sec + (double)T.tv_nsec * 1e-9;
}
static void jump(int Signal) {
  (void)Signal;
  siglongjmp(Out, 1);
}

static void *answer(void *Argument) {
  for (int Mine = 1; Turn >= 0; Mine += 2) {
    int Now;
    while ((Now = atomic_load(&Turn)) >= 0 && Now != Mine) { // Line 31.
    }
    atomic_store(&Turn, Now < 0 ? -1 : Mine + 1);
  }
  return Argument;
}

int main(void) {
  signal(SIGALRM, jump);
  if (!sigsetjmp(Out, 1)) {
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 20000}}, 0);
    while (!atomic_load(&Never)) {
    }
  }
  double End = seconds() + 1;
  while (seconds() < End) {
    for (volatile int I = 0; I < 200000; ++I) { // Line 47.
    }
    CAUSAL_PROGRESS;
  }
  pthread_t Thread;
  pthread_create(&Thread, 0, answer, 0);
  End = seconds() + 1;
  for (int Mine = 0; seconds() < End; Mine += 2) {
    for (volatile int I = 0; I < 200000; ++I) {
    }
    atomic_store(&Turn, Mine + 1);
    while (atomic_load(&Turn) != Mine + 2) {
    }
    CAUSAL_PROGRESS;
  }
  atomic_store(&Turn, -1);
  pthread_join(Thread, 0);
  return 0;
}
// SERIAL: its threads are to run when they want to.
