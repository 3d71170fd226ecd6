// A program that starts itself anew in a handler, with all signals blocked, finds no signal
// pending that nobody sent; nor does one that makes the system call itself.
// RUN: %build
// RUN: %same %t.native %t
#include "busy.h"
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

static char Program[] = "/proc/self/exe";
static char *Next[3] = {Program, "1", 0};
extern char **environ;

static void again(int Signal) {
  work(3000);
  if (*Next[1] % 2)
    execv(Program, Next);
  syscall(SYS_execve, Program, Next, environ);
}

int main(int argc, char **argv) {
  int Round = argc > 1 ? atoi(argv[1]) : 0;
  sigset_t Pending, None;
  sigpending(&Pending);
  for (int I = 1; I < NSIG; ++I)
    if (sigismember(&Pending, I) == 1)
      printf("round %d: %d is pending\n", Round, I);
  sigemptyset(&None);
  pthread_sigmask(SIG_SETMASK, &None, 0); // Which would let it come.
  if (Round == 8) {
    puts("done");
    return 0;
  }
  char Text[2] = {(char)('1' + Round), 0};
  Next[1] = Text;
  struct sigaction Action = {.sa_handler = again};
  sigfillset(&Action.sa_mask);
  sigaction(SIGHUP, &Action, 0);
  work(2000);
  fflush(stdout);
  raise(SIGHUP);
  return 1;
}
