// For tests of credit: one thread works in the target line while the other waits for it,
// never both at once, so nobody has a pause to make. A waiter that is not credited
// pauses for as long as the other has worked.
#include "work.h"

#include <causal/causal.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { Rounds = 40 };

// The thread that waits; the main thread, unless a test says otherwise.
static int WaiterId;

// Returns once the waiter sleeps, however long the machine takes to let it run.
static void awaitSleep(void) {
  char Path[64], Text[256] = "";
  snprintf(Path, sizeof(Path), "/proc/self/task/%d/stat",
           WaiterId ? WaiterId : getpid());
  int Fd = open(Path, O_RDONLY);
  do
    Text[pread(Fd, Text, sizeof(Text) - 1, 0)] = 0;
  while (!strstr(Text, ") S"));
  close(Fd);
}

static void workNow(void) {
  WORK(5000); // TARGET
  CAUSAL_PROGRESS;
}
static void work(void) {
  awaitSleep();
  workNow();
}
