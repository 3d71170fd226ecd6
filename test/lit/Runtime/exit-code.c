// The program's exit code and signals are its own, and whichever way it ends the
// profile is complete (but for signals, which lose the samples of the last snapshot).
// RUN: %causal_clang -fcausal-profile -O1 %s -o %t
// RUN: %python %S/Inputs/exit_code.py %t exit quick_exit _exit return abort kill
#include "Inputs/work.h"
#include <causal/causal.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv) {
  for (int I = 0; I < 100; ++I) {
    CAUSAL_PROGRESS;
    WORK(1000);
  }
  if (!strcmp(argv[1], "exit"))
    exit(7);
  if (!strcmp(argv[1], "quick_exit"))
    quick_exit(7);
  if (!strcmp(argv[1], "_exit"))
    _exit(7);
  if (!strcmp(argv[1], "abort"))
    abort();
  if (!strcmp(argv[1], "kill"))
    raise(SIGTERM);
  return 7;
}
