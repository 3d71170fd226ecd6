// A program that closes what it does not know, or puts files of its own there, finds its
// own files untouched, and is told what it would be told without us.
// RUN: %build
// RUN: %same --experiments %t.native %t closefrom
// RUN: %same %t.native %t close_range
// RUN: %same %t.native %t raw
// RUN: %same %t.native %t dup2
// RUN: %same --experiments %t.native %t limit
#include "busy.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { First = 3, Count = 1200 };
static void *shortLived(void *Argument) {
  work(200);
  return Argument;
}

int main(int argc, char **argv) {
  const char *How = argv[1];
  if (!strcmp(How, "limit")) {
    struct rlimit Low = {64, 64};
    EXPECT(setrlimit(RLIMIT_NOFILE, &Low) == 0);
    busyBegin();
    // Half of the numbers are the program's for certain.
    for (int I = 0; I < 29; ++I)
      EXPECT(dup(1) == First + I);
    work(20000);
    busyEnd();
    return 0;
  }
  busyBegin();
  work(20000);
  if (!strcmp(How, "closefrom"))
    closefrom(First);
  else if (!strcmp(How, "close_range"))
    EXPECT(close_range(First, ~0u, 0) == 0);
  else if (!strcmp(How, "raw"))
    for (int Fd = First; Fd < 4096; ++Fd)
      syscall(SYS_close, Fd);
  errno = 0;
  EXPECT(close(First) == -1 && errno == EBADF);
  // Files and eventfds of the program take every number that was ours.
  int File = open("file", O_RDWR | O_CREAT, 0600);
  EXPECT(File == First);
  for (int Fd = First + 1; Fd < First + Count; ++Fd)
    EXPECT((Fd % 2 ? dup2(File, Fd) : dup3(eventfd(0, 0), Fd, 0)) == Fd || !strcmp(How, "dup2"));
  for (int I = 0; I < 5; ++I) {
    pthread_t Thread;
    pthread_create(&Thread, 0, shortLived, 0);
    pthread_join(Thread, 0);
  }
  work(20000);
  busyEnd();
  struct stat Status;
  for (int Fd = First + 1; Fd < First + Count; Fd += 2)
    EXPECT(fstat(Fd, &Status) == 0);
  EXPECT(fstat(File, &Status) == 0 && Status.st_size == 0);
  return 0;
}
