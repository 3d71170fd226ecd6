// The child of fork is a run of its own and is sampled; the parent goes on.
// RUN: rm -f %t.*.causal
// RUN: %causal_clang -fcausal-profile -O1 %s -o %t
// RUN: %env_causal_opts=experiment_ms=10:output=%t.%%p.causal %t
// RUN: cat %t.*.causal | %python %S/Inputs/count_runs.py 2
#include "Inputs/work.h"
#include <causal/causal.h>
#include <sys/wait.h>
#include <unistd.h>
static void work(void) {
  for (int I = 0; I < 200; ++I) {
    CAUSAL_PROGRESS;
    WORK(1000);
  }
}
int main(void) {
  pid_t Child = fork();
  work();
  if (!Child)
    _exit(3);
  int Status;
  waitpid(Child, &Status, 0);
  return WEXITSTATUS(Status) != 3;
}
