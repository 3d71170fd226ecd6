// A child of fork counts in a segment of its own, and so does what it becomes by exec; the
// parent's goes on. What the program returns and prints stays its own.
// RUN: rm -rf %t.db
// RUN: %causal_clang -fcausal-profile -O1 %s -o %t
// RUN: %env_causal_opts=mode=continuous:db=%t.db %t > %t.out 2> %t.err
// RUN: FileCheck --input-file=%t.out %s
// CHECK: parent
// RUN: count 0 < %t.err
// RUN: %causal db collect %t.db | FileCheck --check-prefix=COLLECT %s
// COLLECT: 3 segments, 3 of them of processes that have ended
// RUN: %python %S/Inputs/check.py %t.db %causal --least 150 --name three
#include "Inputs/burn.h"
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int Count, char **Words) {
  if (Count > 1) {
    burn(300);
    return 7;
  }
  pid_t Child = fork();
  burn(300);
  if (!Child) {
    execl(Words[0], Words[0], "again", (char *)0);
    _exit(1);
  }
  int Status;
  waitpid(Child, &Status, 0);
  puts("parent");
  return WEXITSTATUS(Status) != 7;
}
