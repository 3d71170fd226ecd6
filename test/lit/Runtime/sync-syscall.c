// syscall() hands on six arguments, results and errno; futexes fail as they do without.
// RUN: %causal_clang -fcausal-profile -O1 %s -o %t
// RUN: %env_causal_opts=experiment_ms=5:output=%t.causal %t
// RUN: %causal_clang -fcausal-profile -O1 -static %s -o %t.static
// RUN: %env_causal_opts=experiment_ms=5:output=%t.causal %t.static
// RUN: %clang -O1 %s -o %t.plain && %t.plain
#define _GNU_SOURCE
#include "Inputs/check.h"
#include <errno.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(int Count, char **Arguments) {
  int Word = 1, Other = 0;
  struct timespec Now = {0, 1};
  errno = 42;
  CHECK(syscall(SYS_getpid) == getpid() && errno == 42);

  // The sixth argument counts: the second page of the file.
  char Name[] = "/proc/self/exe", Page[16], *Mapped;
  long Fd = syscall(SYS_open, Name, 0, 0), Size = 4096;
  CHECK(Fd >= 0);
  CHECK(pread((int)Fd, Page, sizeof(Page), Size) == sizeof(Page));
  Mapped = (char *)syscall(SYS_mmap, 0, Size, PROT_READ, MAP_PRIVATE, Fd, Size);
  CHECK(Mapped != MAP_FAILED && !memcmp(Mapped, Page, sizeof(Page)));

  CHECK(syscall(SYS_close, -1) == -1 && errno == EBADF);
  CHECK(syscall(-5) == -1 && errno == ENOSYS);
  CHECK(syscall(SYS_futex, &Word, FUTEX_WAIT, 0, 0) == -1 && errno == EAGAIN);
  CHECK(syscall(SYS_futex, &Word, FUTEX_WAIT, 1, &Now) == -1 &&
        errno == ETIMEDOUT);
  CHECK(syscall(SYS_futex, 1, FUTEX_WAKE, 1) == -1 && errno == EINVAL);
  errno = 42;
  CHECK(syscall(SYS_futex, &Word, FUTEX_WAKE, 1) == 0);
  CHECK(syscall(SYS_futex, &Word, FUTEX_CMP_REQUEUE, 1, 1L, &Other, 1) == 0);
  CHECK(syscall(SYS_futex, &Other, FUTEX_WAKE_OP, 1, 1L, &Word,
                FUTEX_OP(FUTEX_OP_ADD, 6, FUTEX_OP_CMP_EQ, 0)) == 0);
  CHECK(Word == 7 && errno == 42);

  // A child begins with the parent's stack.
  long Child = syscall(SYS_fork);
  if (Child == 0)
    syscall(SYS_exit_group, 3);
  int Status;
  CHECK(syscall(SYS_wait4, Child, &Status, 0, 0) == Child);
  CHECK(WIFEXITED(Status) && WEXITSTATUS(Status) == 3);
  return 0;
}
