// Work for the runtime's tests: CPU time on a line of the caller's.
#include <time.h>

static inline double cpu_seconds(void) {
  struct timespec T;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &T);
  return (double)T.tv_sec + (double)T.tv_nsec * 1e-9;
}

// Spins for about Microseconds of the calling thread's CPU time.
#define WORK(Microseconds)                                                     \
  do {                                                                         \
    double End_ = cpu_seconds() + (Microseconds) * 1e-6;                       \
    while (cpu_seconds() < End_)                                               \
      for (volatile int I_ = 0; I_ < 20000; ++I_)                               \
        ;                                                                      \
  } while (0)
