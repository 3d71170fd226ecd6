// Where signals of the sampler are not forced (here as on a kernel before 5.18) they must not
// come in a system call: a write to a pipe would return with less.
// REQUIRES: setarch
// RUN: %causal_clang -fcausal-profile -D_GNU_SOURCE -O1 %s -o %t
// RUN: env CAUSAL_OPTIONS=output=%t.causal:sample_period_us=200 setarch x86_64 --uname-2.6 %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAMPLER --input-file=%t.causal
// CHECK: 16777216 of 16777216
// SAMPLER: "sampler":"{{perf-signal|timer}}"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int Pipe[2];
  size_t Size = 16 << 20;
  char *Data = malloc(Size);
  memset(Data, 'a', Size);
  if (pipe(Pipe))
    return 1;
  if (!fork()) {
    static char Buffer[4096];
    close(Pipe[1]);
    while (read(Pipe[0], Buffer, sizeof(Buffer)) > 0)
      ;
    _exit(0);
  }
  close(Pipe[0]);
  ssize_t Written = write(Pipe[1], Data, Size);
  printf("%zd of %zu\n", Written, Size);
  close(Pipe[1]);
  wait(0);
  return 0;
}
