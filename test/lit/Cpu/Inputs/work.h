#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <pthread.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>
static inline uint64_t cpuTime(void) {
  struct timespec T;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &T);
  return (uint64_t)T.tv_sec * 1000000000 + (uint64_t)T.tv_nsec;
}
/// Computes for so many milliseconds of CPU time.
static inline void work(unsigned Milliseconds) {
  volatile unsigned Sum = 0;
  for (uint64_t End = cpuTime() + Milliseconds * 1000000ull; cpuTime() < End;)
    for (unsigned I = 0; I < 2000; ++I)
      Sum += I;
}
static inline void rest(unsigned Milliseconds) {
  struct timespec T = {0, (long)Milliseconds * 1000000};
  nanosleep(&T, 0);
}
static inline void name(const char *Name) { pthread_setname_np(pthread_self(), Name); }
