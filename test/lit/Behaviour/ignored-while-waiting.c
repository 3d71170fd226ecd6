// An ignored signal ends no wait, though the sampler may have a handler for its number.
// Not mended: the kernel has the runtime's handler, which breaks off what no flag restarts.
// XFAIL: *
// RUN: %build
// RUN: %same %t.native %t 5
// RUN: %same %t.native %t 27
#include "busy.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

static int Waits;
static void *waits(void *Argument) {
  for (int I = 0; I < 5; ++I) {
    struct timespec Time = {0, 30000000};
    __atomic_add_fetch(&Waits, 1, __ATOMIC_RELAXED);
    int Result = I % 2 ? poll(0, 0, 30) : nanosleep(&Time, 0);
    if (Result)
      printf("wait %d: %s\n", I, strerror(errno));
  }
  __atomic_store_n(&Waits, -1, __ATOMIC_RELAXED);
  return Argument;
}

int main(int argc, char **argv) {
  int Signal = atoi(argv[1]);
  pthread_t Thread;
  signal(Signal, SIG_IGN);
  busyBegin();
  pthread_create(&Thread, 0, waits, 0);
  while (__atomic_load_n(&Waits, __ATOMIC_RELAXED) >= 0) {
    pthread_kill(Thread, Signal); // Is joined below.
    usleep(3000);
  }
  pthread_join(Thread, 0);
  busyEnd();
  return 0;
}
