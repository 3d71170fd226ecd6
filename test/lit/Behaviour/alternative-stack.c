// A handler on a small alternative stack runs long while samples come: they find no
// room there and must not need it. Threads with the smallest of stacks, too.
// RUN: %build
// RUN: %same %t.native %t
#include "busy.h"
#include <limits.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>

static volatile int Runs;
static void onSignal(int Signal) {
  work(2000);
  ++Runs;
}

// Directly above a page that nobody may touch.
static char *guarded(size_t Size) {
  size_t Pages = (Size + 4095) / 4096 * 4096;
  char *Low = mmap(0, Pages + 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  EXPECT(Low != MAP_FAILED && !mprotect(Low + 4096, Pages, PROT_READ | PROT_WRITE));
  return Low + 4096;
}

static void *onSmallStack(void *Argument) {
  work(5000);
  return Argument;
}

int main(void) {
  busyBegin();
  // Room for the kernel's frame and a small handler, twice.
  size_t Size = getauxval(AT_MINSIGSTKSZ) * 2 + 2048;
  stack_t Stack = {.ss_sp = guarded(Size), .ss_size = Size}, Old;
  EXPECT(sigaltstack(&Stack, 0) == 0);
  struct sigaction Action = {.sa_handler = onSignal, .sa_flags = SA_ONSTACK};
  sigaction(SIGUSR1, &Action, 0);
  for (int I = 0; I < 10; ++I) {
    raise(SIGUSR1);
    work(500);
  }
  EXPECT(sigaltstack(0, &Old) == 0 && Old.ss_sp == Stack.ss_sp && Old.ss_size == Size);

  for (int I = 0; I < 5; ++I) {
    pthread_attr_t Attributes;
    pthread_t Thread;
    pthread_attr_init(&Attributes);
    EXPECT(pthread_attr_setstacksize(&Attributes, PTHREAD_STACK_MIN) == 0);
    EXPECT(pthread_create(&Thread, &Attributes, onSmallStack, 0) == 0);
    pthread_join(Thread, 0);
  }
  busyEnd();
  printf("%d\n", Runs);
  return 0;
}
