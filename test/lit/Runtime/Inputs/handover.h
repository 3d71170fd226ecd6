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

// The text of one file of the waiter's, such as "stat".
static const char *ofWaiter(const char *File, char *Text, size_t Size) {
  char Path[64];
  snprintf(Path, sizeof(Path), "/proc/self/task/%d/%s",
           WaiterId ? WaiterId : getpid(), File);
  int Fd = open(Path, O_RDONLY);
  ssize_t Length = pread(Fd, Text, Size - 1, 0);
  Text[Length < 0 ? 0 : Length] = 0;
  close(Fd);
  return Text;
}

// Returns once the waiter waits, however long the machine takes to let it run. A pause is
// no wait: were it taken for one, the work would be over before the waiter gets to wait
// for it, so that it owes the next pause, and so on.
static void awaitSleep(void) {
  char Text[256];
  while (!strstr(ofWaiter("stat", Text, sizeof(Text)), ") S") ||
         strstr(ofWaiter("wchan", Text, sizeof(Text)), "nanosleep"))
    ;
}

static void workNow(void) {
  WORK(5000); // TARGET
  CAUSAL_PROGRESS;
}
static void work(void) {
  awaitSleep();
  workNow();
}
