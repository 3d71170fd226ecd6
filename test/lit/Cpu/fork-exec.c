// The child of fork is a run of its own, and so is what exec puts in its place; nothing is
// counted twice.
// RUN: rm -f %t.*.causal
// RUN: %causal_clang -fcausal-profile -O1 %s -o %t
// RUN: %env_causal_opts=mode=cpu:output=%t.%%p.causal %t
// RUN: cat %t.*.causal > %t.all
// RUN: %python %S/Inputs/cpu_profile.py %t.all --runs 3 --frames parent:cpu:main \
// RUN:   --frames child:cpu:child --absent parent:lock --frames new:cpu:main
#include "Inputs/work.h"
#include <stdio.h>
#include <sys/wait.h>
__attribute__((noinline)) static int child(char *Self) {
  name("child");
  work(30);
  execl(Self, Self, "new", (char *)0);
  return 1;
}
int main(int argc, char **argv) {
  if (argc > 1) {
    name("new");
    work(30);
    return 0;
  }
  name("parent");
  work(30);
  pid_t Child = fork();
  if (!Child)
    return child(argv[0]);
  int Status;
  work(10);
  waitpid(Child, &Status, 0);
  return Status;
}
