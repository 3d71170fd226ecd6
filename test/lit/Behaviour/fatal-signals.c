// A program that dies dies of its own signal, with a core dump where it had one.
// RUN: %build
// RUN: %same --core %t.native %t
// RUN: %same --samplers=auto --core --experiments %t.native %t abort
#include "busy.h"
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const Ways[] = {"abort", "segv", "trap", "fpe", "assert",
                                   "5",     "9",    "15",   "25",  "27"};

static int die(const char *How) {
  static volatile int Zero;
  static int *volatile Null;
  busyBegin();
  work(15000);
  if (!strcmp(How, "abort"))
    abort();
  if (!strcmp(How, "segv"))
    *Null = 1;
  if (!strcmp(How, "trap"))
    __builtin_debugtrap();
  if (!strcmp(How, "fpe"))
    Zero = 1 / Zero;
  if (!strcmp(How, "assert"))
    assert(!"reached");
  raise(atoi(How));
  return 11;
}
int main(int argc, char **argv) {
  if (argc > 1)
    return die(argv[1]);
  for (unsigned I = 0; I < sizeof(Ways) / sizeof(*Ways); ++I) {
    int Status;
    if (fork() == 0)
      return die(Ways[I]);
    wait(&Status);
    printf("%s: signal %d core %d\n", Ways[I], WTERMSIG(Status), WCOREDUMP(Status) != 0);
    fflush(stdout);
  }
  return 0;
}
