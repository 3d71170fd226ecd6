// Where the kernel has no close_range(), or a sandbox forbids it, closefrom() closes the
// program's files and leaves the profile whole.
// RUN: %build
// RUN: %clang -DLAUNCHER %s -o %t.without
// RUN: %same --experiments --before="%t.without 38" %t.native %t
// RUN: FileCheck %s --input-file=%t.auto.causal
// RUN: %same --experiments --before="%t.without 1" %t.native %t
// RUN: FileCheck %s --input-file=%t.auto.causal
// CHECK: "type":"experiment"
// CHECK: "final":true
#ifdef LAUNCHER
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// ERRNO PROGRAM [ARGUMENT...]: runs it where close_range() fails so.
int main(int argc, char **argv) {
  struct sock_filter Rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_close_range, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)atoi(argv[1])),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog Filter = {sizeof(Rules) / sizeof(*Rules), Rules};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &Filter))
    return 1;
  execv(argv[2], argv + 2);
  return 1;
}
#else
#include "busy.h"
#include <errno.h>
#include <unistd.h>

enum { First = 3, Count = 20 };
static void *shortLived(void *Argument) {
  work(200);
  return Argument;
}

int main(void) {
  busyBegin();
  work(20000);
  EXPECT(close_range(First, ~0u, 0) == -1);
  printf("%s\n", strerror(errno));
  for (int Round = 0; Round < 10; ++Round) {
    for (int I = 0; I < Count; ++I)
      EXPECT(dup(1) == First + I);
    EXPECT(dup2(1, 1000) == 1000);
    closefrom(First + Round);
    for (int I = 0; I < Count; ++I) {
      int Result = close(First + I);
      EXPECT(I < Round ? Result == 0 : Result == -1 && errno == EBADF);
    }
    EXPECT(close(1000) == -1 && errno == EBADF);
    pthread_t Thread;
    pthread_create(&Thread, 0, shortLived, 0);
    pthread_join(Thread, 0);
    work(3000);
  }
  busyEnd();
  puts("closed");
  return 0;
}
#endif
