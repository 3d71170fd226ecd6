// select() with a count that is larger than its sets, as getdtablesize() may be.
// RUN: %build
// RUN: %same %t.native %t
#include "busy.h"
#include <errno.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <unistd.h>

int main(int argc, char **argv) {
  struct rlimit Many = {1 << 16, 1 << 16};
  if (argc < 2 && setrlimit(RLIMIT_NOFILE, &Many) == 0) {
    execl("/proc/self/exe", argv[0], "again", (char *)0);
    return 1;
  }
  busyBegin();
  int Pipe[2];
  EXPECT(pipe(Pipe) == 0 && write(Pipe[1], "x", 1) == 1);
  // Nothing behind the set may be read or written.
  char *Page = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  EXPECT(Page != MAP_FAILED && !mprotect(Page + 4096, 4096, PROT_NONE));
  fd_set *Set = (fd_set *)(Page + 4096 - sizeof(fd_set));
  struct timeval Second = {1, 0};
  for (int I = 0; I < 100; ++I) {
    FD_ZERO(Set);
    FD_SET(Pipe[0], Set);
    EXPECT(select(getdtablesize(), Set, 0, 0, &Second) == 1);
    EXPECT(FD_ISSET(Pipe[0], Set));
  }
  busyEnd();
  puts("100 times");
  return 0;
}
